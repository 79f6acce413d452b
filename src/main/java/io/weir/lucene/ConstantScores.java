package io.weir.lucene;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Optional;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/**
 * Makes the scorers of a filter, which differ between versions of Lucene.
 *
 * <p>Source: Lucene 9.12.3 to 10.6.0, {@code ScorerSupplier}, {@code ConstantScoreScorer}, {@code
 * ConstantScoreScorerSupplier}.
 */
public final class ConstantScores {

  /** With the weight as the first parameter before Lucene 10.0. */
  private static final MethodHandle SCORER =
      Link.constructor(
              ConstantScoreScorer.class, float.class, ScoreMode.class, DocIdSetIterator.class)
          .map(constructor -> MethodHandles.dropArguments(constructor, 0, Weight.class))
          .or(
              () ->
                  Link.constructor(
                      ConstantScoreScorer.class,
                      Weight.class,
                      float.class,
                      ScoreMode.class,
                      DocIdSetIterator.class))
          .orElseThrow(() -> Link.missing("ConstantScoreScorer"));

  /** Since 10.0. */
  private static final Optional<MethodHandle> BULK_SCORER =
      Link.method(ScorerSupplier.class, "bulkScorer", BulkScorer.class);

  /** Since 10.2, faster than a loop over the scorer: by windows of bits. */
  private static final Optional<MethodHandle> BY_WINDOWS =
      Link.type("org.apache.lucene.search.ConstantScoreScorerSupplier")
          .flatMap(
              type ->
                  Link.staticMethod(
                      type,
                      "fromIterator",
                      type,
                      DocIdSetIterator.class,
                      float.class,
                      ScoreMode.class,
                      int.class))
          .map(method -> method.asType(method.type().changeReturnType(ScorerSupplier.class)))
          .flatMap(
              method -> BULK_SCORER.map(bulk -> MethodHandles.filterReturnValue(method, bulk)));

  private ConstantScores() {}

  /** A scorer of these documents, each with the score 0. */
  public static Scorer scorer(Weight weight, DocIdSetIterator docs) throws IOException {
    try {
      return (ConstantScoreScorer)
          SCORER.invokeExact(weight, 0f, ScoreMode.COMPLETE_NO_SCORES, docs);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }

  /**
   * The same for all of a segment at once; empty where Lucene knows no faster way than a loop.
   *
   * @param maxDoc of the segment
   */
  public static Optional<BulkScorer> byWindows(DocIdSetIterator docs, int maxDoc)
      throws IOException {
    if (BY_WINDOWS.isEmpty()) {
      return Optional.empty();
    }
    try {
      BulkScorer scorer =
          (BulkScorer) BY_WINDOWS.get().invokeExact(docs, 0f, ScoreMode.COMPLETE_NO_SCORES, maxDoc);
      return Optional.of(scorer);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }

  /** What {@code supplier}, which {@code weight} made for this segment, has for all of it. */
  public static BulkScorer bulkScorer(
      Weight weight, LeafReaderContext segment, ScorerSupplier supplier) throws IOException {
    if (BULK_SCORER.isEmpty()) {
      return weight.bulkScorer(segment);
    }
    try {
      return (BulkScorer) BULK_SCORER.get().invokeExact(supplier);
    } catch (Throwable e) {
      throw Link.<IOException>thrown(e);
    }
  }
}
