package io.weir.stress.queries;

import io.weir.stress.index.IndexSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Draws search terms from an index, each as likely as it is common: a term in twice as many
 * documents is drawn twice as often, as people search for words they know.
 */
public final class SearchTerms {

  private SearchTerms() {}

  /**
   * {@code count} terms of the body, with repeats; empty when the index has no body, or when it was
   * stopped. The same segments and seed give the same terms.
   */
  static List<String> drawBySegment(
      IndexReader reader, int count, long seed, BooleanSupplier stopped) throws IOException {
    return draw(bodies(reader), count, seed, stopped);
  }

  /** Likewise, but the same documents and seed give the same terms, whatever the segments are. */
  static List<String> drawByDocuments(
      IndexReader reader, int count, long seed, BooleanSupplier stopped) throws IOException {
    Terms terms = MultiTerms.getTerms(reader, IndexSchema.BODY);
    return draw(terms == null ? List.of() : List.of(terms), count, seed, stopped);
  }

  /**
   * Reads what drawing reads, the dictionary of the body from end to end, and keeps nothing: so
   * each arm begins with it as warm, be the queries drawn in this run or given; unless the page
   * cache is to be cold, which it is made after this.
   */
  public static void readDictionary(Path index) throws IOException {
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      readDictionary(reader);
    }
  }

  /** Returns in how many documents its terms are, added over terms. */
  static long readDictionary(IndexReader reader) throws IOException {
    long documents = 0;
    for (Terms terms : bodies(reader)) {
      TermsEnum walk = terms.iterator();
      while (walk.next() != null) {
        documents += walk.docFreq();
      }
    }
    return documents;
  }

  /**
   * The {@code count} terms of the body that occur in the most documents, shuffled by the seed;
   * fewer when there are not so many, none when it was stopped. Of equally heavy ones those that
   * come first in the alphabet.
   */
  static List<String> heaviest(IndexReader reader, int count, long seed, BooleanSupplier stopped)
      throws IOException {
    record Heavy(String term, long documents) {}
    Comparator<Heavy> byWeight =
        Comparator.comparingLong(Heavy::documents)
            .thenComparing(Comparator.comparing(Heavy::term).reversed());
    PriorityQueue<Heavy> heaviest = new PriorityQueue<>(byWeight);
    Terms terms = MultiTerms.getTerms(reader, IndexSchema.BODY);
    if (terms == null) {
      return List.of();
    }
    TermsEnum walk = terms.iterator();
    for (BytesRef term = walk.next(); term != null; term = walk.next()) {
      if (stopped.getAsBoolean()) {
        return List.of();
      }
      if (heaviest.size() < count || walk.docFreq() > heaviest.element().documents()) {
        heaviest.add(new Heavy(term.utf8ToString(), walk.docFreq()));
        if (heaviest.size() > count) {
          heaviest.remove();
        }
      }
    }
    List<String> drawn =
        new ArrayList<>(heaviest.stream().sorted(byWeight).map(Heavy::term).toList());
    Collections.shuffle(drawn, new Random(seed));
    return drawn;
  }

  /**
   * One half of the words of a document, for {@code count} documents that are drawn at random.
   * Fewer when documents have no text, none when it was stopped.
   */
  static List<List<String>> halves(
      IndexReader reader, int count, long seed, BooleanSupplier stopped) throws IOException {
    Random random = new Random(seed);
    StoredFields stored = reader.storedFields();
    List<List<String>> drawn = new ArrayList<>();
    try (Analyzer analyzer = IndexSchema.analyzer()) {
      for (int i = 0; i < count && reader.maxDoc() > 0; i++) {
        if (stopped.getAsBoolean()) {
          return List.of();
        }
        Optional<String> text =
            Optional.ofNullable(
                stored.document(random.nextInt(reader.maxDoc())).get(IndexSchema.BODY));
        List<String> words = words(analyzer, text.orElse(""));
        Collections.shuffle(words, random);
        if (!words.isEmpty()) {
          drawn.add(List.copyOf(words.subList(0, (words.size() + 1) / 2)));
        }
      }
    }
    return drawn;
  }

  private static List<String> words(Analyzer analyzer, String text) throws IOException {
    List<String> words = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream(IndexSchema.BODY, text)) {
      CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        words.add(word.toString());
      }
      tokens.end();
    }
    return words;
  }

  private static List<Terms> bodies(IndexReader reader) throws IOException {
    List<Terms> bodies = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(IndexSchema.BODY);
      if (terms != null) {
        bodies.add(terms);
      }
    }
    return bodies;
  }

  private static List<String> draw(
      List<Terms> bodies, int count, long seed, BooleanSupplier stopped) throws IOException {
    long total = 0;
    for (Terms terms : bodies) {
      total += terms.getSumDocFreq();
    }
    List<String> drawn = new ArrayList<>();
    if (total == 0) {
      return drawn;
    }
    // One pass over the dictionary counts, picking where it crosses each of the sorted marks.
    long[] marks = new SplittableRandom(seed).longs(count, 0, total).sorted().toArray();
    int next = 0;
    long passed = 0;
    for (Terms terms : bodies) {
      TermsEnum walk = terms.iterator();
      for (BytesRef term = walk.next(); term != null && next < count; term = walk.next()) {
        if (stopped.getAsBoolean()) {
          return List.of();
        }
        passed += walk.docFreq();
        while (next < count && marks[next] < passed) {
          drawn.add(term.utf8ToString());
          next++;
        }
      }
    }
    Collections.shuffle(drawn, new Random(seed));
    return drawn;
  }
}
