package io.weir.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/**
 * A disk that serves one request at a time in the order of arrival, with seeks; reopens that read
 * from it, a merge that writes to it at a rate, other load; and a {@link GoalPolicy} that sets the
 * rate every 250 ms. Time is simulated, so a minute takes milliseconds.
 *
 * <p>A reopen begins every {@link #reopenGapSeconds}, or when the one before has ended; its latency
 * counts from when it was due. It reads one block after the other. The merge writes pieces of 1
 * MiB, each followed by a read, with up to {@link #mergeDepth} in the queue of the disk. The others
 * read at random times.
 */
final class SimulatedDisk {

  static final double TICK_SECONDS = 0.25;

  private static final double PIECE_BYTES = 1 << 20;

  /** The state after a tick. */
  record Tick(double seconds, GoalDecision decision, double usedBytesPerSecond) {}

  /** A reopen that ended. */
  record Reopen(double dueSeconds, double latencySeconds) {}

  private record Event(double at, long order, Runnable action) {}

  // The world; change before run.
  double bandwidth = 100e6;
  DoubleUnaryOperator seekSeconds = t -> 0.006;
  double reopenGapSeconds = 0.25;
  DoubleUnaryOperator readsOfReopen = t -> 4;
  DoubleUnaryOperator othersPerSecond = t -> 0;
  DoubleUnaryOperator mergeDemand = t -> Double.MAX_VALUE; // bytes per second
  DoubleUnaryOperator keepUp = t -> 0;
  DoubleUnaryOperator reopensRun = t -> 1; // 0: none
  DoubleUnaryOperator pauseShare = t -> 0; // of reopens that take 2 limits longer in any case
  int mergeDepth = 2;
  double ceiling = Double.MAX_VALUE;
  boolean controlled = true;

  final List<Tick> ticks = new ArrayList<>();
  final List<Reopen> reopens = new ArrayList<>();
  double mergedBytes;

  private final Random random;
  private final LatencyTarget target;
  private final GoalPolicy policy;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::order));
  private final List<Double> ended = new ArrayList<>(); // latencies in the tick
  private final List<Double> former = new ArrayList<>(); // of those that began before
  private final Deque<Double> due = new ArrayDeque<>();
  private double now;
  private long order;
  private double freeAt;
  private double rate;
  private double tokensAt; // when the next piece may be written
  private int inQueue;
  private boolean mergeWaits;
  private boolean waitedInTick;
  private double bytesInTick;
  private double runningDue = -1;

  SimulatedDisk(long seed, LatencyTarget target, GoalOptions options) {
    this.random = new Random(seed);
    this.target = target;
    this.policy = new GoalPolicy(options, 0);
    policy.add(target);
    rate = options.startBytesPerSecond();
  }

  SimulatedDisk run(double seconds) {
    if (!controlled) {
      rate = ceiling;
    }
    at(0, this::reopenIsDue);
    at(0, this::otherReads);
    at(0, this::mergeWrites);
    at(TICK_SECONDS, this::tick);
    while (!events.isEmpty() && events.peek().at() <= seconds) {
      Event event = events.poll();
      now = event.at();
      event.action().run();
    }
    return this;
  }

  /** The share of the reopens due in a time that took longer than the limit. */
  double missed(double fromSeconds, double toSeconds) {
    List<Reopen> in = reopens(fromSeconds, toSeconds);
    return in.stream().filter(this::isMissed).count() / (double) in.size();
  }

  /** A percentile of the reopens due in a time, in seconds. */
  double percentile(double fromSeconds, double toSeconds, double share) {
    double[] sorted =
        reopens(fromSeconds, toSeconds).stream()
            .mapToDouble(Reopen::latencySeconds)
            .sorted()
            .toArray();
    return sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
  }

  List<Reopen> reopens(double fromSeconds, double toSeconds) {
    return reopens.stream()
        .filter(r -> r.dueSeconds() >= fromSeconds && r.dueSeconds() < toSeconds)
        .toList();
  }

  boolean isMissed(Reopen reopen) {
    return reopen.latencySeconds() * 1e9 > target.limit().toNanos();
  }

  List<Tick> ticks(double fromSeconds, double toSeconds) {
    return ticks.stream()
        .filter(t -> t.seconds() >= fromSeconds && t.seconds() < toSeconds)
        .toList();
  }

  private void at(double when, Runnable action) {
    events.add(new Event(when, order++, action));
  }

  /** Serves a request and returns when it is done. */
  private double serve(double serviceSeconds) {
    freeAt = Math.max(now, freeAt) + serviceSeconds;
    return freeAt;
  }

  private double seek() {
    return seekSeconds.applyAsDouble(now) * (0.5 + random.nextDouble());
  }

  private void reopenIsDue() {
    at(now + reopenGapSeconds, this::reopenIsDue);
    if (reopensRun.applyAsDouble(now) == 0) {
      return;
    }
    due.add(now);
    if (runningDue < 0) {
      beginReopen();
    }
  }

  private void beginReopen() {
    runningDue = due.remove();
    double mean = readsOfReopen.applyAsDouble(now);
    int reads = 1;
    while (random.nextDouble() < 1 - 1 / Math.max(1, mean) && reads < 4 * mean) {
      reads++;
    }
    read(reads);
  }

  private void read(int reads) {
    if (reads > 0) {
      at(serve(seek()), () -> read(reads - 1));
    } else if (random.nextDouble() < pauseShare.applyAsDouble(now)) {
      at(now + 2 * target.limit().toNanos() / 1e9, this::reopenEnds);
    } else {
      reopenEnds();
    }
  }

  private void reopenEnds() {
    double latency = now - runningDue;
    reopens.add(new Reopen(runningDue, latency));
    if (runningDue * 1e9 >= policy.evidenceSinceNanos()) {
      ended.add(latency);
    } else {
      former.add(latency);
    }
    runningDue = -1;
    if (!due.isEmpty()) {
      beginReopen();
    }
  }

  private void otherReads() {
    double perSecond = othersPerSecond.applyAsDouble(now);
    if (perSecond > 0) {
      if (freeAt < now + 5) { // others give up when the queue is that long
        serve(seek());
      }
      at(now - Math.log(1 - random.nextDouble()) / perSecond, this::otherReads);
    } else {
      at(now + 0.1, this::otherReads);
    }
  }

  private void mergeWrites() {
    double wanted = mergeDemand.applyAsDouble(now);
    if (wanted <= 0) {
      at(now + 0.05, this::mergeWrites);
      return;
    }
    if (inQueue >= mergeDepth) {
      mergeWaits = true;
      return;
    }
    double pace = Math.min(rate, wanted);
    if (tokensAt > now) {
      waitedInTick |= rate < wanted;
      at(Math.min(tokensAt, now + 0.05), this::mergeWrites); // a change of rate acts soon
      return;
    }
    tokensAt = Math.max(tokensAt, now - 0.05) + PIECE_BYTES / pace;
    inQueue++;
    mergedBytes += PIECE_BYTES;
    bytesInTick += PIECE_BYTES;
    double service = 2 * PIECE_BYTES / bandwidth + 2 * seek() * 0.5; // written and read
    at(
        serve(service),
        () -> {
          inQueue--;
          if (mergeWaits) {
            mergeWaits = false;
            mergeWrites();
          }
        });
    mergeWrites();
  }

  private void tick() {
    long nowNanos = Math.round(now * 1e9);
    double since = Math.max(runningDue, policy.evidenceSinceNanos() / 1e9);
    long runningNanos = runningDue < 0 ? 0 : Math.max(0, Math.round((now - since) * 1e9));
    LatencySamples samples =
        Samples.of(
            target.limit().toNanos(),
            runningNanos,
            ended.stream().mapToLong(s -> Math.round(s * 1e9)).toArray(),
            former.stream().mapToLong(s -> Math.round(s * 1e9)).toArray());
    double usedBytes = bytesInTick / TICK_SECONDS;
    GoalDecision decision =
        policy.decide(
            new Sight(
                nowNanos,
                List.of(samples),
                Math.round(usedBytes),
                waitedInTick,
                false,
                Math.round(keepUp.applyAsDouble(now)),
                Math.round(Math.min(ceiling, 16L << 30)),
                false));
    ended.clear();
    former.clear();
    bytesInTick = 0;
    waitedInTick = false;
    if (controlled) {
      double before = rate;
      rate = decision.afterBytesPerSecond();
      if (rate != before) {
        tokensAt = Math.min(tokensAt, now + PIECE_BYTES / rate);
      }
    }
    ticks.add(new Tick(now, decision, usedBytes));
    at(now + TICK_SECONDS, this::tick);
  }
}
