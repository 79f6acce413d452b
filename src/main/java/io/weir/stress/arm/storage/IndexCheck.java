package io.weir.stress.arm.storage;

import io.weir.stress.arm.load.SoftDeletes;
import io.weir.stress.result.IndexCheckResult;
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

/** Lucene's own check of all of an index, read without anything of Weir's in the path. */
public final class IndexCheck {

  private IndexCheck() {}

  /**
   * Checks the last commit of the index at {@code path}, which nobody may be writing to.
   *
   * @throws IOException when it is broken: with what the check wrote about it
   */
  static IndexCheckResult of(Path path, NanoClock clock) throws IOException {
    try (Directory directory = FSDirectory.open(path)) {
      return of(directory, clock);
    }
  }

  /** The same of an index that is nowhere else than in {@code directory}, which is left open. */
  static IndexCheckResult of(Directory directory, NanoClock clock) throws IOException {
    long startNanos = clock.nanoTime();
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(directory);
        PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8)) {
      check.setInfoStream(out);
      if (!check.checkIndex().clean) {
        throw new IOException(
            "CheckIndex found the arm's index broken:\n" + told.toString(StandardCharsets.UTF_8));
      }
      try (DirectoryReader reader = SoftDeletes.live(DirectoryReader.open(directory))) {
        return new IndexCheckResult(
            reader.leaves().size(), reader.numDocs(), (clock.nanoTime() - startNanos) / 1e9);
      }
    }
  }
}
