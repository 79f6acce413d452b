package io.weir.stress;

import io.weir.stress.result.DeadlineResult;
import io.weir.stress.result.MergePauses;
import io.weir.stress.result.MergeReadResult;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.MergeWriteback;
import java.util.Optional;

/** The large merge of an arm, as far as a test says; the rest was not measured. */
public final class QuickMerge {

  public String kind = "forced";
  public double seconds = 1;
  public boolean ended = true;
  public Optional<MergeReadResult> reads = Optional.empty();
  public long bytesWritten;
  public Optional<Long> bytesCharged = Optional.empty();
  public Optional<Double> pausedSeconds = Optional.empty();
  public Optional<MergePauses> pauses = Optional.empty();
  public Optional<Long> capLifts = Optional.empty();
  public Optional<Long> bytesForgiven = Optional.empty();
  public Optional<MergeWriteback> writeback = Optional.empty();
  public Optional<DeadlineResult> deadline = Optional.empty();

  /** A merge that wrote so much. */
  public QuickMerge(long bytesWritten) {
    this.bytesWritten = bytesWritten;
  }

  /** The same with Weir in the path, and all of it charged. */
  public QuickMerge charged() {
    bytesCharged = Optional.of(bytesWritten);
    pausedSeconds = Optional.of(0.0);
    return this;
  }

  public MergeResult result() {
    return new MergeResult(
        kind,
        seconds,
        ended,
        reads,
        Optional.of(bytesWritten),
        bytesCharged,
        pausedSeconds,
        pauses,
        capLifts,
        bytesForgiven,
        writeback,
        deadline);
  }
}
