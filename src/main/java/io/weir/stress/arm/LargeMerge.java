package io.weir.stress.arm;

import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The large merge in the middle of an arm, on a thread of its own, so that the arm can end while it
 * runs.
 *
 * <p><b>Threads:</b> {@link #run} and {@link #awaitEnd} from the arm's main thread.
 */
public final class LargeMerge {

  /** Merges the index of an arm. */
  @FunctionalInterface
  public interface Merger {

    /** Returns when the merge is over. */
    void merge() throws Exception;
  }

  private static final Duration LOOK_FOR_END_EVERY = Duration.ofMillis(20);

  private final ArmSettings settings;
  private final Timeline timeline;
  private volatile Optional<Throwable> failure = Optional.empty();
  private Optional<Thread> thread = Optional.empty();

  /** Of an arm with these settings. */
  public LargeMerge(ArmSettings settings, Timeline timeline) {
    this.settings = settings;
    this.timeline = timeline;
  }

  /**
   * Merges, or lets the same time pass with {@code merge=none}.
   *
   * @param merger not called with {@code merge=none}
   * @param startNanos now
   * @return false when the arm ended first, with the merge perhaps still running, or the merge
   *     failed; the arm ends when the merge has run for {@link ArmSetting#MERGE_TIMEOUT}
   */
  public boolean run(Merger merger, long startNanos) throws InterruptedException {
    if (settings.get(ArmSetting.MERGE) == MergeWorkload.NONE) {
      return timeline.awaitDue(startNanos + settings.get(ArmSetting.DURING).toNanos());
    }
    Thread merging = Thread.ofPlatform().name("weir-large-merge").start(() -> merge(merger));
    thread = Optional.of(merging);
    Optional<Duration> timeout = settings.get(ArmSetting.MERGE_TIMEOUT);
    while (!merging.join(LOOK_FOR_END_EVERY)) {
      long nowNanos = timeline.nowNanos();
      if (timeout.isPresent() && nowNanos - startNanos >= timeout.get().toNanos()) {
        timeline.endAt(nowNanos);
      }
      if (timeline.ended()) {
        return false;
      }
    }
    return failure.isEmpty();
  }

  /** Waits for a merge that still runs; the caller has made the merger return. */
  public void awaitEnd() throws InterruptedException {
    if (thread.isPresent()) {
      thread.get().join();
    }
  }

  /** Throws what ended the merge, if anything did. */
  public void throwFailure() throws IOException {
    if (failure.isPresent()) {
      throw new IOException("the large merge failed: " + failure.get(), failure.get());
    }
  }

  private void merge(Merger merger) {
    try {
      merger.merge();
    } catch (Throwable t) {
      failure = Optional.of(t);
      timeline.endAt(timeline.nowNanos());
    }
  }
}
