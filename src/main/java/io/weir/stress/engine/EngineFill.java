package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.plan.Documents;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Fills an index of an engine, in bulks. It flushes now and then, so that the large merge finds
 * several segments.
 *
 * <p><b>Threads:</b> one.
 */
final class EngineFill {

  private static final int BULK_BYTES = 2 << 20;

  /** Fewer than a natural merge takes at once, so that none begins before the large merge. */
  private static final int SEGMENTS = 8;

  /** Until it is known how many documents there are, a segment has so many. */
  private static final long SEGMENT_DOCUMENTS = 25_000;

  private final EngineIndex index;
  private final Documents from;
  private final ReadProblems problems;
  private final BooleanSupplier stopped;
  private final LongConsumer progress;

  /**
   * Fills {@code index}, which is empty.
   *
   * @param progress hears how many documents were sent
   */
  EngineFill(
      EngineIndex index,
      Documents from,
      ReadProblems problems,
      LongConsumer progress,
      BooleanSupplier stopped) {
    this.index = index;
    this.progress = progress;
    this.from = from;
    this.problems = problems;
    this.stopped = stopped;
  }

  /** Sends all documents; returns how many, or 0 when it was stopped. */
  long fill() throws IOException, InterruptedException {
    DocumentSource source = DocumentSources.parse(from.source(), from.seed());
    long most = from.maxDocuments() == 0 ? Long.MAX_VALUE : from.maxDocuments();
    long known = Math.min(most, source.documentCount().orElse(Long.MAX_VALUE));
    long perSegment =
        known == Long.MAX_VALUE
            ? SEGMENT_DOCUMENTS
            : Math.max(1, (known + SEGMENTS - 1) / SEGMENTS);
    EngineBulk bulk = index.bulk();
    long sent = 0;
    try (DocumentReader reader = source.open(problems)) {
      for (CorpusDocument text = reader.next(); text != null && sent < most; text = reader.next()) {
        if (stopped.getAsBoolean()) {
          return 0;
        }
        bulk.add(DocumentKeys.of(sent++, from.seed()), text);
        if (bulk.bytes() >= BULK_BYTES || sent % perSegment == 0) {
          bulk.send();
          progress.accept(sent);
        }
        if (sent % perSegment == 0) {
          index.flush();
        }
      }
    }
    if (bulk.bytes() > 0) {
      bulk.send();
    }
    return sent;
  }
}
