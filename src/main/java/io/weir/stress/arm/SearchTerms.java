package io.weir.stress.arm;

import io.weir.stress.index.IndexSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * Draws search terms from an index, each as likely as it is common: a term in twice as many
 * documents is drawn twice as often, as people search for words they know.
 *
 * <p>The same index and seed give the same terms, so every arm searches for the same.
 */
final class SearchTerms {

  private SearchTerms() {}

  /** {@code count} terms of the body, with repeats; empty when the index has no body. */
  static List<Term> draw(IndexReader reader, int count, long seed) throws IOException {
    long total = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(IndexSchema.BODY);
      total += terms == null ? 0 : terms.getSumDocFreq();
    }
    List<Term> drawn = new ArrayList<>();
    if (total == 0) {
      return drawn;
    }
    // One pass over all postings counts, picking where it crosses each of the sorted random marks.
    long[] marks = new SplittableRandom(seed).longs(count, 0, total).sorted().toArray();
    int next = 0;
    long passed = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(IndexSchema.BODY);
      if (terms == null) {
        continue;
      }
      TermsEnum walk = terms.iterator();
      for (BytesRef term = walk.next(); term != null && next < count; term = walk.next()) {
        passed += walk.docFreq();
        while (next < count && marks[next] < passed) {
          drawn.add(new Term(IndexSchema.BODY, BytesRef.deepCopyOf(term)));
          next++;
        }
      }
    }
    Collections.shuffle(drawn, new Random(seed));
    return drawn;
  }
}
