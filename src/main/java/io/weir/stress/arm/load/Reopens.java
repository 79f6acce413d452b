package io.weir.stress.arm.load;

import io.weir.nrt.ReopenPhase;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reopens of an arm, with a line about each.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes the lines.
 */
public final class Reopens implements OpenLoop.Operation, Closeable {

  public static final String[] COLUMNS = {
    "arm",
    "round",
    "phase",
    "intended_nanos",
    "started_nanos",
    "visible_nanos",
    "finished_nanos",
    "result",
    "flush_nanos",
    "apply_deletes_nanos",
    "open_readers_nanos",
    "merge_wait_nanos",
    "warm_nanos",
    "release_nanos"
  };

  /** Makes visible what was written before. */
  @FunctionalInterface
  public interface Refresher {

    /**
     * Does so.
     *
     * @param reopen is told what can be seen of it
     */
    void refresh(Reopen reopen) throws Exception;
  }

  /** One of them. <b>Threads:</b> that of the reopens. */
  public static final class Reopen {

    private final long dueNanos;
    private final OptionalLong startedNanos;
    private final Map<ReopenPhase, Long> phaseNanos = new EnumMap<>(ReopenPhase.class);
    private OptionalLong visibleNanos = OptionalLong.empty();

    Reopen(long dueNanos, OptionalLong startedNanos) {
      this.dueNanos = dueNanos;
      this.startedNanos = startedNanos;
    }

    /** When it was due. */
    public long dueNanos() {
      return dueNanos;
    }

    /** When it began. */
    public long startedNanos() {
      return startedNanos.orElseThrow();
    }

    /** Something has become visible; without this, nothing had changed. */
    public void visible(long nanos) {
      visibleNanos = OptionalLong.of(nanos);
    }

    /** How long a part of it took. */
    public void took(ReopenPhase part, long nanos) {
      phaseNanos.put(part, nanos);
    }

    private Optional<Long> nanos(ReopenPhase part) {
      return Optional.ofNullable(phaseNanos.get(part));
    }
  }

  private final Refresher refresher;
  private final Timeline timeline;
  private final Visibility visibility;
  private final ArmCsv lines;

  /**
   * Reopens that have not begun.
   *
   * @param visibility of the writes of the same load
   * @param lines with {@link #COLUMNS}
   */
  public Reopens(Refresher refresher, Timeline timeline, Visibility visibility, ArmCsv lines) {
    this.refresher = refresher;
    this.timeline = timeline;
    this.visibility = visibility;
    this.lines = lines;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws Exception {
    Reopen reopen = new Reopen(dueNanos, OptionalLong.of(startedNanos));
    String result = "failed";
    try {
      refresher.refresh(reopen);
      result = reopen.visibleNanos.isPresent() ? "changed" : "unchanged";
      visibility.reopened(
          dueNanos,
          startedNanos + reopen.nanos(ReopenPhase.LOCK_WAIT).orElse(0L),
          reopen.visibleNanos.orElseGet(timeline::nowNanos));
    } finally {
      line(reopen, timeline.nowNanos(), result);
    }
  }

  @Override
  public void abandoned(long dueNanos, long givenUpNanos) throws IOException {
    line(new Reopen(dueNanos, OptionalLong.empty()), givenUpNanos, "abandoned");
    visibility.reopened(dueNanos, givenUpNanos, givenUpNanos);
  }

  private void line(Reopen reopen, long finishedNanos, String result) throws IOException {
    lines.line(
        timeline.phaseOf(reopen.dueNanos).label(),
        reopen.dueNanos,
        reopen.startedNanos,
        reopen.visibleNanos,
        finishedNanos,
        result,
        reopen.nanos(ReopenPhase.FLUSH),
        reopen.nanos(ReopenPhase.APPLY_DELETES),
        reopen.nanos(ReopenPhase.OPEN_READERS),
        reopen.nanos(ReopenPhase.MERGE_WAIT),
        reopen.nanos(ReopenPhase.WARM),
        reopen.nanos(ReopenPhase.RELEASE));
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
