package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.DeniedFileSystem;
import io.weir.store.ResidentKeys;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackMethod;
import io.weir.suite.Slow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a security policy denies what Weir would like to know, it does without and says so. */
@Slow("starts JVMs that may do less")
class DeniedPlatformTest {

  @TempDir Path temp;

  static Stream<RuntimeException> refusals() {
    return Stream.of(
        new SecurityException("access denied"),
        new RuntimeException("component does not have the entitlement read_store_attributes"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void index_whereFileStoreAttributesAreDenied_isWrittenAndMerged(RuntimeException refusal)
      throws Exception {
    Path denied = DeniedFileSystem.withoutAttributes(temp, refusal);
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(FSDirectory.open(denied));
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()))) {
      WritebackDirectory writeback = writeback(directory);
      assertEquals(WritebackMethod.FDATASYNC, writeback.method());
      assertTrue(!writeback.methodReason().isBlank());
      for (int i = 0; i < 3; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
        writer.addDocument(document);
        writer.commit();
      }
      writer.forceMerge(1);
    }
    try (Directory stock = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(stock)) {
      assertTrue(check.checkIndex().clean);
    }
  }

  /** With native access denied, where this Java can deny it, and so with the reason for it. */
  @Test
  void twoDirectories_ofOneProcess_sayOnceHowTheyWriteAndWhy() throws Exception {
    boolean canDeny = Runtime.version().feature() >= 24;
    Path indexes = Files.createTempDirectory(Path.of("target"), "two-directories");
    try {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      if (canDeny) {
        command.add("--illegal-native-access=deny");
      }
      command.addAll(
          List.of(
              "-cp",
              System.getProperty("java.class.path"),
              TwoDirectories.class.getName(),
              indexes.toString()));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), output);
      List<String> notices =
          output.lines().filter(line -> line.contains("merge output is")).toList();
      assertEquals(1, notices.size(), output);
      assertTrue(notices.get(0).startsWith("INFO: "), output);
      if (canDeny && notices.get(0).contains("force")) {
        assertTrue(notices.get(0).contains("--enable-native-access"), output);
      }
    } finally {
      IOUtils.rm(indexes);
    }
  }

  private static WritebackDirectory writeback(Directory directory) {
    Directory at = directory;
    while (!(at instanceof WritebackDirectory)) {
      at = ((FilterDirectory) at).getDelegate();
    }
    return (WritebackDirectory) at;
  }
}
