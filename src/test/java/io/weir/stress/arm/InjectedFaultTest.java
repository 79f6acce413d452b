package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedFileSystem;
import io.weir.fakes.SteppedFileSystem.Step;
import io.weir.load.client.ClientStalls;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.LoadRate;
import io.weir.stress.setting.MergeWorkload;
import io.weir.suite.Alone;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole arms into which a fault of known length is put, below Lucene, in the file system. What the
 * arm then says is held to what the fault itself took: nothing may be missing, and the cause must
 * be the one that was put in. Upper bounds are left to a machine that is quiet: docs/MEASURING.md.
 */
@Slow("runs whole arms for a given time")
@Alone("its reopens must be fast, but for the faults")
class InjectedFaultTest {

  private static final int DOCUMENTS = 2000;
  private static final long MILLI = 1_000_000;
  private static final String REOPENING = "weir-reopens";
  private static final double REOPENS_PER_SECOND = 10;
  private static final int BYSTANDERS = 4; // so that one is on each processor of a small machine

  @TempDir Path temp;

  private final QuickArm arm = new QuickArm();
  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private final ClientStalls stalls = new ClientStalls(); // of this JVM, as its bystanders see them

  private record Fault(long fromNanos, long toNanos) {
    long nanos() {
      return toNanos - fromNanos;
    }
  }

  /**
   * Once a second the thread that reopens waits where it creates a file. Beside two busy loops on
   * each processor a reopen takes some 40 ms, and half of them end over 50 ms after they were due;
   * so what they take from their real start is compared with the short delay as well.
   */
  @ParameterizedTest
  @ValueSource(longs = {50, 250})
  void reopens_delayedEachSecond_areAllFoundWithLengthAndCause(long delayMillis) throws Exception {
    long[] nextNanos = {0}; // not in the first second, in which the sampler of stacks begins
    Part result =
        run(
            (step, file) -> {
              if (nextNanos[0] == 0 && onReopeningThread()) {
                nextNanos[0] = System.nanoTime() + 1000 * MILLI;
              }
              if (step == Step.CREATE && onReopeningThread() && System.nanoTime() >= nextNanos[0]) {
                nextNanos[0] = System.nanoTime() + 1000 * MILLI;
                fault(System.nanoTime() + delayMillis * MILLI);
              }
            });

    List<Long> took = tookNanos();
    assertTrue(faults.size() >= 3, "faults: " + faults.size());
    List<Long> lengths = lengths(faults);
    for (int i = 0; i < lengths.size(); i++) {
      assertTrue(
          took.get(i) >= lengths.get(i), "reopen " + took.get(i) + " fault " + lengths.get(i));
    }
    LatencySummary reopens = result.latency(ArmFigures.REOPEN, Phase.DURING);
    LatencySummary service = result.latency(ArmFigures.REOPEN_SERVICE, Phase.DURING);
    assertTrue(reopens.maxMillis() >= delayMillis, reopens.toString());
    assertTrue(service.p50Millis() < delayMillis, service.toString());
    assertTrue(reopens.p50Millis() < Math.max(delayMillis, 250), reopens.toString());
    assertCause(Set.of("file_open"));
  }

  /**
   * Half a second in which no file can be created, written or deleted. Reopens come due meanwhile,
   * and each counts from then: an instrument that only times what it begins would tell of one.
   */
  @Test
  void disk_thatStopsForHalfASecond_isFeltByEachReopenDueMeanwhile() throws Exception {
    long stopNanos = 500 * MILLI;
    long[] firstSeenNanos = {0}; // in the warm-up, however long the arm took to begin
    long[] firstBlockedNanos = {0};
    run(
        (step, file) -> {
          long nowNanos = System.nanoTime();
          if (!onReopeningThread()) {
            return;
          }
          if (firstSeenNanos[0] == 0) {
            firstSeenNanos[0] = nowNanos;
          }
          if (nowNanos >= firstSeenNanos[0] + 1500 * MILLI) {
            if (firstBlockedNanos[0] == 0) {
              firstBlockedNanos[0] = nowNanos;
            }
            if (nowNanos < firstBlockedNanos[0] + stopNanos) {
              fault(firstBlockedNanos[0] + stopNanos);
            }
          }
        });

    assertEquals(1, faults.size());
    List<Long> latencies = latencyNanos();
    long everyNanos = (long) (1e9 / REOPENS_PER_SECOND);
    for (int later = 0; later < stopNanos / everyNanos; later++) {
      long leastNanos = stopNanos - later * everyNanos;
      assertTrue(
          latencies.get(later) >= leastNanos,
          "the %d. slowest was due %d ms before the end of the stop, and told as %d ms"
              .formatted(later + 1, leastNanos / MILLI, latencies.get(later) / MILLI));
    }
    assertCause(Set.of("file_open", "file_write", "file_delete"));
  }

  /**
   * For each fault there is a slow reopen with most of the fault's time laid to its cause. A fault
   * in which other threads of this JVM did not run either may be laid to that.
   */
  private void assertCause(Set<String> causes) throws Exception {
    List<Double> causeNanos = new ArrayList<>();
    StringBuilder told = new StringBuilder();
    for (String[] cells : lines("slow-reopens.csv")) {
      told.append('\n').append(String.join(",", cells));
      double share =
          Stream.of(cells[10].split(" "))
              .map(part -> part.split("="))
              .filter(part -> causes.contains(part[0]))
              .mapToDouble(part -> Double.parseDouble(part[1]))
              .sum();
      causeNanos.add(share * Long.parseLong(cells[6]));
    }
    causeNanos.sort(Collections.reverseOrder());
    faults.forEach(fault -> told.append("\nbystanders late by ").append(stallNanos(fault)));
    List<Long> lengths =
        lengths(faults.stream().filter(fault -> stallNanos(fault) <= fault.nanos() / 3).toList());
    assertTrue(causeNanos.size() >= lengths.size(), causeNanos + " of " + lengths + told);
    for (int i = 0; i < lengths.size(); i++) {
      assertTrue(causeNanos.get(i) > 0.5 * lengths.get(i), causeNanos + " of " + lengths + told);
    }
  }

  /** For how long another thread of this JVM did not run meanwhile. */
  private long stallNanos(Fault fault) {
    return stalls.longestNanos(fault.fromNanos(), fault.toNanos());
  }

  /** A thread that does nothing but run each millisecond, if the machine lets it. */
  private Thread bystander() {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                long dueNanos = System.nanoTime() + MILLI;
                LockSupport.parkNanos(MILLI);
                long nowNanos = System.nanoTime();
                stalls.add(nowNanos, nowNanos - dueNanos);
              }
            });
  }

  private void fault(long untilNanos) {
    long beganNanos = System.nanoTime();
    for (long now = beganNanos; now < untilNanos; now = System.nanoTime()) {
      LockSupport.parkNanos(untilNanos - now);
    }
    faults.add(new Fault(beganNanos, System.nanoTime()));
  }

  private static boolean onReopeningThread() {
    return Thread.currentThread().getName().startsWith(REOPENING);
  }

  private Part run(SteppedFileSystem.Hook hook) throws Exception {
    arm.set(ArmSetting.MERGE, MergeWorkload.NONE);
    arm.set(ArmSetting.REOPENS_PER_SECOND, LoadRate.steady(REOPENS_PER_SECOND));
    arm.set(ArmSetting.SEARCHES_PER_SECOND, LoadRate.NONE);
    arm.set(ArmSetting.FULL_FLUSH_WAIT, Optional.of(Duration.ZERO));
    arm.set(ArmSetting.WARMUP, Duration.ofMillis(500));
    arm.set(ArmSetting.BEFORE, Duration.ofMillis(500));
    arm.set(ArmSetting.DURING, Duration.ofSeconds(4));
    arm.set(ArmSetting.AFTER, Duration.ofMillis(100));
    Path index = SmallIndex.build(temp.resolve("index"), DOCUMENTS);
    List<Thread> bystanders = Stream.generate(this::bystander).limit(BYSTANDERS).toList();
    try {
      return new LuceneArm(
              new LuceneArm.Setup(
                  new ArmRun.Setup(
                      "arm",
                      1,
                      arm.settings(),
                      SmallIndex.documents(DOCUMENTS),
                      DOCUMENTS,
                      SmallIndex.queries(index, temp.resolve("queries.txt")),
                      temp,
                      Duration.ofMillis(45),
                      new ArmRun.Outputs(
                          temp.resolve("reopens.csv"),
                          temp.resolve("series.csv"),
                          temp.resolve("slow-reopens.csv"),
                          temp.resolve("slow-reopens.txt"),
                          temp.resolve("gc.csv"),
                          temp.resolve("flight-records"))),
                  SteppedFileSystem.of(index, hook),
                  false,
                  false),
              NanoClock.SYSTEM,
              (stage, fraction, detail) -> {},
              ArmObserver.NONE)
          .run();
    } finally {
      bystanders.forEach(Thread::interrupt);
    }
  }

  /** Of each reopen from its real start, the longest first. */
  private List<Long> tookNanos() throws Exception {
    return longestFirst(4);
  }

  /** Of each reopen from when it was due, the longest first. */
  private List<Long> latencyNanos() throws Exception {
    return longestFirst(3);
  }

  private List<Long> longestFirst(int fromColumn) throws Exception {
    return longestFirst(
        lines("reopens.csv").stream()
            .map(cells -> Long.parseLong(cells[6]) - Long.parseLong(cells[fromColumn]))
            .toList());
  }

  private static List<Long> lengths(List<Fault> of) {
    return longestFirst(of.stream().map(Fault::nanos).toList());
  }

  private static List<Long> longestFirst(List<Long> nanos) {
    return nanos.stream().sorted(Collections.reverseOrder()).toList();
  }

  private List<String[]> lines(String file) throws Exception {
    try (Stream<String> lines = Files.lines(temp.resolve(file))) {
      return lines.skip(1).map(line -> line.split(",", -1)).toList();
    }
  }
}
