package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.fakes.AutoClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;

class RateLimitedDirectoryTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(10, 1000, false, 1));
  private static final IOContext FLUSH = IOContext.flush(new FlushInfo(10, 1000));

  @Test
  void createOutput_flush_isNeitherSlowedNorWrapped() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1)), clock);
    try (Directory directory = new RateLimitedDirectory(new ByteBuffersDirectory(), budget)) {
      write(directory, "_1.fdt", 1_000_000, FLUSH);
      write(directory, "_1_1.liv", 1_000_000, IOContext.DEFAULT);
      try (IndexOutput output = directory.createOutput("_2.fdt", FLUSH)) {
        assertFalse(output instanceof RateLimitedIndexOutput);
      }
      try (IndexOutput output = directory.createOutput("_3.fdt", MERGE)) {
        assertInstanceOf(RateLimitedIndexOutput.class, output);
      }
    }
    assertEquals(0, clock.nanoTime());
    assertEquals(0, budget.snapshot().grantedBytes());
  }

  @Test
  void createOutput_graphOfAMergeThatIsNotBound_isDebited() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)), clock);
    try (Directory directory = new RateLimitedDirectory(new ByteBuffersDirectory(), budget)) {
      write(directory, "_1_Lucene99HnswVectorsFormat_0.vex", 2_050_000, MERGE);
      assertEquals(0, clock.nanoTime());
      assertEquals(2_050_000, budget.snapshot().grantedBytes());
      write(directory, "_1.tvd", 1_000_000, MERGE);
      assertEquals(3_000_000_000L, clock.nanoTime()); // it pays for both, but for the burst
      assertEquals(2_050_000, directory.fileLength("_1_Lucene99HnswVectorsFormat_0.vex"));
    }
  }

  @Test
  void copyFrom_aMergesCopy_isChargedAndTheSame() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)), clock);
    try (Directory source = new ByteBuffersDirectory();
        Directory directory = new RateLimitedDirectory(new ByteBuffersDirectory(), budget)) {
      write(source, "_1.fdt", 1_050_000, IOContext.DEFAULT);
      directory.copyFrom(source, "_1.fdt", "_9.fdt", MERGE);
      assertEquals(1_050_000, budget.snapshot().grantedBytes());
      assertEquals(1_000_000_000, clock.nanoTime());
      assertArrayEquals(bytes(source, "_1.fdt"), bytes(directory, "_9.fdt"));
    }
  }

  @Test
  void copyFrom_whenTheDiskIsFull_leavesNoHalfCopy() throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    try (Directory source = new ByteBuffersDirectory();
        Directory full = new FullDisk(new ByteBuffersDirectory());
        Directory directory = new RateLimitedDirectory(full, budget)) {
      write(source, "_1.fdt", 100_000, IOContext.DEFAULT);
      assertThrows(IOException.class, () -> directory.copyFrom(source, "_1.fdt", "_9.fdt", MERGE));
      assertEquals(0, directory.listAll().length);
    }
  }

  private static void write(Directory directory, String name, int length, IOContext context)
      throws IOException {
    try (IndexOutput output = directory.createOutput(name, context)) {
      byte[] piece = new byte[7000];
      for (int left = length; left > 0; left -= piece.length) {
        output.writeBytes(piece, Math.min(left, piece.length));
      }
    }
  }

  private static byte[] bytes(Directory directory, String name) throws IOException {
    try (var input = directory.openInput(name, IOContext.READONCE)) {
      byte[] bytes = new byte[(int) input.length()];
      input.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  /** A directory whose every write fails. */
  private static final class FullDisk extends FilterDirectory {

    FullDisk(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      IndexOutput output = in.createOutput(name, context);
      return new FilterIndexOutput("full", name, output) {
        @Override
        public void writeBytes(byte[] b, int offset, int length) throws IOException {
          throw new IOException("no space left on device");
        }
      };
    }
  }
}
