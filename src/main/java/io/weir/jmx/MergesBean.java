package io.weir.jmx;

import static io.weir.figure.SourceFigure.sentences;
import static io.weir.figure.SourceFigure.total;

import io.weir.figure.Shown;
import io.weir.figure.SourceFigures;
import io.weir.figure.Unit;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.MergeTotals;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Exposes the merges of a writer in JMX as {@code io.weir:type=Merges,name=...} until it is closed.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the merges.
 */
public final class MergesBean extends Registration {

  /** What JMX has no tags for. */
  private static final SourceFigures<MergeActivity> FIGURES =
      SourceFigures.of(
          "lucene.merge",
          total(
                  "forced",
                  Unit.BYTES,
                  "The part of the written bytes that forced merges wrote",
                  (MergeActivity merges) -> merges.totals(MergeKind.FORCED).writtenBytes())
              .only(Shown.BEAN),
          sentences(
              "running",
              "The running merges: kind, segment, bytes written",
              merges -> merges.running().stream().map(MergesBean::running).toList()));

  private MergesBean(MergeActivity merges, String name) {
    super(
        "Merges",
        name,
        new FiguresBean("The merges of a writer", Optional.empty())
            .with(MergeKindTotals.FIGURES, () -> all(merges))
            .with(FIGURES, () -> merges));
  }

  /**
   * Registers at the platform's server.
   *
   * @throws IllegalStateException if merges of that name are registered
   */
  public static MergesBean register(MergeActivity merges, String name) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(merges, "merges");
    return new MergesBean(merges, name);
  }

  private static MergeKindTotals all(MergeActivity merges) {
    return Arrays.stream(MergeKind.values())
        .map(merges::totals)
        .reduce(MergeKindTotals::plus)
        .orElseThrow();
  }

  private static String running(MergeTotals merge) {
    return String.format(
        Locale.ROOT,
        "%s %s %d bytes",
        merge.kind(),
        merge.segment().orElse("?"),
        merge.writtenBytes());
  }
}
