package io.weir.load.result;

import java.util.Optional;

/**
 * Where a server saturates, as one search for it found: between the most that it bore and the least
 * that it did not bear.
 *
 * <p><b>Units:</b> requests per second.
 *
 * @param kept empty when it bore no load that was tried
 * @param failed empty when it bore every load that was tried, or the client was full before
 */
public record Saturation(Optional<Double> kept, Optional<Double> failed) {

  /** Nothing is known. */
  public static final Saturation UNKNOWN = new Saturation(Optional.empty(), Optional.empty());

  /** The geometric middle, if both ends are known. */
  public Optional<Double> estimate() {
    return kept.flatMap(least -> failed.map(most -> Math.sqrt(least * most)));
  }
}
