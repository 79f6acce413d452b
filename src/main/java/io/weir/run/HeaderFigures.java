package io.weir.run;

import io.weir.figure.Figure;
import io.weir.figure.Unit;

/** The figures of a whole run. */
public final class HeaderFigures {

  static final FigureSet ALL = new FigureSet();

  public static final Figure<LatencySummary> NOISE_CONTROL = ALL.add(ArmFigures.NOISE_CONTROL);

  public static final Figure<HostNoise> NOISE_BEFORE =
      ALL.add(
          "noise.before",
          HostNoise.class,
          Unit.NONE,
          Figure.Kind.SUMMARY,
          "what others did on the machine in the second before anything ran");

  public static final Figure<String> QUERIES_KIND =
      ALL.words(
          "queries.kind",
          "what was searched for: `terms`, `mixed`, `knn`, `hybrid`, `heaviest` or `file`");

  public static final Figure<Long> QUERIES_COUNT =
      ALL.count(
          "queries.count",
          "queries that were searched for; after the last one searches began with the " + "first");

  public static final Figure<String> QUERIES_SHA256 =
      ALL.words("queries.sha256", "the checksum of queries.txt, hexadecimal");

  public static final Figure<Double> LIMIT =
      ALL.level("limitMillis", Unit.MILLIS, "what the 99th percentile of a step must not pass");

  private HeaderFigures() {}
}
