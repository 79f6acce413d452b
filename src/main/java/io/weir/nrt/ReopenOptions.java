package io.weir.nrt;

import java.util.Objects;
import java.util.Optional;

/**
 * The settings of a {@link ReopenMonitor}.
 *
 * @param phases set up with the writer and the manager, to time the phases of a reopen; if empty,
 *     only those are known that the monitor sees itself
 * @param recent number of last reopens to keep in full: from 0 to 65536
 */
public record ReopenOptions(Optional<ReopenPhases> phases, int recent) {

  /** The maximum number of reopens to keep. */
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

  /** These options, with the phases of a reopen. */
  public ReopenOptions withPhases(ReopenPhases phases) {
    return new ReopenOptions(Optional.of(Objects.requireNonNull(phases, "phases")), recent);
  }

  /** These options, with another number of reopens to keep. */
  public ReopenOptions withRecent(int newRecent) {
    return new ReopenOptions(phases, newRecent);
  }
}
