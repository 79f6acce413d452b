package io.weir.indexing.cell;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
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

  /** A text and its length. */
  record Text(CorpusDocument document, int bytes) {}

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
    long bytes = 0;
    try (DocumentReader reader = DocumentSources.parse(from.source(), from.seed()).open(problems)) {
      while (bytes < mostBytes
          && (from.maxDocuments() == 0 || texts.size() < from.maxDocuments())) {
        Optional<CorpusDocument> next = Optional.ofNullable(reader.next());
        if (next.isEmpty() || stopped.getAsBoolean() && !texts.isEmpty()) {
          break;
        }
        Text text = new Text(next.get(), utf8Bytes(next.get()));
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
