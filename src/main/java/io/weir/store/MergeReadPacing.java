package io.weir.store;

import java.io.IOException;
import java.util.Objects;

/**
 * Whom to ask before a thread reads on to verify the input of a merge. A merge scheduler sets it
 * for the time of the merge; a {@link MergeReadsDirectory} asks.
 *
 * <p><b>Threads:</b> each has its own.
 */
public final class MergeReadPacing {

  /** May hold up a merge that reads, or end it. */
  @FunctionalInterface
  public interface Pacer {

    /**
     * Returns when the calling thread, which is that of the merge, may read on: some hundred KiB.
     *
     * @throws IOException when the merge is to end
     */
    void beforeRead() throws IOException;
  }

  private static final ThreadLocal<Pacer> CURRENT = new ThreadLocal<>();

  private MergeReadPacing() {}

  /** The calling thread merges from now on. */
  public static void begin(Pacer pacer) {
    CURRENT.set(Objects.requireNonNull(pacer, "pacer"));
  }

  /** It does not any more. */
  public static void end() {
    CURRENT.remove();
  }

  /** Null when the calling thread does not merge. */
  static Pacer current() {
    return CURRENT.get();
  }
}
