package io.weir.nrt;

import java.util.Objects;
import java.util.Optional;

/**
 * How a {@link ReopenMonitor} works.
 *
 * @param oldReaders who closes the readers that a reopen leaves behind
 * @param sharedClose with {@link OldReaders#DEFERRED}, the {@link DeferredClose} to use, which the
 *     monitor does not close; empty means one of its own
 * @param phases set up with the writer and the manager, for the phases of a reopen; empty means
 *     that only those are told which the monitor sees by itself
 * @param recent how many of the last reopens are kept in full: from 0 to 65536
 */
public record ReopenOptions(
    OldReaders oldReaders,
    Optional<DeferredClose> sharedClose,
    Optional<ReopenPhases> phases,
    int recent) {

  /** The most reopens that can be kept. */
  public static final int MAX_RECENT = 65_536;

  /** Who closes old readers. */
  public enum OldReaders {
    /** Another thread: see {@link DeferredClose}. */
    DEFERRED,
    /** The thread that reopens, as in Lucene. */
    INLINE
  }

  /** Refuses values out of range. */
  public ReopenOptions {
    Objects.requireNonNull(oldReaders, "oldReaders");
    Objects.requireNonNull(phases, "phases");
    if (sharedClose.isPresent() && oldReaders == OldReaders.INLINE) {
      throw new IllegalArgumentException("sharedClose must be empty if oldReaders is INLINE");
    }
    if (recent < 0 || recent > MAX_RECENT) {
      throw new IllegalArgumentException(
          "recent must be from 0 to " + MAX_RECENT + " reopens: " + recent);
    }
  }

  /** Deferred close on a thread of its own, no phases, the last 256 reopens. */
  public static ReopenOptions defaults() {
    return new ReopenOptions(OldReaders.DEFERRED, Optional.empty(), Optional.empty(), 256);
  }

  /** These, with old readers closed by the thread that reopens. */
  public ReopenOptions withInlineClose() {
    return new ReopenOptions(OldReaders.INLINE, Optional.empty(), phases, recent);
  }

  /** These, with old readers closed by {@code close}, which others may use as well. */
  public ReopenOptions withDeferredClose(DeferredClose close) {
    return new ReopenOptions(OldReaders.DEFERRED, Optional.of(close), phases, recent);
  }

  /** These, with the phases of a reopen. */
  public ReopenOptions withPhases(ReopenPhases newPhases) {
    return new ReopenOptions(oldReaders, sharedClose, Optional.of(newPhases), recent);
  }

  /** These, with another number of reopens kept. */
  public ReopenOptions withRecent(int newRecent) {
    return new ReopenOptions(oldReaders, sharedClose, phases, newRecent);
  }
}
