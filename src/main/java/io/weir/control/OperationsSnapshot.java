package io.weir.control;

import io.weir.rate.Rate;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What an {@link OperationsCap} sees and does now.
 *
 * @param device the name of the disk
 * @param scope whose operations are counted
 * @param limitPerSecond the cap, in operations per second
 * @param measuredPerSecond operations per second over the last ten seconds, reads and writes; empty
 *     when unknown
 * @param rate what merges may use
 * @param ceiling the highest rate
 * @param reason why the rate is what it is
 */
public record OperationsSnapshot(
    String device,
    OperationsScope scope,
    long limitPerSecond,
    OptionalDouble measuredPerSecond,
    Rate rate,
    Rate ceiling,
    OperationsReason reason) {

  /** One sentence with the figures. */
  public String describe() {
    String measured =
        measuredPerSecond.isPresent()
            ? String.format(Locale.ROOT, "%.0f", measuredPerSecond.getAsDouble())
            : "an unknown number";
    String merges =
        rate.isLimited() ? Figures.megabytes(rate.bytesPerSecond()) + " MB/s" : rate.toString();
    return String.format(
        Locale.ROOT,
        "%s of at most %d operations/s on %s (%s); merges: %s (%s)",
        measured,
        limitPerSecond,
        device,
        scope.text(),
        merges,
        reason.text());
  }
}
