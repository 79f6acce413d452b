package io.weir.store;

import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;

import io.weir.figure.SourceFigures;

/**
 * How well the large merges of a {@link WritebackDirectory} foretold where searches look in the
 * merged segments. All figures only grow, so that a share of any period can be made: {@code
 * hitBytes / foretoldBytes} of what was kept was used, {@code hitBytes / usedBytes} of what was
 * used had been foretold. A forecast that is no better than chance has the second share near {@code
 * foretoldBytes / examinedBytes}.
 *
 * <p>{@link io.weir.store.pages.ForecastQuality} says what counts as used, and when that is looked
 * at. The first share grows with the time until then and with the number of searches; the others do
 * so much less.
 *
 * @param measuredMerges merges whose forecast was measured, which all bytes are of
 * @param unmeasuredMerges large merges with a forecast that could not be measured: searches did not
 *     map the segment in time, it was merged away, its directory was closed, or too much was to be
 *     looked at
 * @param examinedBytes bytes of files with a forecast, without what was touched before searches had
 *     them
 * @param foretoldBytes bytes of these that the merge kept in the page cache
 * @param usedBytes bytes of these that searches touched
 * @param hitBytes bytes that were foretold and touched
 */
public record ForecastSnapshot(
    long measuredMerges,
    long unmeasuredMerges,
    long examinedBytes,
    long foretoldBytes,
    long usedBytes,
    long hitBytes) {

  /** What is shown of the forecasts of an index's merges. */
  public static final SourceFigures<ForecastSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.merge.forecast",
          total(
                  "measured",
                  COUNT,
                  "Large merges after which it was measured which pages searches used",
                  ForecastSnapshot::measuredMerges)
              .counting("merges"),
          total(
                  "unmeasured",
                  COUNT,
                  "Large merges with a forecast that could not be measured",
                  ForecastSnapshot::unmeasuredMerges)
              .counting("merges"),
          total(
              "examined",
              BYTES,
              "Bytes of the measured merges' files that have a forecast",
              ForecastSnapshot::examinedBytes),
          total(
              "foretold",
              BYTES,
              "Bytes of these that were kept in the page cache for searches",
              ForecastSnapshot::foretoldBytes),
          total(
              "used",
              BYTES,
              "Bytes of these that searches had touched a second later",
              ForecastSnapshot::usedBytes),
          total(
              "hit",
              BYTES,
              "Bytes of these that were both, kept and touched",
              ForecastSnapshot::hitBytes));
}
