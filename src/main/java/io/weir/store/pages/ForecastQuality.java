package io.weir.store.pages;

import io.weir.store.ForecastSnapshot;
import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.TouchedPages;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures the forecasts of one directory's large merges: which pages of a merged segment searches
 * have touched soon after they had it, and which of these {@link MergePages} had foretold.
 *
 * <p><b>When.</b> Searches have the segment once all readers of the merge's input are closed, and
 * somebody maps the segment. It is looked at a second after that was seen, so one to two seconds
 * after it was so. A second shows a few searches: of what was foretold for the next hours it shows
 * a small part, but it shows whether searches go where it was foretold. A search that holds an old
 * reader, or an application that reopens seldom, puts the moment off, and lengthens what is
 * measured; after {@value #MAX_LOOKS} seconds the merge counts as not measured.
 *
 * <p><b>What counts as used</b> is what the page tables of this process show as touched through a
 * mapping, and the kernel still has. That is more than searches have read, and may be less:
 *
 * <ul>
 *   <li>What was touched when the merge's thread had ended the merge is left out of all figures: a
 *       warmer, or Lucene when it opened the files, has read that. So is what searches touched in
 *       the moment before the first look. The ends of each file, {@link Forecast#ENDS_BYTES}, are
 *       left out too: Lucene reads headers and footers whenever it opens a file. If it opens the
 *       segment only for a reader, what else it reads then counts as used.
 *   <li>The kernel maps up to 16 pages around the one that is touched, if it has them. So beside a
 *       page that a search has read, what was foretold counts as used sooner than what was not.
 *   <li>The next merge, where it reads this segment through the mapping, counts as a search.
 *   <li>Pages that were touched and then evicted are not seen. Files that nothing maps are not
 *       examined, such as the stored fields of OpenSearch by default. A merge without any file that
 *       is mapped counts as not measured.
 * </ul>
 *
 * <p>Only files that have a forecast count: no dictionaries, which are always kept, and no compound
 * files.
 *
 * <p><b>Bounds:</b> merges below {@link #LARGE_BYTES} are not looked at, nor is a merge of which
 * there are more than {@link #MAX_LOOKED_AT_BYTES}; {@link LateLooks} bounds how many wait. One
 * that waits takes some 32 KiB for each GiB, and its forecasts.
 *
 * <p><b>Threads:</b> any; that of {@link LateLooks} looks. <b>Ownership:</b> refers to no directory
 * and opens no file; {@link #close} gives up what waits and waits for nothing. <b>Failure:</b>
 * throws nothing; a merge that cannot be measured is counted as such.
 */
public final class ForecastQuality implements Closeable {

  /** Two looks take a few milliseconds and more: nothing beside a merge that takes a second. */
  public static final long LARGE_BYTES = 64L << 20;

  /** What takes the kernel some tenths of a second. */
  static final long MAX_LOOKED_AT_BYTES = 16L << 30;

  /** At a second each, until searches have the segment. */
  static final int MAX_LOOKS = 600;

  private final Path directory;
  private final int pageBytes;
  private final long largeBytes;
  private final LateLooks looks;
  private final LongAdder measured = new LongAdder();
  private final LongAdder unmeasured = new LongAdder();
  private final LongAdder examined = new LongAdder();
  private final LongAdder foretold = new LongAdder();
  private final LongAdder used = new LongAdder();
  private final LongAdder hit = new LongAdder();

  /**
   * Nothing is measured yet.
   *
   * @param directory that the files are in
   * @param pageBytes the size of a page
   * @param largeBytes merges of fewer bytes are not measured
   */
  public ForecastQuality(Path directory, int pageBytes, long largeBytes, LateLooks looks) {
    this.directory = Objects.requireNonNull(directory, "directory");
    this.pageBytes = pageBytes;
    this.largeBytes = largeBytes;
    this.looks = Objects.requireNonNull(looks, "looks");
  }

  /** Whether a merge of this size is measured. */
  public boolean measures(long mergeBytes) {
    return mergeBytes >= largeBytes;
  }

  /** Measures a merge whose segment readers may open from now on. */
  public void published(MergePages.Foretold merge) {
    looks.add(this, new Measurement(merge));
  }

  /** The figures so far. */
  public ForecastSnapshot snapshot() {
    return new ForecastSnapshot(
        measured.sum(), unmeasured.sum(), examined.sum(), foretold.sum(), used.sum(), hit.sum());
  }

  /** The merges that wait count as not measured. */
  @Override
  public void close() {
    looks.removeAll(this);
  }

  /** Of one merge. */
  private final class Measurement implements LateLooks.Look {

    private final MergePages.Foretold merge;
    private int lookCount;
    private Map<String, CachedPages> before; // what was touched at the first look
    private boolean inUse; // searches had the segment at the last look

    // What searches have touched.
    private boolean known;
    private long examinedBytes;
    private long foretoldBytes;
    private long usedBytes;
    private long hitBytes;

    Measurement(MergePages.Foretold merge) {
      this.merge = merge;
    }

    @Override
    public boolean isDone() throws IOException {
      try {
        return looksOnce();
      } catch (NoSuchFileException e) {
        return true; // the segment was merged away, or never published
      }
    }

    private boolean looksOnce() throws IOException {
      if (before == null) {
        before = new HashMap<>();
        return !lookAtFirst(TouchedPages.now(pageBytes));
      }
      if (inUse) {
        measure(TouchedPages.now(pageBytes));
        return true;
      }
      inUse = merge.isInputClosed().getAsBoolean() && isMapped(TouchedPages.now(pageBytes));
      return ++lookCount >= MAX_LOOKS;
    }

    /** False if there is too much to look at. */
    private boolean lookAtFirst(TouchedPages mappings) throws IOException {
      long bytes = 0;
      for (String name : merge.files().keySet()) {
        bytes += Files.size(directory.resolve(name));
      }
      if (bytes > MAX_LOOKED_AT_BYTES) {
        return false;
      }
      for (String name : merge.files().keySet()) {
        look(mappings, name).ifPresent(touched -> before.put(name, touched));
      }
      return true;
    }

    private boolean isMapped(TouchedPages mappings) throws IOException {
      for (String name : merge.files().keySet()) {
        Path file = directory.resolve(name);
        if (Files.size(file) > 0 && mappings.look(file, 0, 0).isPresent()) {
          return true;
        }
      }
      return false;
    }

    /** The touched pages of a file without its ends. */
    private Optional<CachedPages> look(TouchedPages mappings, String name) throws IOException {
      Path file = directory.resolve(name);
      long bytes = Files.size(file) - 2 * Forecast.ENDS_BYTES;
      return bytes > 0 ? mappings.look(file, Forecast.ENDS_BYTES, bytes) : Optional.empty();
    }

    private void measure(TouchedPages mappings) throws IOException {
      for (var foretoldFile : merge.files().entrySet()) {
        String name = foretoldFile.getKey();
        Optional<CachedPages> now = look(mappings, name);
        if (now.isPresent()) {
          CachedPages was = before.getOrDefault(name, now.get().without(now.get()));
          compare(was, now.get().without(was), foretoldFile.getValue());
          known = true;
        }
      }
    }

    private void compare(CachedPages was, CachedPages since, Forecast forecast) throws IOException {
      long from = since.offset();
      long to = from + since.length();
      examinedBytes += since.length() - was.bytes();
      usedBytes += since.bytes();
      forecast.wanted(
          from,
          to,
          (at, bytes) -> {
            foretoldBytes += bytes - was.bytes(at, at + bytes);
            hitBytes += since.bytes(at, at + bytes);
          });
    }

    @Override
    public void ended(boolean done) {
      if (!done || !known) {
        unmeasured.increment();
        return;
      }
      examined.add(examinedBytes);
      foretold.add(foretoldBytes);
      used.add(usedBytes);
      hit.add(hitBytes);
      measured.increment();
    }
  }
}
