package io.weir.run;

import io.weir.figure.Figure;
import io.weir.figure.FigureSet;
import io.weir.figure.Unit;

/** The figures of a whole run. */
public final class HeaderFigures {

  static final FigureSet ALL = new FigureSet();

  /** How late an idle thread woke up in the second before the run. */
  public static final Figure<LatencySummary> NOISE_CONTROL = ALL.add(ArmFigures.NOISE_CONTROL);

  /** What others did in the second before the run. */
  public static final Figure<HostNoise> NOISE_BEFORE =
      ALL.add(
          "noise.before",
          HostNoise.class,
          Unit.NONE,
          Figure.Kind.SUMMARY,
          "what others did on the machine in the second before anything ran");

  /** The kind of queries. */
  public static final Figure<String> QUERIES_KIND =
      ALL.words("queries.kind", "what was searched for: `terms`, `mixed`, `heaviest` or `file`");

  /** How many queries there were. */
  public static final Figure<Long> QUERIES_COUNT =
      ALL.count("queries.count", "queries; after the last one searches began with the first");

  /** What they were. */
  public static final Figure<String> QUERIES_SHA256 =
      ALL.words("queries.sha256", "of queries.txt, hexadecimal");

  /** The limit of a search for saturation. */
  public static final Figure<Double> LIMIT =
      ALL.level("limitMillis", Unit.MILLIS, "what the 99th percentile of a step must not pass");

  private HeaderFigures() {}
}
