package io.weir.stress.arm.storage;

import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.arm.load.SoftDeletes;
import io.weir.time.NanoClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Lucene's own check of a whole index, read without any of Weir's directories. */
public final class IndexCheck {

  private IndexCheck() {}

  /**
   * Checks the last commit of the index at {@code path}, which must have no writer.
   *
   * @throws IOException when the index is broken, with the output of the check
   */
  static Values of(Path path, NanoClock clock) throws IOException {
    try (Directory directory = FSDirectory.open(path)) {
      return of(directory, clock);
    }
  }

  /** Checks an index that exists only in {@code directory}, which stays open. */
  static Values of(Directory directory, NanoClock clock) throws IOException {
    long startNanos = clock.nanoTime();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(directory);
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
      check.setInfoStream(out);
      if (!check.checkIndex().clean) {
        throw new IOException(
            "CheckIndex found the arm's index broken:\n" + output.toString(StandardCharsets.UTF_8));
      }
      try (DirectoryReader reader = SoftDeletes.live(DirectoryReader.open(directory))) {
        return Values.builder()
            .put(ArmFigures.CHECKED_SEGMENTS, (long) reader.leaves().size())
            .put(ArmFigures.CHECKED_DOCUMENTS, (long) reader.numDocs())
            .put(ArmFigures.CHECK_SECONDS, (clock.nanoTime() - startNanos) / 1e9)
            .build();
      }
    }
  }
}
