package io.weir.run;

import static io.weir.figure.Figure.Kind.FACT;
import static io.weir.figure.Figure.Kind.SUMMARY;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.weir.figure.Figure;
import io.weir.figure.Unit;
import java.util.EnumSet;
import java.util.function.Function;

/**
 * The figures of a cell of {@code weir index}. A gigabyte is 1,000,000,000 bytes; text is counted
 * as UTF-8, title and body.
 */
public final class CellFigures {

  /** The parts of a cell that have the same figures. */
  public enum Window {
    /** From the first document until the index is whole: all flushed, merged and committed. */
    WHOLE,
    /** The part of that after the last document. */
    DRAIN,
    /** The part in which the rate was steady; without values when there were too few samples. */
    STEADY
  }

  /** Whether the rate of the steady window is one of steady state. */
  public enum Verdict {
    /** It is. */
    @JsonProperty("steady")
    STEADY("steady"),
    /** Its second half is faster or slower than its first by more than noise and 5 %. */
    @JsonProperty("drifting")
    DRIFTING("drifting"),
    /** More than half of the cell would have to be cut off. */
    @JsonProperty("unsettled")
    UNSETTLED("not settled"),
    /** It holds fewer than two flushes, so a part of the work is missing from it. */
    @JsonProperty("too-few-flushes")
    TOO_FEW_FLUSHES("too few flushes");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    /** In a word or three. */
    public String label() {
      return label;
    }
  }

  static final FigureSet ALL = new FigureSet();

  public static final Figure<String> ARM = ALL.words("cell.arm", "the name of the arm");

  public static final Figure<Long> THREADS =
      ALL.whole("cell.threads", Unit.COUNT, "threads that index");

  public static final Figure<Long> RAM_BUFFER =
      ALL.whole("cell.ramBufferBytes", Unit.BYTES, "what the writer buffers before it flushes");

  public static final Figure<Long> SOURCE_DOCUMENTS =
      ALL.count("source.documents", "different texts in the memory of the source");

  public static final Figure<Long> SOURCE_TEXT =
      ALL.bytes("source.textBytes", "bytes of all texts of the source");

  public static final Figure<Double> SOURCE_DOCUMENTS_PER_SECOND =
      ALL.level(
          "source.documentsPerSecond",
          Unit.PER_SECOND,
          "documents that the source delivers with nothing behind it");

  public static final Figure<Double> SOURCE_RATE =
      ALL.level(
          "source.gigabytesPerHour",
          Unit.GIGABYTES_PER_HOUR,
          "text that the source delivers with nothing behind it");

  public static final FigureBy<Window, Double> FROM =
      level("*.fromSeconds", Unit.SECONDS, "when the window began, since the first document");

  public static final FigureBy<Window, Double> TO =
      level("*.toSeconds", Unit.SECONDS, "when the window ended, since the first document");

  public static final FigureBy<Window, Long> DOCUMENTS = count("*.documents", "documents indexed");

  public static final FigureBy<Window, Long> TEXT =
      bytes("*.textBytes", "text of the documents indexed");

  public static final FigureBy<Window, Double> RATE =
      level("*.gigabytesPerHour", Unit.GIGABYTES_PER_HOUR, "text indexed");

  public static final FigureBy<Window, Double> DOCUMENTS_PER_SECOND =
      level("*.documentsPerSecond", Unit.PER_SECOND, "documents indexed");

  public static final FigureBy<Window, Long> FLUSHES =
      count("*.flushes", "segments that came from RAM");

  public static final FigureBy<Window, Long> FLUSHED =
      bytes("*.flushedBytes", "what flushes wrote, compound files included");

  public static final FigureBy<Window, Long> PACKED =
      bytes(
          "*.packedBytes",
          "the part of what flushes wrote that packed files of a segment into one");

  public static final FigureBy<Window, Long> MERGED =
      bytes("*.mergedBytes", "what merges wrote, compound files included");

  public static final FigureBy<Window, Long> OTHER =
      bytes("*.otherBytes", "what else was written: live documents, commits");

  public static final FigureBy<Window, Double> WRITE_AMPLIFICATION =
      level(
          "*.writeAmplification",
          Unit.TIMES,
          "all bytes written for one that was flushed; packed bytes count as written "
              + "only; absent without a flush");

  public static final FigureBy<Window, Double> WRITTEN_FOR_TEXT =
      level(
          "*.bytesWrittenPerTextByte",
          Unit.TIMES,
          "all bytes written for one of text; absent without text");

  public static final FigureBy<Window, Long> MERGE_DEBT =
      bytes("*.mergeDebtBytes", "segments in merges that had not ended, at the end");

  public static final FigureBy<Window, Long> MOST_MERGE_DEBT =
      bytes("*.mostMergeDebtBytes", "the largest merge debt in the window");

  public static final FigureBy<Window, Long> MERGE_STALLS =
      count("*.mergeStalls.count", "times in which threads waited because too many merges ran");

  public static final FigureBy<Window, Double> MERGE_STALLED =
      seconds(
          "*.mergeStalls.seconds",
          "how long stalls for merges were together; one that still lasts counts when "
              + "it ends");

  public static final FigureBy<Window, Long> FLUSH_STALLS =
      count("*.flushStalls.count", "times in which threads waited because flushes did not keep up");

  public static final FigureBy<Window, Double> FLUSH_STALLED =
      seconds(
          "*.flushStalls.seconds",
          "how long stalls for flushes were together; one that still lasts counts "
              + "when it ends");

  public static final FigureBy<Window, Double> PROCESSORS =
      level("*.processorShare", Unit.SHARE, "processors of the machine that ran this JVM");

  public static final FigureBy<Window, Double> INDEXING_THREADS =
      level(
          "*.indexingThreadShare",
          Unit.SHARE,
          "processors of the machine that ran the indexing threads, which flush as " + "well");

  public static final FigureBy<Window, Long> COLLECTIONS =
      count("*.collections", "garbage collections");

  public static final FigureBy<Window, Double> COLLECTING =
      seconds(
          "*.collectorSeconds",
          "time of collections as the collectors report it; of concurrent ones not a " + "pause");

  public static final Figure<Verdict> VERDICT =
      ALL.add(
          "steady.verdict",
          Verdict.class,
          Unit.NONE,
          FACT,
          "whether the rate is one of steady state; absent without a steady window, "
              + "as all of it");

  public static final Figure<Double> CUT_START =
      ALL.level("steady.cutStartSeconds", Unit.SECONDS, "what was cut off at the start");

  public static final Figure<Double> CUT_END =
      ALL.level("steady.cutEndSeconds", Unit.SECONDS, "what was cut off before the last document");

  public static final Figure<Double> INTERVAL_LOW =
      ALL.level(
          "steady.interval.low",
          Unit.GIGABYTES_PER_HOUR,
          "the lower end of the 95 % interval of the steady rate; absent with fewer "
              + "than five flushes");

  public static final Figure<Double> INTERVAL_HIGH =
      ALL.level(
          "steady.interval.high",
          Unit.GIGABYTES_PER_HOUR,
          "the upper end of the 95 % interval of the steady rate");

  public static final Figure<Double> EARLIER =
      ALL.level(
          "steady.earlierGigabytesPerHour", Unit.GIGABYTES_PER_HOUR, "the rate of the first half");

  public static final Figure<Double> LATER =
      ALL.level(
          "steady.laterGigabytesPerHour", Unit.GIGABYTES_PER_HOUR, "the rate of the second half");

  public static final Figure<Double> CHANCE =
      ALL.level(
          "steady.chance",
          Unit.SHARE,
          "how often halves of a steady rate differ so or more (Mann-Whitney's test); "
              + "absent when it cannot tell");

  public static final Figure<HostNoise> NOISE_HOST =
      ALL.add(
          "noise.host",
          HostNoise.class,
          Unit.NONE,
          SUMMARY,
          "what others did on the machine while documents were indexed");

  private CellFigures() {}

  private static <T> FigureBy<Window, T> each(String ids, Function<String, Figure<T>> figure) {
    return FigureBy.of(
        EnumSet.allOf(Window.class),
        ids,
        id -> figure.apply(id.replaceFirst("^steady\\.", "steady.figures.")));
  }

  private static FigureBy<Window, Long> count(String ids, String text) {
    return each(ids, id -> ALL.count(id, text));
  }

  private static FigureBy<Window, Long> bytes(String ids, String text) {
    return each(ids, id -> ALL.bytes(id, text));
  }

  private static FigureBy<Window, Double> seconds(String ids, String text) {
    return each(ids, id -> ALL.seconds(id, text));
  }

  private static FigureBy<Window, Double> level(String ids, Unit unit, String text) {
    return each(ids, id -> ALL.level(id, unit, text));
  }
}
