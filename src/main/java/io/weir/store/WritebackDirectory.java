package io.weir.store;

import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import io.weir.store.kernel.ErrnoException;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.pages.Forecast;
import io.weir.store.pages.ForecastQuality;
import io.weir.store.pages.MergePages;
import io.weir.store.pages.PageCacheMemory;
import io.weir.store.reads.MergeReadPacing;
import io.weir.store.writeback.FileWriteback;
import io.weir.store.writeback.LostMerges;
import io.weir.store.writeback.UnsyncedFiles;
import io.weir.store.writeback.WritebackMedium;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/**
 * A directory that sends the output of merges to the disk while it is being written. Otherwise it
 * accumulates in memory until the kernel flushes all of it in one burst, which delays everyone.
 *
 * <p>It smooths the lasting files of a merged segment, its compound file, and segments copied by
 * {@code addIndexes(Directory...)}, from their first full range on; {@link FileStory} decides.
 * Files shorter than a range wait in memory, up to 4 MiB of them in the process; beyond that, the
 * write of the oldest ones is started. The kernel handles flushes and commits, and temporary files,
 * which are usually deleted before the kernel would write them.
 *
 * <p>Put it right above the {@code FSDirectory}, below a {@link RateLimitedDirectory}; above a
 * directory outside a file system it does nothing. The constructor chooses the {@link
 * WritebackMethod}, and logs it with the reason once per method. A denial by a security policy is
 * such a reason, not a failure. With Java 24 and later, {@code --enable-native-access=ALL-UNNAMED}
 * avoids a warning of the JVM. Without it a later Java may refuse, and then {@link
 * WritebackMethod#FDATASYNC} is used.
 *
 * <p>Smoothing does not guarantee that data is on the disk; only {@link #sync} does. A failed sync
 * is remembered for its file until the file is deleted or rewritten, because the kernel may report
 * a lost write only once. So a repeated commit fails too, instead of succeeding without its data.
 * Outside a file system nothing is remembered. Files are synced one at a time, to know which of
 * them failed.
 *
 * <p><b>Threads:</b> as the directory below. Writes of merges wait while the disk is behind by more
 * than the window; an interrupt does not end that wait.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. Each open smoothed output holds one
 * additional descriptor of its file.
 *
 * <p><b>Failure:</b> exceptions of the directory below. A fault of writeback itself ends it for
 * that file and is counted; the first one is logged. No write fails. But if the kernel reports that
 * a part of a file could not be written:
 *
 * <ul>
 *   <li>A merge is aborted with a {@code MergeAbortedException}. Its segment is not published, its
 *       inputs stay, and the writer goes on. {@code forceMerge} fails with an {@code IOException}.
 *   <li>{@code addIndexes} fails and adds nothing.
 * </ul>
 */
public final class WritebackDirectory extends ForwardingDirectory {

  private final WritebackOptions options;
  private final NanoClock clock;
  private final WritebackMedium medium;
  private final Disk.UnstartedFiles unstarted;
  private final FileWriteback.Counters counters = new FileWriteback.Counters();
  private final LostMerges lostMerges = new LostMerges();
  private final UnsyncedFiles unsynced;
  private final Forecasts forecasts;

  /** Smooths the writes of merges in {@code in}, with {@link WritebackOptions#DEFAULT}. */
  public WritebackDirectory(Directory in) {
    this(Objects.requireNonNull(in, "in"), WritebackOptions.DEFAULT);
  }

  /** Smooths the writes of merges in {@code in}. */
  public WritebackDirectory(Directory in, WritebackOptions options) {
    this(
        Objects.requireNonNull(in, "in"),
        Objects.requireNonNull(options, "options"),
        WritebackMedium.MethodLog.PROCESS.tell(
            WritebackMedium.of(in, options, ForeignLinuxCalls::get)),
        Disk.of(in).unstarted(),
        NanoClock.SYSTEM);
  }

  /** With a given medium, short files and clock. */
  WritebackDirectory(
      Directory in,
      WritebackOptions options,
      WritebackMedium medium,
      Disk.UnstartedFiles unstarted,
      NanoClock clock) {
    this(in, options, medium, unstarted, ReadersOfInput::new, clock);
  }

  /** Also with forecasts of where readers will look in the files of a merge, or those of all. */
  WritebackDirectory(
      Directory in,
      WritebackOptions options,
      WritebackMedium medium,
      Disk.UnstartedFiles unstarted,
      Function<WritebackDirectory, Forecasts> forecasts,
      NanoClock clock) {
    super(in);
    this.options = options;
    this.medium = medium;
    this.unstarted = unstarted;
    this.clock = clock;
    this.unsynced = new UnsyncedFiles(in);
    this.forecasts = forecasts.apply(this);
  }

  /** The options, as given. */
  public WritebackOptions options() {
    return options;
  }

  /** The method in use. */
  public WritebackMethod method() {
    return medium.method();
  }

  /** Why this method is used. */
  public String methodReason() {
    return medium.reason();
  }

  /** The figures so far. */
  public WritebackSnapshot snapshot() {
    return counters.snapshot(unsynced.failedFiles());
  }

  /**
   * How good the forecasts of large merges were, by which they leave pages in the page cache; empty
   * where there are no forecasts, or the kernel does not say what searches use.
   */
  public Optional<ForecastSnapshot> forecastSnapshot() {
    return forecasts.quality().map(ForecastQuality::snapshot);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    FileStory file = new FileStory(name, context);
    if (file.isOfMerge()) {
      lostMerges.checkPublishing(name);
    }
    IndexOutput output = in.createOutput(name, context);
    lostMerges.forget(name);
    unsynced.created(name);
    MergeReadPacing.pages().ifPresent(merge -> merge.grows(name, output::getFilePointer));
    return switch (file.birth()) {
      case MERGE -> smoothed(output, dropped(forecasts.of(file)), lostMerges);
      case COPY -> smoothed(output, Optional.empty(), WritebackDirectory::failCopy);
      case FLUSH, OTHER -> output;
    };
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    if (medium.method() == WritebackMethod.NONE || !FileStory.isRewritten(context)) {
      in.copyFrom(from, src, dest, context);
      unsynced.created(dest);
      return;
    }
    boolean copied = false;
    try {
      try (IndexInput input = MergeReadsDirectory.openCopied(in, from, src);
          IndexOutput output = createCopyOutput(dest, context)) {
        output.copyBytes(input, input.length());
      }
      copied = true; // only after the close, which may fail too
    } finally {
      if (!copied) {
        IOUtils.deleteFilesIgnoringExceptions(this, dest);
      }
    }
  }

  private IndexOutput createCopyOutput(String dest, IOContext context) throws IOException {
    IndexOutput output = in.createOutput(dest, context);
    unsynced.created(dest);
    return smoothed(output, Optional.empty(), WritebackDirectory::failCopy);
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    unsynced.failIfFailed(names);
    if (names.isEmpty()) {
      in.sync(names); // the directory below may have other work to do
    }
    for (String name : names) {
      unsynced.sync(name, () -> in.sync(List.of(name)));
      unstarted.remove(this, name);
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    in.rename(source, dest);
    unstarted.remove(this, source);
    unsynced.renamed(source, dest);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    unstarted.remove(this, name);
    in.deleteFile(name);
    lostMerges.forget(name);
    unsynced.deleted(name);
  }

  /** Fails with a plain exception, because a copy is not a merge that could be aborted. */
  private static void failCopy(String name, WritebackMedium.LostWriteException loss)
      throws IOException {
    throw new IOException(
        "a part of the copy " + name + " could not be written to disk: " + loss.getMessage(), loss);
  }

  private IndexOutput smoothed(
      IndexOutput output, Optional<Forecast> forecast, FileWriteback.LossHandler losses) {
    return medium.method() == WritebackMethod.NONE
        ? output
        : new FileWriteback.Output(
            output,
            new FileWriteback(
                output.getName(),
                medium,
                forecast,
                counters,
                losses,
                length -> leaveAlone(output.getName(), length),
                clock));
  }

  /** A finished file that was too short for a range. */
  private void leaveAlone(String name, long length) {
    if (medium.windowRanges() > 0) { // otherwise a write cannot be started without waiting for it
      unstarted.add(this, name, length, () -> start(name, length));
    }
  }

  /**
   * Starts the write of a finished file. That takes no report of a lost write away from a sync,
   * which only waits do.
   */
  private void start(String name, long length) {
    try (WritebackMedium.WritebackFile file = medium.opener().apply(name)) {
      file.start(0, length);
      counters.started(length);
      counters.landed(1); // nothing waits for it
    } catch (ErrnoException e) {
      if (e.errno() != ErrnoException.ENOENT) { // deleted just now
        counters.fault(name, e);
      }
    } catch (IOException | RuntimeException e) {
      counters.fault(name, new IOException("its write could not be started", e));
    }
  }

  @Override
  public void close() throws IOException {
    forecasts.quality().ifPresent(ForecastQuality::close);
    unstarted.removeAll(this);
    super.close();
  }

  /** Only this method knows what is on the disk, and can be dropped. */
  private Optional<Forecast> dropped(Optional<Forecast> forecast) {
    return forecast.filter(wanted -> medium.method() == WritebackMethod.SYNC_FILE_RANGE);
  }

  /** Drops what readers will not look for in a finished file. */
  private void drop(String name, Forecast forecast) {
    if (dropped(Optional.of(forecast)).isEmpty()) {
      return;
    }
    try (WritebackMedium.WritebackFile file = medium.opener().apply(name)) {
      forecast.unwanted(
          0,
          in.fileLength(name) - Forecast.ENDS_BYTES,
          (offset, bytes) -> counters.dropped(file.drop(offset, bytes)));
    } catch (IOException | RuntimeException e) {
      counters.fault(name, new IOException("its pages could not be dropped", e));
    }
  }

  /**
   * Reads what readers will look for in a finished file, and marks it as used. What is not kept is
   * dropped, such as what the kernel has read ahead.
   */
  private void use(String name, Forecast forecast, Forecast kept) {
    if (dropped(Optional.of(forecast)).isEmpty()) {
      return;
    }
    try (WritebackMedium.WritebackFile file = medium.opener().apply(name)) {
      forecast.wanted(
          0,
          in.fileLength(name) - Forecast.ENDS_BYTES,
          (offset, bytes) -> {
            MergeReadPacing.beforeRead();
            file.use(offset, bytes);
          });
      kept.unwanted(0, in.fileLength(name) - Forecast.ENDS_BYTES, file::drop);
    } catch (MergePolicy.MergeAbortedException e) {
      // Its next write throws that too.
    } catch (IOException | RuntimeException e) {
      counters.fault(name, new IOException("its pages could not be read", e));
    }
  }

  /** Where readers will look in a file that a merge is about to write. */
  @FunctionalInterface
  interface Forecasts {

    /** Empty to keep all of the file. */
    Optional<Forecast> of(FileStory file);

    /** How good they were; empty if that is not measured. */
    default Optional<ForecastQuality> quality() {
      return Optional.empty();
    }
  }

  /**
   * Readers will look where those of the merge's input did, if that is known.
   *
   * <p>Lucene packs the files of some merges into a compound file, and reads them for that. So what
   * such a merge writes stays until that is decided. A merge that is large for the page cache could
   * not keep it that long.
   */
  static final class ReadersOfInput implements Forecasts {

    private static final int LARGE_SHARE = 4;

    /** Of the page cache, what a merge reads of its segment at its end, at most. */
    private static final double READ_AGAIN_SHARE = 0.75;

    /** Reads what readers will look for in a finished file; other than what is kept is dropped. */
    @FunctionalInterface
    interface Use {
      void of(String name, Forecast wanted, Forecast kept);
    }

    private final BiConsumer<String, Forecast> drop;
    private final Use use;
    private final PageCacheMemory memory;
    private final Optional<ForecastQuality> quality;

    /** Merges up to this size were packed into a compound file. */
    private final AtomicLong largestPackedBytes = new AtomicLong();

    ReadersOfInput(WritebackDirectory of) {
      this(of, PageCacheMemory.OF_THIS_SYSTEM, quality(of));
    }

    ReadersOfInput(
        WritebackDirectory of, PageCacheMemory memory, Optional<ForecastQuality> quality) {
      this(of::drop, of::use, memory, quality);
    }

    private static Optional<ForecastQuality> quality(WritebackDirectory of) {
      return MergeReadsDirectory.lookedAt(of.in)
          .filter(files -> of.method() == WritebackMethod.SYNC_FILE_RANGE)
          .map(
              files ->
                  new ForecastQuality(
                      files,
                      ForeignLinuxCalls.get().pageBytes(),
                      ForecastQuality.LARGE_BYTES,
                      Disk.of(of.in).lateLooks()));
    }

    /**
     * @param drop of a finished file, what readers will not look for
     * @param use of a finished file, what readers will look for
     * @param quality measures large merges
     */
    ReadersOfInput(
        BiConsumer<String, Forecast> drop,
        Use use,
        PageCacheMemory memory,
        Optional<ForecastQuality> quality) {
      this.drop = drop;
      this.use = use;
      this.memory = memory;
      this.quality = quality;
    }

    @Override
    public Optional<ForecastQuality> quality() {
      return quality;
    }

    @Override
    public Optional<Forecast> of(FileStory file) {
      Optional<MergePages> merge = MergeReadPacing.pages();
      long mergeBytes = OpenHints.mergeBytes(file.context()).orElse(0);
      if (SegmentFiles.isCompoundData(file.name())) {
        largestPackedBytes.accumulateAndGet(mergeBytes, Math::max);
        merge.ifPresent(MergePages::end); // the files that it is written of are deleted
      } else if (file.sealsAMerge()) {
        merge.ifPresent(pages -> pages.written(m -> quality.ifPresent(q -> q.published(m))));
      }
      return merge.flatMap(pages -> pages.forecast(file.name()).flatMap(w -> of(file, pages, w)));
    }

    private Optional<Forecast> of(FileStory file, MergePages merge, Forecast wanted) {
      long mergeBytes = OpenHints.mergeBytes(file.context()).orElse(0);
      boolean large =
          mergeBytes > largestPackedBytes.get() && mergeBytes > memory.bytes() / LARGE_SHARE;
      // What is read again at the end would only be evicted until then.
      Forecast kept =
          large && merge.isForetoldAtTheEnd(file.name()) ? Forecast.ofNothing() : wanted;
      if (quality.filter(of -> of.measures(mergeBytes)).isPresent()) {
        merge.keeps(file.name(), kept);
      }
      Forecast left = merge.fitting(file.name(), kept, memory);
      merge.whenWritten(
          large ? () -> readAgain(merge, file, kept) : () -> drop.accept(file.name(), left));
      return large ? Optional.of(left) : Optional.empty();
    }

    /** While a large merge went on, readers have looked elsewhere, and pages were evicted. */
    private void readAgain(MergePages merge, FileStory file, Forecast early) {
      merge
          .forecastNow(file.name(), (long) (memory.bytes() * READ_AGAIN_SHARE))
          .ifPresent(
              now -> {
                use.of(file.name(), now, merge.fitting(file.name(), early.or(now), memory));
                merge.keepsMore(file.name(), now);
              });
    }
  }
}
