package io.weir.store.pages;

import io.weir.lucene.SegmentFiles;
import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.TouchedPages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * What readers had of the input of one merge in the page cache, before the merge read it. It says
 * which pages only the merge has brought in, and where readers will look in the merged segment.
 *
 * <p><b>What readers use.</b> Of the pages that are in the page cache, readers use those that they
 * have touched through a mapping: the rest was read ahead for them, or left by whoever wrote the
 * file. Where readers do not map a file, or have hardly begun, it is all that is in the page cache.
 *
 * <p><b>The forecast.</b> Files in the order of documents (stored fields, term vectors, vectors)
 * follow one another in the merged file as the segments do: so a place in that file is a place in
 * one of the segments. Deleted documents are taken for evenly spread, until the merge has copied
 * the file: then {@link CopiedPlaces} knows where to. All other files are in the order of fields,
 * and of terms or values within them, which is about the same in each segment of an index: so a
 * place in the merged file is the same relative place in all of them. The list of a frequent term
 * is longer than such a place is exact. An index sort makes all of it a guess.
 *
 * <p>The merged file keeps half as much again as readers had touched, or as much as was in the page
 * cache, where they had the most; and more while {@linkplain PageCacheMemory memory} is free.
 *
 * <p>Dictionaries and their indexes are kept whole: each lookup reads them, and they are small. So
 * is a compound file.
 *
 * <p><b>Threads:</b> that of the merge. <b>Ownership:</b> belongs to the merge, and ends with its
 * last file, before the segment is opened: what is read from then on readers want. <b>Failure:</b>
 * throws nothing; a file that cannot be looked at keeps all of its pages.
 */
public final class MergePages {

  /** What is kept for what readers had touched: what they touched is seldom a whole step. */
  private static final double KEPT_FOR_TOUCHED = 1.5;

  /**
   * Of a shorter file all that was cached counts: a merge of small segments looks at no mapping.
   */
  static final long LEAST_LOOKED_AT_BYTES = 1 << 20;

  /** If readers had touched less than this share of what was cached, they had hardly begun. */
  private static final double LEAST_TOUCHED = 0.125;

  /** A file of a segment, of its own or inside a compound file. */
  public interface SegmentFile {

    /** Its name. */
    String name();

    /** Its pages that are in the page cache; empty if that cannot be known. */
    Optional<CachedPages> look(long length);

    /** Its pages that readers have touched; empty if they do not map it, or it cannot be known. */
    Optional<CachedPages> touched(TouchedPages mappings, long length);

    /** Whether its readers have closed it, now and later; refers to nothing that they have open. */
    BooleanSupplier closed();

    /** Drops all of its pages that are not among these, and that no process has mapped. */
    void dropAllBut(CachedPages pages);
  }

  /**
   * A file of the input: what of it the page cache had, what of that readers had touched, and the
   * documents of its segment that the merge copies, as a share.
   */
  private record Part(
      SegmentFile file,
      CachedPages cached,
      Optional<CachedPages> touched,
      double liveShare,
      CopiedPlaces copied) {

    PlacedForecast.Used used(boolean touchedIsUsed) {
      return touched
          .filter(pages -> touchedIsUsed)
          .map(pages -> new PlacedForecast.Used(pages, KEPT_FOR_TOUCHED, evenly()))
          .orElseGet(() -> new PlacedForecast.Used(cached, 1, evenly()));
    }

    /** What they have touched by now, and where it was copied to. */
    PlacedForecast.Used usedNow(Optional<CachedPages> touchedNow) {
      CopiedPlaces places = copied.isKnown() ? copied : evenly();
      return touchedNow
          .map(pages -> new PlacedForecast.Used(pages, KEPT_FOR_TOUCHED, places))
          .orElseGet(() -> new PlacedForecast.Used(cached, 1, places));
    }

    private CopiedPlaces evenly() {
      return CopiedPlaces.evenly(cached.length(), liveShare);
    }
  }

  /**
   * What a merge kept of its segment for readers. It keeps no file open, and no index alive.
   *
   * @param files the forecast of each, by its name in the directory
   * @param isInputClosed whether the readers of all of the merge's input were closed: who reads the
   *     index has moved on to the merged segment
   */
  public record Foretold(Map<String, Forecast> files, BooleanSupplier isInputClosed) {

    /** Keeps a copy. */
    public Foretold {
      files = Map.copyOf(files);
    }
  }

  private final Map<SegmentFile, Optional<CachedPages>> seen = new HashMap<>();
  private final Map<String, List<Part>> parts = new HashMap<>();
  private final List<Runnable> whenWritten = new ArrayList<>();
  private final Map<String, Forecast> kept = new LinkedHashMap<>();
  private final Map<String, LongSupplier> lengths = new HashMap<>(); // so far, by kind
  private Runnable whenLeft = () -> {};
  private final ToDoubleFunction<String> liveShare;
  private TouchedPages mappings; // of the first look; null before that
  private boolean ended;

  /** What the merge writes; empty until it does. */
  private String segment = "";

  /**
   * For a merge of segments.
   *
   * @param liveShare of a segment: the documents that are not deleted, as a share of all
   */
  public MergePages(ToDoubleFunction<String> liveShare) {
    this.liveShare = Objects.requireNonNull(liveShare, "liveShare");
  }

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
                      .add(new Part(f, p, touched(f, p), liveShare(f), new CopiedPlaces(length))));
          return pages;
        });
  }

  private Optional<CachedPages> touched(SegmentFile file, CachedPages cached) {
    if (cached.length() < LEAST_LOOKED_AT_BYTES) {
      return Optional.empty();
    }
    if (mappings == null) {
      mappings = TouchedPages.now(cached.pageBytes());
    }
    return file.touched(mappings, cached.length());
  }

  /** The merge creates a file of its segment. */
  public void writes(String output) {
    segment = SegmentFiles.segmentOf(output);
  }

  /** So many bytes of a file that it has created it has written. */
  public void grows(String output, LongSupplier bytes) {
    if (SegmentFiles.isByDocument(output)) {
      lengths.put(SegmentFiles.kindOf(output), bytes);
    }
  }

  /** The merge has copied what is before this place of a file of its input, and goes on with it. */
  public void copies(SegmentFile file, long position) {
    String kind = SegmentFiles.kindOf(file.name());
    LongSupplier merged = lengths.get(kind);
    if (merged != null && !ended) {
      long bytes = merged.getAsLong();
      for (Part part : parts.getOrDefault(kind, List.of())) {
        if (part.file().equals(file)) {
          part.copied().add(position, bytes);
        } else {
          part.copied().end(bytes);
        }
      }
    }
  }

  /** What to keep of a file that the merge writes; empty to keep all of it. */
  public Optional<Forecast> forecast(String output) {
    List<Part> inputs = parts.get(SegmentFiles.kindOf(output));
    return ended || inputs == null || SegmentFiles.isTermsDictionary(output)
        ? Optional.empty()
        : Optional.of(placed(inputs, SegmentFiles.isByDocument(output), isTouchedUsed()));
  }

  /** Whether {@link #forecastNow} will say something at the end, as far as is known. */
  public boolean isForetoldAtTheEnd(String output) {
    List<Part> inputs = parts.get(SegmentFiles.kindOf(output));
    return !ended
        && inputs != null
        && SegmentFiles.isByDocument(output)
        && inputs.stream()
            .allMatch(
                part ->
                    part.touched().isPresent() || part.cached().length() < LEAST_LOOKED_AT_BYTES);
  }

  /**
   * The same, by what readers have touched until now; empty if that is not known, or if places in
   * the file are not known well enough to read for them.
   *
   * @param mostBytes of the file to read
   */
  public Optional<Forecast> forecastNow(String output, long mostBytes) {
    List<Part> inputs = parts.get(SegmentFiles.kindOf(output));
    if (ended || inputs == null || !SegmentFiles.isByDocument(output)) {
      return Optional.empty();
    }
    LongSupplier merged = lengths.get(SegmentFiles.kindOf(output));
    List<PlacedForecast.Used> used = new ArrayList<>();
    for (Part part : inputs) {
      Optional<CachedPages> touched = touched(part.file(), part.cached());
      if (touched.isEmpty() && part.cached().length() >= LEAST_LOOKED_AT_BYTES) {
        return Optional.empty();
      }
      if (merged != null) {
        part.copied().end(merged.getAsLong());
      }
      used.add(part.usedNow(touched));
    }
    return Optional.of(new PlacedForecast(used, true, mostBytes));
  }

  private static Forecast placed(List<Part> inputs, boolean byDocument, boolean touchedIsUsed) {
    return new PlacedForecast(
        inputs.stream().map(part -> part.used(touchedIsUsed)).toList(), byDocument);
  }

  /** Not if readers had hardly begun: then what the page cache had is the better guess. */
  private boolean isTouchedUsed() {
    List<Part> mapped =
        parts.values().stream()
            .flatMap(List::stream)
            .filter(part -> part.touched().isPresent())
            .toList();
    long cached = mapped.stream().mapToLong(part -> part.cached().bytes()).sum();
    long touched = mapped.stream().mapToLong(part -> part.touched().orElseThrow().bytes()).sum();
    return touched >= cached * LEAST_TOUCHED;
  }

  private double liveShare(SegmentFile file) {
    return liveShare.applyAsDouble(SegmentFiles.segmentOf(file.name()));
  }

  /**
   * What of a file that the merge writes stays, by the memory there is: all of it as long as memory
   * is free, as nothing is pushed out; then as much as the page cache had of the input; then no
   * more than what readers want.
   *
   * @param wanted by readers, of a file for which there is a {@link #forecast}
   */
  public Forecast fitting(String output, Forecast wanted, PageCacheMemory memory) {
    Forecast cached =
        placed(parts.get(SegmentFiles.kindOf(output)), SegmentFiles.isByDocument(output), false);
    return new FittingForecast(wanted, cached, memory);
  }

  /** Does something once the merge has written its segment, and not if it fails. */
  public void whenWritten(Runnable action) {
    whenWritten.add(action);
  }

  /** This of a file that the merge writes is kept, and shall be known when it is published. */
  public void keeps(String output, Forecast wanted) {
    kept.put(output, wanted);
  }

  /** This of it is kept too. */
  public void keepsMore(String output, Forecast wanted) {
    kept.computeIfPresent(output, (name, before) -> before.or(wanted));
  }

  /**
   * The merge has written its segment, whose files are not open yet.
   *
   * @param published accepts what it {@linkplain #keeps keeps}, if anything, when the merge has
   *     ended; others may read the segment then
   */
  public void written(Consumer<Foretold> published) {
    if (!ended) {
      dropInput(); // so that there is memory for what it has written
      whenWritten.forEach(Runnable::run);
      if (!kept.isEmpty()) {
        Foretold foretold = new Foretold(kept, isInputClosed());
        whenLeft = () -> published.accept(foretold);
      }
    }
    end();
  }

  private BooleanSupplier isInputClosed() {
    List<BooleanSupplier> closed =
        parts.values().stream().flatMap(List::stream).map(part -> part.file().closed()).toList();
    return () -> closed.stream().allMatch(BooleanSupplier::getAsBoolean);
  }

  /** The thread of the merge has left it; it may hold locks of Lucene's. */
  public void left() {
    end();
    whenLeft.run();
    whenLeft = () -> {};
  }

  /** The merge has ended. */
  public void end() {
    if (!ended) {
      ended = true;
      dropInput();
      parts.clear();
      seen.clear();
      whenWritten.clear();
      kept.clear();
      lengths.clear();
    }
  }

  private void dropInput() {
    parts.values().forEach(of -> of.forEach(part -> part.file().dropAllBut(part.cached())));
  }
}
