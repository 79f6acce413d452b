package io.weir.stress.experiment;

import io.weir.run.CanaryFigures;
import io.weir.run.CanaryFigures.Probe;
import io.weir.run.FailureWords;
import io.weir.run.Values;
import io.weir.store.KernelPageCache;
import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * What a machine does in five seconds before an arm: the same reads, syncs and sums before each. An
 * arm before which it was slower or faster ran on another machine than the others, whatever its
 * settings are.
 *
 * <p>It asks for little, so that it takes nothing from the arm: at most 500 reads and 100 syncs a
 * second, which leave a volume its credits. Its file of 32 MiB has no name while it is used, and is
 * gone with its pages when it is closed.
 *
 * <p><b>Threads:</b> one, and one for each processor while it sums. <b>Failure:</b> {@link
 * IOException}; on a full disk with a message for people. One that is stopped has no figures.
 */
final class Canary {

  /** What one asks: each call is one operation, done when it returns. */
  interface Machine extends Closeable {

    /** Whether a read comes from the disk, as far as is known. */
    boolean readsDisk();

    /** Reads the block of a number from 0 on; each is another one, far from the last. */
    void read(long number) throws IOException;

    /** Writes a block and waits until it is on the disk. */
    void sync(long number) throws IOException;

    /** Sums on all processors at once. */
    void sum() throws InterruptedException;
  }

  private interface Operation {
    void run(long number) throws IOException, InterruptedException;
  }

  private final Machine machine;
  private final NanoClock clock;
  private final BooleanSupplier stopped;
  private final Values.Builder values = Values.builder();

  private Canary(Machine machine, NanoClock clock, BooleanSupplier stopped) {
    this.machine = machine;
    this.clock = clock;
    this.stopped = stopped;
  }

  /**
   * The figures of this machine now.
   *
   * @param place of an index: the file is beside it
   * @param stopped looked at between operations; ends it early
   */
  static Values measure(Path place, Duration length, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    try (Machine here = ThisMachine.beside(place)) {
      return measure(here, length, NanoClock.SYSTEM, stopped);
    }
  }

  static Values measure(Machine machine, Duration length, NanoClock clock, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    Canary canary = new Canary(machine, clock, stopped);
    long share = length.toNanos() / 5;
    if (machine.readsDisk()) {
      canary.probe(Probe.READ, 2 * share, Duration.ofMillis(2), machine::read);
    }
    canary.probe(Probe.SYNC, 2 * share, Duration.ofMillis(10), machine::sync);
    canary.probe(Probe.SUM, share, Duration.ZERO, number -> machine.sum());
    return stopped.getAsBoolean() ? Values.NONE : canary.values.build();
  }

  /** One operation after the other, none before its time. */
  private void probe(Probe probe, long nanos, Duration pace, Operation operation)
      throws IOException, InterruptedException {
    LatencyTally took = new LatencyTally();
    long start = clock.nanoTime();
    long now = start;
    for (long number = 0; now - start < nanos && !stopped.getAsBoolean(); number++) {
      operation.run(number);
      long end = clock.nanoTime();
      took.record(end - now);
      long next = Math.max(end, now + pace.toNanos());
      for (now = end; now < next && !stopped.getAsBoolean(); now = clock.nanoTime()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        clock.parkNanos(this, next - now);
      }
    }
    values.put(CanaryFigures.TOOK, probe, took.summary());
  }

  /** The disk of a directory and the processors. */
  private static final class ThisMachine implements Machine {

    private static final int BLOCK_BYTES = 4096;
    private static final int BLOCKS = 8192;
    private static final int FILL_BYTES = 1 << 20;

    /** Odd, so that it comes to every block, and far from a neighbour. */
    private static final int STRIDE = 3517;

    /** A few milliseconds of one processor. */
    private static final int STEPS = 1 << 21;

    private final FileChannel file;
    private final boolean readsDisk;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private final int processors = Runtime.getRuntime().availableProcessors();
    private final ExecutorService threads =
        Executors.newFixedThreadPool(processors, DaemonThreads.named("weir-canary"));
    private volatile long total; // or a compiler would leave the sums out

    private ThisMachine(FileChannel file, boolean readsDisk) {
      this.file = file;
      this.readsDisk = readsDisk;
    }

    static ThisMachine beside(Path place) throws IOException {
      Path absolute = place.toAbsolutePath();
      Path beside = Preflight.nearestExisting(absolute.getParent());
      Path directory = Files.isWritable(beside) ? beside : absolute;
      // The same name in each run of this index: one that was killed here leaves one file at most.
      Path path = directory.resolve(absolute.getFileName() + ".canary");
      try {
        return of(path);
      } catch (IOException e) {
        throw words(e, directory);
      } finally {
        Files.deleteIfExists(path); // it goes on without a name
      }
    }

    private static ThisMachine of(Path path) throws IOException {
      FileChannel file =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      try {
        fill(file);
        return new ThisMachine(file, dropped(path));
      } catch (IOException | RuntimeException e) {
        file.close();
        throw e;
      }
    }

    private static void fill(FileChannel file) throws IOException {
      byte[] bytes = new byte[FILL_BYTES];
      SplittableRandom random = new SplittableRandom(42);
      for (int filled = 0; filled < BLOCKS * BLOCK_BYTES; filled += FILL_BYTES) {
        random.nextBytes(bytes);
        for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
          file.write(left);
        }
      }
      file.force(true);
    }

    private static boolean dropped(Path file) throws IOException {
      try {
        KernelPageCache.of(file.getParent()).drop(file);
        return KernelPageCache.obstacle(file.getParent()).isEmpty();
      } catch (UnsupportedOperationException e) {
        return false;
      }
    }

    private static IOException words(IOException failure, Path directory) {
      return FailureWords.fullDisk(failure, directory)
          .<IOException>map(
              full ->
                  new FailureWords.ReserveException(
                      full + ", and the canary before an arm needs 33.6 MB for a moment"))
          .orElse(failure);
    }

    @Override
    public boolean readsDisk() {
      return readsDisk;
    }

    @Override
    public void read(long number) throws IOException {
      file.read(block.clear(), position(number));
    }

    @Override
    public void sync(long number) throws IOException {
      file.write(block.clear(), position(number));
      file.force(false);
    }

    private static long position(long number) {
      return number * STRIDE % BLOCKS * BLOCK_BYTES;
    }

    @Override
    public void sum() throws InterruptedException {
      List<Callable<Long>> sums = Collections.nCopies(processors, ThisMachine::one);
      total += threads.invokeAll(sums).stream().mapToLong(done -> done.resultNow()).sum();
    }

    private static long one() {
      long sum = 0;
      for (int i = 0; i < STEPS; i++) {
        long mixed = (sum + i) * 0x9E3779B97F4A7C15L;
        sum += mixed ^ mixed >>> 29;
      }
      return sum;
    }

    @Override
    public void close() throws IOException {
      threads.shutdown();
      file.close();
    }
  }
}
