package io.weir.stress.index;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.SplitMix64;
import io.weir.corpus.VectorFile;
import io.weir.stress.plan.Documents;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.codecs.KnnVectorsFormat;

/**
 * The vector of each document and of each query: of length 1, and near to another one that means
 * about the same.
 *
 * <p>A vector is made from the words of a text, as the index has them. Each word has a random
 * direction, by the seed, and a weight with a heavy tail. The vector is the weighted sum of the
 * directions. So a text is mostly about its few heaviest words, and the texts about one word form a
 * cluster, as embeddings do. Short words and numbers, which occur everywhere or nowhere else, weigh
 * little. The same text and seed give the same vector on every JVM.
 *
 * <p>Or the vectors are those of a {@link VectorFile}: document n has the n-th, and documents after
 * the last vector have none. A query is then near a vector of the file that its words choose.
 *
 * <p><b>Threads:</b> any; immutable.
 */
public final class DocumentVectors {

  /** The most that Lucene's format takes. */
  private static final int MOST_DIMS = KnnVectorsFormat.DEFAULT_MAX_DIMENSIONS;

  /** More words than these hardly turn the vector: their weights are a few percent of all. */
  private static final int MOST_WORDS = 32;

  /** Added to a number from 0 to 1, of which the weight is the reciprocal: the most is 100. */
  private static final double TAIL = 0.01;

  /** A word of as many letters, and a longer one, is taken to be rare. */
  private static final int LONG_WORD = 8;

  private static final double LEAST_RARITY = 1.0 / 64;

  /** How far a query is from the vector of a file that it is made of, whose length is 1. */
  private static final double QUERY_DISTANCE = 0.5;

  /**
   * Which documents have a vector, and where it is from.
   *
   * @param dims of those that are made from text; 0 for a file, which has its own
   * @param first only the first documents have one, so many
   * @param percent of these, evenly
   * @param file empty for those that are made from text
   */
  public record Spec(int dims, long first, double percent, Optional<Path> file) {

    private static final Pattern MADE = Pattern.compile("(\\d{1,9})(?::(\\d{1,12}|[\\d.]{1,9}%))?");
    private static final double ALL = 100;

    /**
     * Reads {@code 128}, {@code 128:5000}, {@code 128:50%} and a path; a file with such a name is
     * {@code ./128}.
     *
     * @throws IllegalArgumentException with the rule and the value
     */
    public static Spec parse(String text) {
      Matcher made = MADE.matcher(text);
      if (!made.matches()) {
        if (text.isBlank() || text.matches("\\d+:.*")) {
          throw new IllegalArgumentException(
              "vectors must be DIMS, DIMS:COUNT, DIMS:SHARE% or a file: '" + text + "'");
        }
        return new Spec(
            0, Long.MAX_VALUE, ALL, Optional.of(Path.of(text).toAbsolutePath().normalize()));
      }
      int dims = Integer.parseInt(made.group(1));
      if (dims < 1 || dims > MOST_DIMS) {
        throw new IllegalArgumentException(
            "vectors must have from 1 to %d dimensions: %d".formatted(MOST_DIMS, dims));
      }
      String part = made.group(2);
      if (part == null) {
        return new Spec(dims, Long.MAX_VALUE, ALL, Optional.empty());
      }
      return part.endsWith("%")
          ? new Spec(
              dims,
              Long.MAX_VALUE,
              percent(part.substring(0, part.length() - 1), text),
              Optional.empty())
          : new Spec(dims, count(part), ALL, Optional.empty());
    }

    private static double percent(String number, String text) {
      double percent;
      try {
        percent = Double.parseDouble(number);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "vectors must have a number before %%: '%s'".formatted(text), e);
      }
      if (percent <= 0 || percent > ALL) {
        throw new IllegalArgumentException(
            "vectors must be of more than 0 %% and at most 100 %% of the documents: %s %%"
                .formatted(number));
      }
      return percent;
    }

    private static long count(String count) {
      long first = Long.parseLong(count);
      if (first < 1) {
        throw new IllegalArgumentException("vectors must be of at least 1 document: " + first);
      }
      return first;
    }

    /** As {@link #parse} takes it, from any directory. */
    @Override
    public String toString() {
      if (file.isPresent()) {
        return file.get().toString();
      }
      if (first < Long.MAX_VALUE) {
        return dims + ":" + first;
      }
      String number = new BigDecimal(Double.toString(percent)).stripTrailingZeros().toPlainString();
      return percent < ALL ? dims + ":" + number + "%" : Integer.toString(dims);
    }
  }

  /** No document has one. */
  public static final DocumentVectors NONE =
      new DocumentVectors(Optional.empty(), Optional.empty(), 0);

  private final Optional<Spec> spec; // empty for none
  private final Optional<VectorFile> file;
  private final long seed;
  private final Analyzer analyzer = IndexSchema.analyzer();

  private DocumentVectors(Optional<Spec> spec, Optional<VectorFile> file, long seed) {
    this.spec = spec;
    this.file = file;
    this.seed = seed;
  }

  /**
   * Those that {@code documents} ask for, if they do.
   *
   * @throws IllegalArgumentException when a file is none of vectors
   */
  public static DocumentVectors of(Documents documents) throws IOException {
    if (documents.vectors().isEmpty()) {
      return NONE;
    }
    Optional<Spec> spec = documents.vectors().map(Spec::parse);
    Optional<Path> path = spec.flatMap(Spec::file);
    return new DocumentVectors(
        spec,
        path.isPresent() ? Optional.of(VectorFile.open(path.get(), MOST_DIMS)) : Optional.empty(),
        documents.seed());
  }

  /** Whether no document has a vector. */
  public boolean isNone() {
    return spec.isEmpty();
  }

  /** Of how many of {@code documents} there is a vector. */
  public long count(long documents) {
    return spec.map(of -> (long) (Math.min(documents, first(of)) * of.percent() / Spec.ALL))
        .orElse(0L);
  }

  /** How many of {@code documents} are after the last vector of a file. */
  public long afterFile(long documents) {
    return file.map(of -> Math.max(0, documents - of.count())).orElse(0L);
  }

  /** Of each vector; 0 if there are none. */
  public int dims() {
    return file.map(VectorFile::dims).orElse(spec.map(Spec::dims).orElse(0));
  }

  /** What the vectors of {@code documents} take on the disk, as floats. */
  public long bytes(long documents) {
    return count(documents) * Float.BYTES * dims();
  }

  /** Reads a file to its end, and refuses what Lucene would. */
  public void requireDirections() {
    file.ifPresent(VectorFile::requireDirections);
  }

  private long first(Spec of) {
    return file.map(VectorFile::count).orElse(of.first());
  }

  /**
   * The vector of a document.
   *
   * @param number from 0 on, in the order of the source
   * @return empty for one that has none, or has no words
   */
  public Optional<float[]> of(long number, CorpusDocument text) throws IOException {
    if (count(number + 1) == count(number)) {
      return Optional.empty();
    }
    if (file.isPresent()) {
      return Optional.of(unit(toDoubles(file.get().vector(number))));
    }
    Heaviest heaviest = new Heaviest();
    add(heaviest, text.title());
    add(heaviest, text.body());
    return heaviest.size == 0 ? Optional.empty() : Optional.of(heaviest.vector(spec.get().dims()));
  }

  private void add(Heaviest heaviest, String text) throws IOException {
    try (TokenStream words = analyzer.tokenStream(IndexSchema.BODY, text)) {
      CharTermAttribute word = words.addAttribute(CharTermAttribute.class);
      words.reset();
      while (words.incrementToken()) {
        heaviest.add(word);
      }
      words.end();
    }
  }

  /**
   * The vector of a query for such words.
   *
   * @throws IllegalStateException without any vectors
   */
  public float[] ofQuery(List<String> words) {
    if (file.isPresent()) {
      return near(words);
    }
    Heaviest heaviest = new Heaviest();
    words.forEach(heaviest::add);
    return heaviest.vector(
        spec.orElseThrow(() -> new IllegalStateException("there are no vectors")).dims());
  }

  /** Near the vector of the file that the words choose. */
  private float[] near(List<String> words) {
    VectorFile vectors = file.orElseThrow();
    SplitMix64 random = new SplitMix64(hash(String.join(" ", words), seed));
    long number = Long.remainderUnsigned(random.next(), vectors.count());
    double[] sum = toDoubles(unit(toDoubles(vectors.vector(number))));
    double[] away = new double[sum.length];
    addDirection(away, random, 1);
    float[] unitAway = unit(away);
    for (int i = 0; i < sum.length; i++) {
      sum[i] += QUERY_DISTANCE * unitAway[i];
    }
    return unit(sum);
  }

  /** Those of {@code words} that a vector depends on most, the heaviest first. */
  public static List<String> heaviest(Collection<String> words, int most, long seed) {
    return words.stream()
        .distinct()
        .sorted(
            Comparator.comparingDouble((String word) -> -weight(word, hash(word, seed)))
                .thenComparing(Comparator.naturalOrder()))
        .limit(most)
        .toList();
  }

  private static double weight(CharSequence word, long hash) {
    double rarity =
        Character.isDigit(word.charAt(0))
            ? 0
            : Math.min(1, (word.length() - 1) / (LONG_WORD - 1.0));
    return Math.max(LEAST_RARITY, rarity * rarity) / ((hash >>> 11) * 0x1p-53 + TAIL);
  }

  /** Source: FNV-1a, Fowler, Noll and Vo; mixed, since it alone is not even. */
  private static long hash(CharSequence word, long seed) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < word.length(); i++) {
      hash = (hash ^ word.charAt(i)) * 0x100000001b3L;
    }
    return SplitMix64.at(seed, hash).next();
  }

  /** Numbers of a binomial distribution, which is close to a normal one: the same everywhere. */
  private static void addDirection(double[] sum, SplitMix64 random, double weight) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += weight * (Long.bitCount(random.next()) - Long.SIZE / 2);
    }
  }

  private static double[] toDoubles(float[] vector) {
    double[] doubles = new double[vector.length];
    for (int i = 0; i < vector.length; i++) {
      doubles[i] = vector[i];
    }
    return doubles;
  }

  private static float[] unit(double[] vector) {
    double squares = 0;
    for (double number : vector) {
      squares += number * number;
    }
    float[] unit = new float[vector.length];
    if (squares == 0) { // of a few dimensions all may be 0
      unit[0] = 1;
      return unit;
    }
    double length = Math.sqrt(squares);
    for (int i = 0; i < vector.length; i++) {
      unit[i] = (float) (vector[i] / length);
    }
    return unit;
  }

  /** The heaviest words of a text, each once, the heaviest first. <b>Threads:</b> one. */
  private final class Heaviest {

    private final long[] hashes = new long[MOST_WORDS];
    private final double[] weights = new double[MOST_WORDS];
    private int size;

    void add(CharSequence word) {
      if (word.isEmpty()) {
        return;
      }
      long hash = hash(word, seed);
      double weight = weight(word, hash);
      int at = size;
      while (at > 0 && isBefore(weight, hash, at - 1)) {
        at--;
      }
      if (at == MOST_WORDS || at > 0 && hashes[at - 1] == hash) {
        return; // too light, or there already
      }
      size = Math.min(size + 1, MOST_WORDS);
      System.arraycopy(hashes, at, hashes, at + 1, size - at - 1);
      System.arraycopy(weights, at, weights, at + 1, size - at - 1);
      hashes[at] = hash;
      weights[at] = weight;
    }

    private boolean isBefore(double weight, long hash, int other) {
      return weight > weights[other] || weight == weights[other] && hash < hashes[other];
    }

    float[] vector(int dims) {
      double[] sum = new double[dims];
      for (int i = 0; i < size; i++) {
        addDirection(sum, new SplitMix64(hashes[i]), weights[i]);
      }
      return unit(sum);
    }
  }
}
