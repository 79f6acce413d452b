package io.weir.nrt;

import java.util.Objects;
import java.util.Optional;

/**
 * How a {@link ReopenMonitor} works.
 *
 * @param phases set up with the writer and the manager, for the phases of a reopen; empty means
 *     that only those are told which the monitor sees by itself
 * @param recent how many of the last reopens are kept in full: from 0 to 65536
 */
public record ReopenOptions(Optional<ReopenPhases> phases, int recent) {

  /** The most reopens that can be kept. */
  public static final int MAX_RECENT = 65_536;

  /** Refuses values out of range. */
  public ReopenOptions {
    Objects.requireNonNull(phases, "phases");
    if (recent < 0 || recent > MAX_RECENT) {
      throw new IllegalArgumentException(
          "recent must be from 0 to " + MAX_RECENT + " reopens: " + recent);
    }
  }

  /** No phases, the last 256 reopens. */
  public static ReopenOptions defaults() {
    return new ReopenOptions(Optional.empty(), 256);
  }

  /** These, with the phases of a reopen. */
  public ReopenOptions withPhases(ReopenPhases newPhases) {
    return new ReopenOptions(Optional.of(newPhases), recent);
  }

  /** These, with another number of reopens kept. */
  public ReopenOptions withRecent(int newRecent) {
    return new ReopenOptions(phases, newRecent);
  }
}
