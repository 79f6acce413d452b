package io.weir.merge;

import static io.weir.figure.Shown.SAMPLE;
import static io.weir.figure.SourceFigure.known;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.measure;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.BYTES_PER_SECOND;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigures;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The merges of one writer: those that run, and the totals of all. For metrics and events, which
 * need not know who runs the merges.
 *
 * <p><b>Threads:</b> any; nothing blocks.
 */
public interface MergeActivity {

  /** Whether merges keep up, and how far forced ones are. */
  SourceFigures<MergeActivity> FIGURES =
      SourceFigures.of(
          "lucene.merge",
          level(
                  "debt",
                  BYTES,
                  "Bytes that running merges are expected to write still",
                  (MergeActivity merges) -> merges.debt().debtBytes())
              .named(SAMPLE, "merge_debt_bytes"),
          measure(
                  "demand",
                  BYTES_PER_SECOND,
                  "Write rate that merges need to keep up with indexing, over the last minutes",
                  (MergeActivity merges) -> merges.debt().demandBytesPerSecond())
              .without(SAMPLE),
          known(
                  "remaining",
                  NANOS,
                  "Time left for the forced merges at the speed of the last seconds; NaN when unknown"
                      + " or when none runs",
                  (MergeActivity merges) ->
                      merges
                          .forcedMerge()
                          .flatMap(ForcedMergeProgress::remaining)
                          .map(time -> OptionalLong.of(time.toNanos()))
                          .orElse(OptionalLong.empty()))
              .without(SAMPLE));

  /** Adds a listener. */
  void addListener(MergeListener listener);

  /** Removes a listener. */
  void removeListener(MergeListener listener);

  /** The merges that run now. */
  List<MergeTotals> running();

  /** The totals of one kind of merges. */
  MergeKindTotals totals(MergeKind kind);

  /** The progress of the forced merges; empty when none runs. */
  Optional<ForcedMergeProgress> forcedMerge();

  /** Whether merges keep up with indexing. */
  MergeDebtSnapshot debt();
}
