package io.weir.stress.arm.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.run.ArmFigures;
import io.weir.run.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexCheckTest {

  @TempDir Path temp;

  @BeforeEach
  void twoSegmentsOfThree() throws IOException {
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setUseCompoundFile(false))) {
      for (int i = 0; i < 6; i++) {
        Document document = new Document();
        document.add(new StoredField("body", "some text " + i));
        writer.addDocument(document);
        if (i == 2) {
          writer.flush();
        }
      }
    }
  }

  @Test
  void check_aGoodIndex_saysWhatItHolds() throws IOException {
    assertEquals(
        Values.builder()
            .put(ArmFigures.CHECKED_SEGMENTS, 2L)
            .put(ArmFigures.CHECKED_DOCUMENTS, 6L)
            .put(ArmFigures.CHECK_SECONDS, 0.0)
            .build(),
        check());
  }

  @Test
  void check_oneBitOfStoredFieldsFlipped_throwsWhatCheckIndexFound() throws IOException {
    flipABit(".fdt");
    IOException broken = assertThrows(IOException.class, this::check);
    assertTrue(broken.getMessage().startsWith("CheckIndex found"), broken.getMessage());
    assertTrue(broken.getMessage().contains("checksum failed"), broken.getMessage());
  }

  private Values check() throws IOException {
    try (Directory directory = FSDirectory.open(temp)) {
      return ArmIndex.check(directory, new SteppedClock());
    }
  }

  private void flipABit(String extension) throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      Path file = files.filter(f -> f.toString().endsWith(extension)).findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
    }
  }
}
