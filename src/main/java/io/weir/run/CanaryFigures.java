package io.weir.run;

import io.weir.figure.Figure;
import io.weir.figure.Unit;
import java.util.EnumSet;

/**
 * What the machine did in the seconds before an arm or a cell, which asked the same of it before
 * each: reads and syncs of a file of its own on the disk of the run, and sums on all processors.
 */
public final class CanaryFigures {

  static final FigureSet ALL = new FigureSet();

  /** What is asked of the machine. */
  public enum Probe {
    /** A block that is not in the page cache. */
    READ("a disk read", "reads of 4 KiB from the disk; absent where they cannot pass the cache"),
    /** A block. */
    SYNC("a sync", "writes of 4 KiB, each with the sync after it"),
    /** The slowest processor counts. */
    SUM("a sum on all processors", "a fixed sum, done by each processor at once");

    private final String label;
    private final String text;

    Probe(String label, String text) {
      this.label = label;
      this.text = text;
    }

    /** One of them, in a sentence. */
    public String label() {
      return label;
    }
  }

  public static final FigureBy<Probe, LatencySummary> TOOK =
      FigureBy.of(
          EnumSet.allOf(Probe.class),
          "canary.*",
          id ->
              ALL.add(
                  id,
                  LatencySummary.class,
                  Unit.MILLIS,
                  Figure.Kind.SUMMARY,
                  "before the arm or cell: " + probe(id).text));

  private CanaryFigures() {}

  private static Probe probe(String id) {
    return EnumSet.allOf(Probe.class).stream()
        .filter(probe -> id.equalsIgnoreCase("canary." + probe))
        .findFirst()
        .orElseThrow();
  }
}
