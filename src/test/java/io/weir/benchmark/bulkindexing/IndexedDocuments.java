package io.weir.benchmark.bulkindexing;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.IndexSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.Term;

/**
 * What a run indexes, made beforehand, so that no figure contains it: a key, title and body as
 * stored text with positions, a date as a point and as doc values.
 *
 * <p><b>Threads:</b> any, but a block is indexed by one thread at a time.
 */
final class IndexedDocuments {

  private static final long SEED = 1;

  private final List<List<Document>> blocks = new ArrayList<>();
  private final List<List<Term>> replaced = new ArrayList<>();
  private int live;

  /**
   * Makes them.
   *
   * @param blockSize documents of a block
   * @param updating whether an eighth of each block but the first two replaces documents of the
   *     block two before
   */
  IndexedDocuments(int blockCount, int blockSize, boolean updating) throws IOException {
    try (DocumentReader reader =
        DocumentSources.parse("synthetic:" + (long) blockCount * blockSize, SEED)
            .open(new ReadProblems())) {
      for (int b = 0; b < blockCount; b++) {
        List<Document> block = new ArrayList<>();
        List<Term> terms = new ArrayList<>();
        for (int i = 0; i < blockSize; i++) {
          boolean replaces = updating && b > 1 && i % 8 == 1;
          long number = replaces ? (b - 2L) * blockSize + i - 1 : (long) b * blockSize + i;
          String key = DocumentKeys.of(number, SEED);
          CorpusDocument text = reader.next();
          block.add(IndexSchema.document(key, text, Optional.empty()));
          if (replaces) {
            terms.add(IndexSchema.keyTerm(key));
          } else {
            live++;
          }
        }
        blocks.add(List.copyOf(block));
        replaced.add(List.copyOf(terms));
      }
    }
  }

  int blockSize() {
    return blocks.getFirst().size();
  }

  List<Document> block(int index) {
    return blocks.get(index);
  }

  /** The keys of documents that are there no more when the block is indexed. */
  List<Term> replacedBy(int index) {
    return replaced.get(index);
  }

  /** How many there are when all blocks are indexed. */
  int live() {
    return live;
  }
}
