package io.weir.stress.arm.storage;

import io.weir.lucene.DocValuesOverlays;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.arm.load.SoftDeletes;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.MergeCounters;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MappingAdvice;
import io.weir.stress.setting.UpdateMode;
import io.weir.time.NanoClock;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.misc.store.DirectIODirectory;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * An arm's copy of the index, open for writing through its {@link WritePath}.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the writer and the directory. The copy has no use
 * after the arm, so closing discards what was not committed and aborts running merges; a {@code
 * forceMerge} that waits for one throws.
 */
public final class ArmIndex implements Closeable {

  private final Path index;
  private final Directory files; // below everything
  private final WritePath path;
  private final ReopenPhases phases = new ReopenPhases();
  private final TieredMergePolicy policy = new TieredMergePolicy();
  private final SoftDeletes softDeletes = new SoftDeletes();
  private final UpdateMode mode;
  private final Directory directory;
  private final IndexWriter writer;

  /** Opens the index at {@code index}, which must hold one. */
  public ArmIndex(Path index, ArmSettings settings, WritePath path) throws IOException {
    this.index = index;
    this.path = path;
    this.mode = settings.get(ArmSetting.MODE);
    this.files = files(settings, index);
    this.directory = path.directory(files);
    try {
      this.writer = new IndexWriter(directory, config(settings));
    } catch (Throwable t) {
      try (directory) {
        throw t;
      }
    }
  }

  public IndexWriter writer() {
    return writer;
  }

  /** The writer's merge policy, which may be changed while it runs. */
  public TieredMergePolicy policy() {
    return policy;
  }

  /** All that counts its merges. */
  public MergeCounters counters() {
    return path.counters();
  }

  /** What writes updates, as the arm's mode has it. */
  public Updater.ToWriter updates() {
    return new Updater.ToWriter(writer, mode, softDeletes);
  }

  /**
   * Throws what has ended the writer, if a merge or a flush did: Lucene says so to the next who
   * calls the writer, and without any load nobody does.
   */
  public void throwFailure() throws IOException {
    Throwable tragedy = writer.getTragicException();
    if (tragedy != null) {
      throw new IOException("the index cannot be written to: " + tragedy, tragedy);
    }
  }

  /** Ends the writer and leaves the index at its last commit. Later calls do nothing. */
  public void rollback() throws IOException {
    writer.rollback();
  }

  /** Checks the last commit of the index, after {@link #rollback}. */
  public Values check(NanoClock clock) throws IOException {
    if (files instanceof ByteBuffersDirectory) {
      return check(files, clock);
    }
    try (Directory plain = FSDirectory.open(index)) {
      return check(plain, clock);
    }
  }

  /**
   * Lucene's own check of a whole index, read without any of Weir's directories.
   *
   * @param directory has no writer, and stays open
   * @throws IOException when the index is broken, with the output of the check
   */
  static Values check(Directory directory, NanoClock clock) throws IOException {
    long startNanos = clock.nanoTime();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(directory);
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
      check.setInfoStream(out);
      if (!check.checkIndex().clean) {
        throw new IOException(
            "CheckIndex found the arm's index broken:\n" + output.toString(StandardCharsets.UTF_8));
      }
      try (DirectoryReader reader = SoftDeletes.live(DirectoryReader.open(directory))) {
        return Values.builder()
            .put(ArmFigures.CHECKED_SEGMENTS, (long) reader.leaves().size())
            .put(ArmFigures.CHECKED_DOCUMENTS, (long) reader.numDocs())
            .put(ArmFigures.CHECK_SECONDS, (clock.nanoTime() - startNanos) / 1e9)
            .build();
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (directory) {
      rollback();
    }
  }

  /** How this arm reopens; for one monitor. */
  public ReopenOptions reopenOptions() {
    return ReopenOptions.defaults().withPhases(phases).withRecent(0);
  }

  /** The directory of an index's files, below everything else. */
  public static Directory files(ArmSettings settings, Path index) throws IOException {
    return switch (settings.get(ArmSetting.DIRECTORY)) {
      case MMAP -> mapped(settings, index);
      case NIO -> new NIOFSDirectory(index);
      case DIRECT -> new DirectIODirectory(mapped(settings, index));
      case HEAP -> HeapIndex.copyOf(index, settings.get(ArmSetting.MERGE));
    };
  }

  private static MMapDirectory mapped(ArmSettings settings, Path index) throws IOException {
    MMapDirectory files = new MMapDirectory(index);
    if (settings.get(ArmSetting.READ_ADVICE) == MappingAdvice.BY_CONTEXT) {
      files.setReadAdvice(MMapDirectory.ADVISE_BY_CONTEXT);
    }
    return files;
  }

  /**
   * What each writer of a run has, on its path.
   *
   * @param policy becomes the one that makes compound files as asked
   */
  public static IndexWriterConfig config(
      ArmSettings settings, WritePath path, TieredMergePolicy policy) {
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setCodec(path.codec())
            .setMergeScheduler(path.scheduler())
            .setCommitOnClose(false);
    settings.get(ArmSetting.COMPOUND).applyTo(config, policy);
    settings.get(ArmSetting.OVERLAYS).ifPresent(most -> DocValuesOverlays.keep(most, config));
    return config;
  }

  private IndexWriterConfig config(ArmSettings settings) {
    IndexWriterConfig config =
        config(settings, path, policy).setOpenMode(IndexWriterConfig.OpenMode.APPEND);
    MergePolicy merges =
        mode == UpdateMode.SOFT_UPDATE ? softDeletes.retaining(config, policy) : policy;
    // The meter's policy is outermost, but for one that tells it which segment a merge writes.
    config.setMergePolicy(path.policy(path.counters().meter().policy(merges)));
    settings
        .get(ArmSetting.FULL_FLUSH_WAIT)
        .ifPresent(wait -> config.setMaxFullFlushMergeWaitMillis(wait.toMillis()));
    if (settings.get(ArmSetting.WARMER)) {
      MergedSegmentWarmer.addTo(config);
    }
    return config.setInfoStream(phases.infoStream(config.getInfoStream()));
  }
}
