package io.weir;

import io.weir.lucene.LuceneGaps;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;

/**
 * Logs once per process what Weir does without on this version of Lucene.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> no method throws.
 */
final class LuceneNote {

  private static final OnceLog LOG = new OnceLog(LuceneNote.class);

  private LuceneNote() {}

  /** Logs the note at the first call, if there is anything to say. */
  static void log() {
    text(LuceneGaps.version(), LuceneGaps.all()).ifPresent(text -> LOG.log(Level.INFO, text));
  }

  /** Empty if there are no gaps. */
  static Optional<String> text(String version, List<String> gaps) {
    return gaps.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Lucene " + version + " lacks methods that Weir uses: " + String.join("; ", gaps));
  }
}
