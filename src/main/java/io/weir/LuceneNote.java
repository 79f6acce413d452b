package io.weir;

import io.weir.lucene.LuceneGaps;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Logs once per process what Weir does without on this version of Lucene.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> no method throws.
 */
final class LuceneNote {

  private static final AtomicBoolean LOGGED = new AtomicBoolean();

  private LuceneNote() {}

  /** Logs the note at the first call, if there is anything to say. */
  static void log() {
    if (LOGGED.compareAndSet(false, true)) {
      text(LuceneGaps.version(), LuceneGaps.all()).ifPresent(LuceneNote::log);
    }
  }

  /** Empty if there are no gaps. */
  static Optional<String> text(String version, List<String> gaps) {
    return gaps.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Lucene " + version + " lacks methods that Weir uses: " + String.join("; ", gaps));
  }

  private static void log(String text) {
    try {
      System.getLogger(LuceneNote.class.getPackageName()).log(Level.INFO, text);
    } catch (RuntimeException | LinkageError unheard) {
      // A failing log must not affect the application.
    }
  }
}
