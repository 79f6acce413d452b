package io.weir.store.pages;

import io.weir.lucene.SegmentFiles;
import io.weir.store.kernel.CachedPages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What readers had of the input of one merge in the page cache, before the merge read it. It says
 * which pages only the merge has brought in, and where readers will look in the merged segment.
 *
 * <p><b>The forecast.</b> Files in the order of documents (stored fields, term vectors, vectors)
 * follow one another in the merged file as the segments do: so a place in that file is a place in
 * one of the segments. All other files are in the order of fields, and of terms or values within
 * them, which is about the same in each segment of an index: so a place in the merged file is the
 * same relative place in all of them. The merged file keeps as many bytes as its inputs had in the
 * page cache, where they had the most. Deleted documents and an index sort make that a guess.
 *
 * <p>Dictionaries and their indexes are kept whole: each lookup reads them, and they are small. So
 * is a compound file.
 *
 * <p><b>Threads:</b> that of the merge. <b>Ownership:</b> belongs to the merge, and ends with its
 * last file, before the segment is opened: what is read from then on readers want. <b>Failure:</b>
 * throws nothing; a file that cannot be looked at keeps all of its pages.
 */
public final class MergePages {

  /** What is kept or dropped as one: no smaller than the kernel's own read-ahead. */
  static final int STEP_BYTES = 256 << 10;

  /** Of a longer file, the steps are longer. */
  static final int MAX_STEPS = 1 << 16;

  /** Lucene reads the header and the footer of each file when it opens it. */
  public static final int ENDS_BYTES = 64 << 10;

  /** A file of a segment, of its own or inside a compound file. */
  public interface SegmentFile {

    /** Its name. */
    String name();

    /** Its pages that are in the page cache; empty if that cannot be known. */
    Optional<CachedPages> look(long length);

    /** Drops all of its pages that are not among these, and that no process has mapped. */
    void dropAllBut(CachedPages pages);
  }

  /** A file of the input. */
  private record Part(SegmentFile file, CachedPages pages) {}

  private final Map<SegmentFile, Optional<CachedPages>> seen = new HashMap<>();
  private final Map<String, List<Part>> parts = new HashMap<>();
  private final List<Runnable> whenWritten = new ArrayList<>();
  private boolean ended;

  /** What the merge writes; empty until it does. */
  private String segment = "";

  /** The calling thread's merge is about to read this file; the first time counts. */
  public Optional<CachedPages> sees(SegmentFile file, long length) {
    if (ended || SegmentFiles.segmentOf(file.name()).equals(segment)) {
      return Optional.empty(); // a merge reads its own norms, for example, and a warmer all of it
    }
    return seen.computeIfAbsent(
        file,
        f -> {
          Optional<CachedPages> pages = f.look(length);
          pages.ifPresent(
              p ->
                  parts
                      .computeIfAbsent(SegmentFiles.kindOf(f.name()), k -> new ArrayList<>())
                      .add(new Part(f, p)));
          return pages;
        });
  }

  /** The merge creates a file of its segment. */
  public void writes(String output) {
    segment = SegmentFiles.segmentOf(output);
  }

  /** What to keep of a file that the merge writes; empty to keep all of it. */
  public Optional<Forecast> forecast(String output) {
    List<Part> inputs = parts.get(SegmentFiles.kindOf(output));
    return ended || inputs == null || SegmentFiles.isTermsDictionary(output)
        ? Optional.empty()
        : Optional.of(
            new Placed(
                inputs.stream().map(Part::pages).toList(), SegmentFiles.isByDocument(output)));
  }

  /** Does something once the merge has written its segment, and not if it fails. */
  public void whenWritten(Runnable action) {
    whenWritten.add(action);
  }

  /** The merge has written its segment, whose files are not open yet. */
  public void written() {
    if (!ended) {
      whenWritten.forEach(Runnable::run);
    }
    end();
  }

  /** The merge has ended. */
  public void end() {
    if (!ended) {
      ended = true;
      parts.values().forEach(of -> of.forEach(part -> part.file().dropAllBut(part.pages())));
      parts.clear();
      seen.clear();
      whenWritten.clear();
    }
  }

  /** Where readers will look in a file of the merged segment. */
  @FunctionalInterface
  public interface Forecast {

    /** Each run of bytes that they will not look for, from one place to another. */
    void unwanted(long from, long to, CachedPages.Run each) throws IOException;
  }

  /** As they looked into the files that it was made of. */
  static final class Placed implements Forecast {

    /** Differences of less than this between two steps are chance. */
    private static final double PRECISION_BYTES = 4096;

    private final long stepBytes;
    private final boolean[] kept;

    Placed(List<CachedPages> inputs, boolean byDocument) {
      long bytes = inputs.stream().mapToLong(CachedPages::length).sum();
      int steps = Math.clamp(Math.ceilDiv(bytes, STEP_BYTES), 1, MAX_STEPS);
      stepBytes = Math.max(STEP_BYTES, Math.ceilDiv(Math.ceilDiv(bytes, steps), 4096L) * 4096);
      double[] cached = new double[steps];
      for (int step = 0; step < steps; step++) {
        double from = (double) step / steps;
        double to = (double) (step + 1) / steps;
        cached[step] = byDocument ? chained(inputs, bytes, from, to) : laid(inputs, from, to);
      }
      kept = new boolean[steps];
      double wanted = Arrays.stream(cached).sum() / bytes * steps;
      // Of equal steps it takes some everywhere, not the first ones.
      IntStream.range(0, steps)
          .boxed()
          .sorted(
              Comparator.comparingDouble(
                      (Integer step) -> -Math.round(cached[step] / PRECISION_BYTES))
                  .thenComparingInt(Integer::reverse))
          .limit(Math.round(wanted))
          .forEach(step -> kept[step] = true);
    }

    /** Cached bytes where the inputs follow one another. */
    private static double chained(List<CachedPages> inputs, long bytes, double from, double to) {
      double sum = 0;
      double before = 0;
      for (CachedPages input : inputs) {
        double share = (double) input.length() / bytes;
        sum += cached(input, (from - before) / share, (to - before) / share);
        before += share;
      }
      return sum;
    }

    /** Cached bytes at the same relative place of all inputs. */
    private static double laid(List<CachedPages> inputs, double from, double to) {
      double sum = 0;
      for (CachedPages input : inputs) {
        sum += cached(input, from, to);
      }
      return sum;
    }

    private static double cached(CachedPages input, double from, double to) {
      long begin = input.offset() + (long) (Math.clamp(from, 0, 1) * input.length());
      long end = input.offset() + (long) (Math.clamp(to, 0, 1) * input.length());
      return end > begin ? input.bytes(begin, end) : 0;
    }

    @Override
    public void unwanted(long from, long to, CachedPages.Run each) throws IOException {
      for (long at = Math.max(from, ENDS_BYTES); at < to; ) {
        long begin = at;
        boolean keep = isKept(at);
        do {
          at = Math.min(to, (at / stepBytes + 1) * stepBytes);
        } while (at < to && isKept(at) == keep);
        if (!keep) {
          each.of(begin, at - begin);
        }
      }
    }

    private boolean isKept(long offset) {
      return kept[(int) Math.min(offset / stepBytes, kept.length - 1)];
    }
  }
}
