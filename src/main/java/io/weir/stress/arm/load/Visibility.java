package io.weir.stress.arm.load;

import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.run.VisibleParts;
import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.stress.arm.timeline.Timeline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;

/**
 * How long writes take from when they are due until they can be found, and where that time goes.
 * Where one call does a bulk of updates, that is one write.
 *
 * <p>A reopen makes visible all that was answered before it began: so Lucene and each engine
 * promise. What a reopen may have shown by chance, because it was answered while that ran, counts
 * until the next one. A write that had not begun, or a reopen that had not, when the load was given
 * up counts with its wait until then.
 *
 * <p><b>Units:</b> nanoseconds of the timeline. <b>Threads:</b> any for writes, one for reopens.
 */
public final class Visibility {

  /**
   * The most writes that wait for a reopen which hangs. Of more, later ones are left out, which
   * have waited for less time.
   */
  static final int MOST_WAITING = 1_000_000;

  private record Write(long dueNanos, long sentNanos, long answeredNanos) {}

  private final Timeline timeline;
  private final Deque<Write> waiting = new ArrayDeque<>(); // guarded by this, as all below
  private final Map<Phase, LatencyTally> whole = new EnumMap<>(Phase.class);
  private final Map<Phase, PartsTally> parts = new EnumMap<>(Phase.class);

  /** Of a load that has not begun. */
  public Visibility(Timeline timeline) {
    this.timeline = timeline;
    for (Phase phase : Phase.MEASURED) {
      whole.put(phase, new LatencyTally());
      parts.put(phase, new PartsTally());
    }
  }

  /** The same operation, which writes, observed. */
  public OpenLoop.Operation watching(OpenLoop.Operation write) {
    return new OpenLoop.Operation() {
      @Override
      public void run(long dueNanos, long startedNanos) throws Exception {
        write.run(dueNanos, startedNanos);
        answered(new Write(dueNanos, startedNanos, timeline.nowNanos()));
      }

      @Override
      public void abandoned(long dueNanos, long givenUpNanos) throws Exception {
        write.abandoned(dueNanos, givenUpNanos);
        record(dueNanos, givenUpNanos - dueNanos, 0, 0, 0, 0);
      }
    };
  }

  private synchronized void answered(Write write) {
    if (waiting.size() < MOST_WAITING) {
      waiting.addLast(write);
    }
  }

  /**
   * A reopen succeeded.
   *
   * @param begunNanos when it could begin: no earlier one ran any more
   * @param visibleNanos when the new searcher was there, or it was known that there is nothing new
   */
  synchronized void reopened(long dueNanos, long begunNanos, long visibleNanos) {
    for (Iterator<Write> writes = waiting.iterator(); writes.hasNext(); ) {
      Write write = writes.next();
      if (write.answeredNanos() >= begunNanos) {
        continue; // of several threads, a later one may stand before an earlier one
      }
      writes.remove();
      long nextNanos = Math.max(dueNanos, write.answeredNanos());
      record(
          write.dueNanos(),
          write.sentNanos() - write.dueNanos(),
          write.answeredNanos() - write.sentNanos(),
          nextNanos - write.answeredNanos(),
          begunNanos - nextNanos,
          visibleNanos - begunNanos);
    }
  }

  private synchronized void record(long dueNanos, long... partNanos) {
    Phase phase = timeline.phaseOf(dueNanos);
    if (phase == Phase.WARMUP) {
      return;
    }
    long total = 0;
    for (long nanos : partNanos) {
      total += nanos;
    }
    whole.get(phase).record(total);
    parts.get(phase).record(total, partNanos);
  }

  /** Of all that became visible, by the phase in which it was due. */
  public synchronized Values values() {
    Values.Builder values = Values.builder();
    for (Phase phase : Phase.MEASURED) {
      PartsTally tally = parts.get(phase);
      if (tally.count() > 0) {
        values.put(ArmFigures.VISIBLE, phase, whole.get(phase).summary());
        values.put(ArmFigures.VISIBLE_PARTS, phase, tally.slowest(1));
        values.put(ArmFigures.VISIBLE_SLOWEST, phase, tally.slowest(ArmFigures.SLOWEST_SHARE));
      }
    }
    return values.build();
  }

  /**
   * The sums of the parts, kept apart by how long the whole took, in steps of an eighth of an
   * octave. So the means of the slowest are known without each write, and the means of all exactly.
   */
  private static final class PartsTally {

    private static final int PARTS = 5;
    private static final int STEPS_PER_OCTAVE = 8;
    private static final int STEPS = Long.SIZE * STEPS_PER_OCTAVE;

    private final long[] counts = new long[STEPS];
    private final double[][] sums = new double[STEPS][PARTS];

    void record(long totalNanos, long[] partNanos) {
      int step = step(totalNanos);
      counts[step]++;
      for (int part = 0; part < PARTS; part++) {
        sums[step][part] += partNanos[part];
      }
    }

    private static int step(long nanos) {
      return (int) (STEPS_PER_OCTAVE * Math.log(Math.max(1, nanos)) / Math.log(2));
    }

    long count() {
      long count = 0;
      for (long some : counts) {
        count += some;
      }
      return count;
    }

    /**
     * The means over this share of all, the slowest; of the step at its edge as much as it takes.
     */
    VisibleParts slowest(double share) {
      double wanted = Math.max(1, share * count());
      double left = wanted;
      double[] sum = new double[PARTS];
      for (int step = STEPS - 1; step >= 0 && left > 0; step--) {
        if (counts[step] > 0) {
          double taken = Math.min(left, counts[step]);
          for (int part = 0; part < PARTS; part++) {
            sum[part] += sums[step][part] * taken / counts[step];
          }
          left -= taken;
        }
      }
      return new VisibleParts(
          millis(sum[0] / wanted),
          millis(sum[1] / wanted),
          millis(sum[2] / wanted),
          millis(sum[3] / wanted),
          millis(sum[4] / wanted));
    }

    private static double millis(double nanos) {
      return Math.round(nanos / 1e3) / 1e3;
    }
  }
}
