package io.weir.indexing.cell;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Documents in memory, which are given out again and again, so that neither a disk nor a parser
 * holds back those who index.
 *
 * <p><b>Threads:</b> immutable once loaded. <b>Units:</b> bytes are those of UTF-8.
 */
final class MemoryDocuments {

  /**
   * A text and its length.
   *
   * @param number its place in the source, from 0 on
   */
  record Text(long number, CorpusDocument document, int bytes, DocumentVectors vectors) {

    /**
     * This text under a key. Its vector is made now: those of all texts might take more memory than
     * the texts.
     */
    Updater.Update under(String key) throws IOException {
      return new Updater.Update(key, document, vectors.of(number, document));
    }
  }

  private final List<Text> texts;
  private final long textBytes;

  private MemoryDocuments(List<Text> texts, long textBytes) {
    this.texts = List.copyOf(texts);
    this.textBytes = textBytes;
  }

  /**
   * Reads documents from the first on, until they have {@code mostBytes} or there are no more.
   *
   * @param stopped ends the loading early; at least one document is read
   */
  static MemoryDocuments load(
      Documents from, long mostBytes, ReadProblems problems, BooleanSupplier stopped)
      throws IOException {
    List<Text> texts = new ArrayList<>();
    DocumentVectors vectors = DocumentVectors.of(from);
    long bytes = 0;
    try (DocumentReader reader = DocumentSources.parse(from.source(), from.seed()).open(problems)) {
      while (bytes < mostBytes
          && (from.maxDocuments() == 0 || texts.size() < from.maxDocuments())) {
        Optional<CorpusDocument> next = Optional.ofNullable(reader.next());
        if (next.isEmpty() || stopped.getAsBoolean() && !texts.isEmpty()) {
          break;
        }
        Text text = new Text(texts.size(), next.get(), utf8Bytes(next.get()), vectors);
        texts.add(text);
        bytes += text.bytes();
      }
    }
    return new MemoryDocuments(texts, bytes);
  }

  /** The text of document {@code number}, which may be any from 0 on. */
  Text at(long number) {
    return texts.get((int) (number % texts.size()));
  }

  /** How many different texts there are. */
  int count() {
    return texts.size();
  }

  /** Of all of them together. */
  long textBytes() {
    return textBytes;
  }

  private static int utf8Bytes(CorpusDocument document) {
    return document.title().getBytes(StandardCharsets.UTF_8).length
        + document.body().getBytes(StandardCharsets.UTF_8).length;
  }
}
