package io.weir.nrt;

/**
 * Told of the readers that a {@link DeferredClose} lets go of.
 *
 * <p><b>Threads:</b> called on the thread that released, with no lock held. <b>Failure:</b> what it
 * throws is caught and logged the first time.
 */
public interface DeferredCloseListener {

  /**
   * A reference was released; if it was the last one, its files were closed.
   *
   * @param inline whether on the thread that handed it over, because there was no room
   */
  default void released(long releaseNanos, boolean inline) {}

  /** The release of a reference threw; the reference is given up. */
  default void releaseFailed(Throwable failure) {}
}
