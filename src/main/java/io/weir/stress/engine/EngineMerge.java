package io.weir.stress.engine;

import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The large merge in the middle of an arm, asked for on a thread of its own, so that the arm can
 * end while it runs.
 *
 * <p><b>Threads:</b> the arm's main thread.
 */
final class EngineMerge {

  private static final Duration LOOK_FOR_END_EVERY = Duration.ofMillis(20);

  private final EngineIndex index;
  private final ArmSettings settings;
  private final Timeline timeline;
  private volatile Optional<Throwable> failure = Optional.empty();
  private Optional<Thread> thread = Optional.empty();

  EngineMerge(EngineIndex index, ArmSettings settings, Timeline timeline) {
    this.index = index;
    this.settings = settings;
    this.timeline = timeline;
  }

  /**
   * Merges, or lets the same time pass with {@code merge=none}.
   *
   * @return false when the arm ended first, with the merge perhaps still running, or it failed
   */
  boolean run(long startNanos) throws InterruptedException {
    if (settings.get(ArmSetting.MERGE) == MergeWorkload.NONE) {
      return timeline.awaitDue(startNanos + settings.get(ArmSetting.DURING).toNanos());
    }
    Thread merging = Thread.ofPlatform().name("weir-large-merge").start(this::merge);
    thread = Optional.of(merging);
    while (!merging.join(LOOK_FOR_END_EVERY)) {
      if (timeline.ended()) {
        return false;
      }
    }
    return failure.isEmpty();
  }

  /** Waits for the call; the client has been closed. */
  void awaitEnd() throws InterruptedException {
    if (thread.isPresent()) {
      thread.get().join();
    }
  }

  /** Throws what ended the merge, if anything did. */
  void throwFailure() throws IOException {
    if (failure.isPresent()) {
      throw new IOException("the large merge failed: " + failure.get().getMessage(), failure.get());
    }
  }

  private void merge() {
    try {
      index.forceMerge();
    } catch (Throwable t) {
      failure = Optional.of(t);
      timeline.endAt(timeline.nowNanos());
    }
  }
}
