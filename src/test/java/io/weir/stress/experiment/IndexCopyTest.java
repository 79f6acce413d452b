package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.ProcessIdentity;
import io.weir.procfs.Procfs;
import io.weir.stress.SmallIndex;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.IndexSchema;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class IndexCopyTest {

  private static final int DOCUMENTS = 300;

  @TempDir Path temp;
  private Path index;

  @BeforeEach
  void build() throws Exception {
    index = SmallIndex.build(temp.resolve("index"), DOCUMENTS);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void of_sameFileSystem_filesAreTheSameFiles() throws Exception {
    try (IndexCopy copy = IndexCopy.of(index, temp.resolve("copy"))) {
      assertTrue(copy.linked());
      Map<String, Object> base = inodes(index);
      base.remove("write.lock");
      assertEquals(base, inodes(copy.path()));
      assertTrue(base.size() > 2, base.toString());
    }
  }

  /** A run that is killed cannot delete its copies; the next one does, and only those. */
  @Test
  @Slow("starts a process")
  @EnabledOnOs(OS.LINUX)
  void deleteOfDeadRuns_copiesOfAProcessThatIsGone_areDeleted() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    assertEquals(0, gone.waitFor());
    ProcessIdentity self = Procfs.SYSTEM.self().orElseThrow();
    Path living = Files.createDirectory(IndexCopy.directoryOf(index, Procfs.SYSTEM));
    Path dead = copies(gone.pid(), self.startTicks(), self.boot(), self.namespaces());
    Files.writeString(dead.resolve("_0.fdt"), "left");
    Path sameNumber = copies(self.number(), self.startTicks() - 1, self.boot(), self.namespaces());
    Path beforeTheBoot = copies(self.number(), self.startTicks(), "0000abcd", self.namespaces());
    Path inAContainer = copies(gone.pid(), self.startTicks(), self.boot(), "1.2");
    Path number = Files.createDirectory(temp.resolve("index.copies-" + gone.pid()));
    Path other = Files.createDirectory(temp.resolve("index.copies-of-mine"));

    IndexCopy.deleteOfDeadRuns(index, Procfs.SYSTEM);

    assertFalse(Files.exists(dead));
    assertFalse(Files.exists(sameNumber));
    assertFalse(Files.exists(beforeTheBoot));
    for (Path kept : List.of(living, inAContainer, number, other, index)) {
      assertTrue(Files.exists(kept), kept.toString());
    }
  }

  /** As the run of such a process names them. */
  private Path copies(long number, long startTicks, String boot, String namespaces)
      throws IOException {
    return Files.createDirectory(
        temp.resolve("index.copies-%d-%d-%s-%s".formatted(number, startTicks, boot, namespaces)));
  }

  /** There a number is all that is known of a process. */
  @Test
  @Slow("starts a process")
  void deleteOfDeadRuns_withoutProc_goesByTheNumberOfTheProcess() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    assertEquals(0, gone.waitFor());
    Procfs none = new Procfs(temp.resolve("no-proc"));
    Path living = Files.createDirectory(IndexCopy.directoryOf(index, none));
    Path dead = Files.createDirectory(temp.resolve("index.copies-" + gone.pid()));

    IndexCopy.deleteOfDeadRuns(index, none);

    assertEquals("index.copies-" + ProcessHandle.current().pid(), "" + living.getFileName());
    assertTrue(Files.exists(living));
    assertFalse(Files.exists(dead));
  }

  @Test
  void of_index_doesNotTakeItsLock() throws Exception {
    assertTrue(Files.exists(index.resolve("write.lock")));
    try (IndexCopy copy = IndexCopy.of(index, temp.resolve("copy"))) {
      assertFalse(Files.exists(copy.path().resolve("write.lock")));
    }
  }

  @Test
  void copy_isUpdatedAndMerged_leavesTheBaseAsItWas() throws Exception {
    Map<String, byte[]> before = contents(index);
    IndexLock lock = IndexLock.hold(index);
    try (IndexCopy copy = IndexCopy.of(index, temp.resolve("copy"))) {
      try (Directory directory = FSDirectory.open(copy.path());
          IndexWriter writer =
              new IndexWriter(directory, new IndexWriterConfig(IndexSchema.analyzer()))) {
        for (int i = 0; i < 100; i++) {
          writer.deleteDocuments(IndexSchema.keyTerm(DocumentKeys.of(i, 1)));
        }
        writer.commit();
        writer.forceMerge(1);
      }
      assertEquals(DOCUMENTS - 100, cleanDocuments(copy.path()));
    } finally {
      lock.close();
    }
    assertEquals(DOCUMENTS, cleanDocuments(index));
    Map<String, byte[]> after = contents(index);
    assertEquals(before.keySet(), after.keySet());
    before.forEach((file, bytes) -> assertArrayEquals(bytes, after.get(file), file));
  }

  @Test
  void close_deletesTheCopyAndNothingElse() throws Exception {
    Map<String, byte[]> before = contents(index);
    Path copied;
    try (IndexCopy copy = IndexCopy.of(index, temp.resolve("copy"))) {
      copied = copy.path();
      Files.createDirectories(copied.resolve("deep/er"));
      Files.writeString(copied.resolve("deep/er/file"), "x");
    }
    assertFalse(Files.exists(copied));
    assertEquals(before.keySet(), contents(index).keySet());
  }

  /** A zip file system knows no hard links. */
  @Test
  void of_noHardLinks_copiesTheFiles() throws Exception {
    try (FileSystem zip =
        FileSystems.newFileSystem(temp.resolve("a.zip"), Map.of("create", "true"))) {
      Path source = Files.createDirectory(zip.getPath("/index"));
      Files.writeString(source.resolve("_0.si"), "some bytes");
      Files.writeString(source.resolve("write.lock"), "");

      try (IndexCopy copy = IndexCopy.of(source, zip.getPath("/copy"))) {
        assertFalse(copy.linked());
        assertEquals("some bytes", Files.readString(copy.path().resolve("_0.si")));
        assertFalse(Files.exists(copy.path().resolve("write.lock")));
      }
      assertFalse(Files.exists(zip.getPath("/copy")));
      assertTrue(Files.exists(source.resolve("_0.si")));
    }
  }

  @Test
  void of_placeIsTaken_isRefusedAndLeftAlone() throws Exception {
    Path taken = Files.createDirectory(temp.resolve("taken"));
    Files.writeString(taken.resolve("mine"), "x");

    assertThrows(FileAlreadyExistsException.class, () -> IndexCopy.of(index, taken));

    assertTrue(Files.exists(taken.resolve("mine")));
  }

  @Test
  void of_indexIsGone_leavesNothing() {
    assertThrows(IOException.class, () -> IndexCopy.of(temp.resolve("no"), temp.resolve("copy")));
    assertFalse(Files.exists(temp.resolve("copy")));
  }

  @Test
  void deleteTree_nothingThere_isDone() throws Exception {
    IndexCopy.deleteTree(temp.resolve("no"));
    assertNotEquals(0, contents(index).size());
  }

  private static int cleanDocuments(Path path) throws IOException {
    try (Directory directory = FSDirectory.open(path);
        CheckIndex check = new CheckIndex(directory);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(check.checkIndex().clean);
      return reader.numDocs();
    }
  }

  private static Map<String, Object> inodes(Path directory) throws IOException {
    Map<String, Object> inodes = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        inodes.put(file.getFileName().toString(), Files.getAttribute(file, "unix:ino"));
      }
    }
    return inodes;
  }

  private static Map<String, byte[]> contents(Path directory) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        contents.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return contents;
  }
}
