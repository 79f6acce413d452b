package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.SteppedClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ThreadInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RateLimitedIndexOutputTest {

  private static final int GRANT = ByteBudget.MAX_GRANT_BYTES;

  /** Whatever is written, in whatever pieces: the same file, the same pointers, charged exactly. */
  @Property(tries = 150)
  void write_anySequenceOfCalls_leavesTheSameFileAsWithoutIt(@ForAll long seed) throws Exception {
    ByteBudget budget =
        new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)), new AutoClock());
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      try (IndexOutput plain = directory.createOutput("plain", IOContext.DEFAULT);
          IndexOutput charged =
              new RateLimitedIndexOutput(
                  directory.createOutput("charged", IOContext.DEFAULT), budget)) {
        Random plainRandom = new Random(seed);
        Random chargedRandom = new Random(seed);
        for (int i = 0; i < 60; i++) {
          writeSomething(plain, plainRandom);
          writeSomething(charged, chargedRandom);
          assertEquals(plain.getFilePointer(), charged.getFilePointer());
          if (plainRandom.nextInt(10) == 0) {
            assertEquals(plain.getChecksum(), charged.getChecksum());
          }
          chargedRandom.nextInt(10);
        }
      }
      assertArrayEquals(bytesOf(directory, "plain"), bytesOf(directory, "charged"));
      assertEquals(directory.fileLength("charged"), budget.snapshot().grantedBytes());
    }
  }

  @Test
  void close_fewBytes_areChargedToo() throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    RecordingOutput below = new RecordingOutput(budget);
    IndexOutput output = new RateLimitedIndexOutput(below, budget);
    output.writeString("a tail");
    assertEquals(0, budget.snapshot().grantedBytes());
    output.close();
    output.close();
    assertEquals(7, budget.snapshot().grantedBytes());
    assertEquals(1, below.closes);
  }

  @Test
  void identity_ofTheOutputBelow_isKept() throws Exception {
    RecordingOutput below = new RecordingOutput(ByteBudget.unlimited());
    try (IndexOutput output = new RateLimitedIndexOutput(below, ByteBudget.unlimited())) {
      assertEquals(below.getName(), output.getName());
      assertEquals(below, FilterIndexOutput.unwrap(output));
    }
  }

  /** Write number i fails, i grows until nothing fails. */
  @Test
  void write_anyWriteBelowFails_isReportedOnceMoreAtCloseAndTheOutputBelowIsClosed()
      throws Exception {
    int faults = 0;
    for (int i = 0; ; i++) {
      ByteBudget budget = ByteBudget.unlimited();
      RecordingOutput below = new RecordingOutput(budget);
      below.failingWrite = i;
      IndexOutput output = new RateLimitedIndexOutput(below, budget);
      try {
        for (int n = 0; n < 10; n++) {
          output.writeBytes(new byte[10_000], 0, 10_000);
        }
        output.getChecksum();
        output.writeInt(1);
      } catch (IOException e) {
        assertEquals("no space left on device", e.getMessage());
        IOException again = assertThrows(IOException.class, output::getChecksum);
        assertEquals(e, again.getCause());
      }
      int writesBeforeClose = below.writes.size();
      if (below.failed) {
        assertEquals(i, writesBeforeClose);
        assertThrows(IOException.class, output::close);
        assertEquals(writesBeforeClose, below.writes.size(), "wrote past the hole");
        faults++;
      } else if (i == writesBeforeClose) {
        IOException atClose = assertThrows(IOException.class, output::close);
        assertEquals("no space left on device", atClose.getMessage());
        faults++;
      } else {
        output.close();
      }
      assertEquals(1, below.closes);
      if (!below.failed) {
        break;
      }
    }
    assertEquals(5, faults); // three full buffers, the checksum's, the tail's
  }

  @Test
  @Timeout(60)
  void write_interruptedWhileWaiting_endsWithLucenesExceptionAndChargesNoMoreThanItWrote()
      throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)), clock);
    RecordingOutput below = new RecordingOutput(budget);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicReference<Boolean> interrupted = new AtomicReference<>();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (IndexOutput output = new RateLimitedIndexOutput(below, budget)) {
                    output.writeBytes(new byte[200_000], 0, 200_000);
                  } catch (Throwable t) {
                    failure.set(t);
                    interrupted.set(Thread.currentThread().isInterrupted());
                  }
                });
    clock.awaitParked(writer);
    writer.interrupt();
    writer.join();
    assertInstanceOf(ThreadInterruptedException.class, failure.get());
    assertTrue(interrupted.get());
    assertEquals(1, below.closes);
    assertEquals(below.written, budget.snapshot().grantedBytes());
  }

  private static void writeSomething(IndexOutput output, Random random) throws IOException {
    switch (random.nextInt(9)) {
      case 0 -> output.writeByte((byte) random.nextInt());
      case 1 -> output.writeShort((short) random.nextInt());
      case 2 -> output.writeInt(random.nextInt());
      case 3 -> output.writeLong(random.nextLong());
      case 4 -> output.writeVLong(random.nextLong() >>> 1);
      case 5 -> output.alignFilePointer(1 << random.nextInt(8));
      case 6 -> output.writeString(Long.toString(random.nextLong(), 36));
      case 7 -> {
        byte[] bytes = randomBytes(random, 3 * GRANT);
        int from = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
        output.writeBytes(bytes, from, bytes.length - from);
      }
      default -> {
        byte[] bytes = randomBytes(random, 2 * GRANT);
        output.copyBytes(
            new ByteBuffersDataInput(List.of(java.nio.ByteBuffer.wrap(bytes))), bytes.length);
      }
    }
  }

  private static byte[] randomBytes(Random random, int maxLength) {
    byte[] bytes = new byte[random.nextInt(maxLength)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytesOf(ByteBuffersDirectory directory, String name) throws IOException {
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      byte[] bytes = new byte[(int) input.length()];
      input.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  /** Remembers what reaches it, checks that it was granted before, and fails on demand. */
  private static final class RecordingOutput extends IndexOutput {
    final List<Integer> writes = new ArrayList<>();
    private final ByteBudget budget;
    int failingWrite = Integer.MAX_VALUE;
    boolean failed;
    int closes;
    long written;

    RecordingOutput(ByteBudget budget) {
      super("recording", "_1.fdt");
      this.budget = budget;
    }

    @Override
    public void writeByte(byte b) {
      throw new AssertionError("bytes are passed on in pieces");
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) throws IOException {
      if (writes.size() == failingWrite) {
        failed = true;
        throw new IOException("no space left on device");
      }
      writes.add(length);
      written += length;
      assertTrue(written <= budget.snapshot().grantedBytes(), "passed before it was granted");
    }

    @Override
    public long getFilePointer() {
      return written;
    }

    @Override
    public long getChecksum() {
      return 0;
    }

    @Override
    public void close() {
      closes++;
    }
  }
}
