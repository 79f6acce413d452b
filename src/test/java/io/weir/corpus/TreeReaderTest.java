package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.TreeSource.TreeReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TreeReaderTest {

  private static final int MAX = TreeReader.MAX_DOCUMENT_BYTES;

  @TempDir Path root;

  private final ReadProblems problems = new ReadProblems();

  @BeforeEach
  void oneSoundFile() throws IOException {
    write("m.txt", "sound");
  }

  @Test
  void next_tree_isWalkedByName() throws IOException {
    for (String name : List.of("z", "b/2", "b/10", "a.txt", "B", "b.txt", "b/c/d", "é")) {
      write(name, name);
    }
    List<String> sorted = List.of("B", "a.txt", "b/10", "b/2", "b/c/d", "b.txt", "m.txt", "z", "é");
    assertEquals(sorted, Corpora.titles(read()));
    assertEquals(read(), read());
  }

  @Test
  void next_file_isDatedByItsLastChange() throws IOException {
    Instant changed = Instant.parse("2012-05-01T12:30:00Z");
    Files.setLastModifiedTime(root.resolve("m.txt"), FileTime.from(changed));
    assertEquals(List.of(new CorpusDocument("m.txt", "sound", changed.toEpochMilli())), read());
  }

  @Test
  void next_whatIsNoText_isSkipped() throws IOException {
    write("empty", "");
    write("binary", "text\0text");
    write(".git/HEAD", "ref");
    write("a/.svn/entries", "12");
    Files.createSymbolicLink(root.resolve("link"), root.resolve("m.txt"));
    Files.createSymbolicLink(root.resolve("loop"), root);
    Files.createSymbolicLink(root.resolve("dangling"), root.resolve("nowhere"));
    write("BZh, said the bee", "BZh9 is how a text may begin");
    assertEquals(List.of("BZh, said the bee", "m.txt"), Corpora.titles(read()));
    assertEquals("0 malformed, 7 skipped, 0 undated", problems.toString());
  }

  @Test
  void next_nulBehindTheHead_isText() throws IOException {
    write("late", "x".repeat(TreeReader.BINARY_HEAD_BYTES) + "\0");
    write("early", "x".repeat(TreeReader.BINARY_HEAD_BYTES - 1) + "\0");
    assertEquals(List.of("late", "m.txt"), Corpora.titles(read()));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void next_packedFile_isSkipped(Compression compression) throws IOException {
    Files.write(root.resolve("a"), Corpora.pack(compression, Corpora.utf8("text")));
    assertEquals(List.of("m.txt"), Corpora.titles(read()));
    assertEquals(1, problems.skippedCount());
  }

  @Test
  void next_invalidUtf8_isKeptAndNamedOnceAFile() throws IOException {
    byte[] bad = {(byte) 0xE9, '\n'};
    Files.write(
        root.resolve("a"),
        Corpora.concat(Corpora.utf8("\uFEFFone\ntwo "), bad, bad, Corpora.utf8("end")));
    assertEquals("one\ntwo \uFFFD\n\uFFFD\nend", read().get(0).body());
    assertEquals(
        List.of(root.resolve("a") + ":2: invalid UTF-8, replaced by U+FFFD"), problems.first());
    assertEquals(1, problems.malformedCount());
  }

  @Test
  void next_largeFile_isCutAtLineEnds() throws IOException {
    String line = "x".repeat(999) + "\n";
    int linesThatFit = MAX / line.length();
    byte[] content =
        Corpora.concat(Corpora.utf8(line.repeat(4 * linesThatFit)), new byte[] {(byte) 0xFF});
    Files.write(root.resolve("a"), content);
    List<CorpusDocument> documents = read();
    assertEquals(List.of("a", "a#2", "a#3", "a#4", "m.txt"), Corpora.titles(documents));
    assertEquals(line.repeat(linesThatFit), documents.get(0).body());
    assertEquals(line.repeat(linesThatFit), documents.get(2).body());
    assertEquals(line.repeat(linesThatFit) + "\uFFFD", documents.get(3).body());
    String place = root.resolve("a") + ":" + (4 * linesThatFit + 1);
    assertEquals(List.of(place + ": invalid UTF-8, replaced by U+FFFD"), problems.first());
  }

  @Test
  void next_fileOfExactlyTheLimit_isOneDocument() throws IOException {
    write("a", "x".repeat(MAX));
    write("b", "x".repeat(MAX - 1) + "\n");
    assertEquals(List.of("a", "b", "m.txt"), Corpora.titles(read()));
  }

  @Test
  void next_endlessLine_isCutBetweenCharacters() throws IOException {
    // Whatever the offset, no cut falls into a character: 4 bytes each.
    for (int offset = 0; offset < 4; offset++) {
      String text = "x".repeat(offset) + "\uD83C\uDF0A".repeat(MAX / 4 + 10);
      write("a", text);
      List<CorpusDocument> documents = read();
      assertEquals(List.of("a", "a#2", "m.txt"), Corpora.titles(documents));
      assertEquals(text, documents.get(0).body() + documents.get(1).body());
    }
    assertEquals(0, problems.malformedCount());
  }

  @Test
  void next_unreadableFileAndDirectory_areNamedAndPassedOver() throws IOException {
    write("denied.txt", "secret");
    write("deniedDirectory/a", "secret");
    write("failing.txt", "half");
    Path tree = new Denying(root).wrapPath(root);
    List<CorpusDocument> documents = Corpora.read(new TreeReader(tree, problems));
    assertEquals(List.of("m.txt"), Corpora.titles(documents));
    assertEquals(
        List.of(
            root.resolve("denied.txt") + ": cannot be read: no entry",
            root.resolve("deniedDirectory") + ": cannot be listed: no entry",
            root.resolve("failing.txt") + ": cannot be read: bad sector"),
        problems.first());
    assertTrue(TreeSource.at(tree).fileBytes() > 0);
  }

  @Test
  void textBytes_tree_isTheSumOfItsFiles() throws IOException {
    write("b/c", "1234567");
    assertEquals(12, DocumentSources.parse(root.toString(), 1).textBytes().orElseThrow());
  }

  private void write(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private List<CorpusDocument> read() throws IOException {
    return Corpora.read(DocumentSources.parse(root.toString(), 1), problems);
  }

  /** Denies what is called denied, whoever asks: the superuser may read any real file. */
  private static final class Denying extends FilterFileSystemProvider {

    Denying(Path root) {
      super("denying://", root.getFileSystem());
    }

    @Override
    public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
      if (path.getFileName().toString().equals("failing.txt")) {
        return new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("bad sector");
          }
        };
      }
      check(path);
      return super.newInputStream(path, options);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
      check(directory);
      return super.newDirectoryStream(directory, filter);
    }

    private static void check(Path path) throws IOException {
      if (path.getFileName().toString().startsWith("denied")) {
        throw new AccessDeniedException(null, null, "no entry");
      }
    }
  }
}
