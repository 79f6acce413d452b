package io.weir.stress.arm.storage;

import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.run.Values;
import io.weir.stress.arm.load.SoftDeletes;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MappingAdvice;
import io.weir.stress.setting.UpdateMode;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.misc.store.DirectIODirectory;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
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
  private final Directory directory;
  private final IndexWriter writer;

  /** Opens the index at {@code index}, which must hold one. */
  public ArmIndex(Path index, ArmSettings settings, WritePath path) throws IOException {
    this.index = index;
    this.path = path;
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

  /** What the writer does with replaced documents in {@link UpdateMode#SOFT_UPDATE}. */
  public SoftDeletes softDeletes() {
    return softDeletes;
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
    return files instanceof ByteBuffersDirectory
        ? IndexCheck.of(files, clock)
        : IndexCheck.of(index, clock);
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

  private static Directory files(ArmSettings settings, Path index) throws IOException {
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

  private IndexWriterConfig config(ArmSettings settings) {
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setOpenMode(IndexWriterConfig.OpenMode.APPEND)
            .setCodec(path.codec())
            .setMergeScheduler(path.scheduler())
            .setCommitOnClose(false);
    settings.get(ArmSetting.COMPOUND).applyTo(config, policy);
    MergePolicy merges =
        settings.get(ArmSetting.MODE) == UpdateMode.SOFT_UPDATE
            ? softDeletes.retaining(config, policy)
            : policy;
    // The meter's policy is outermost: others do not tell a wrapped one which segment a merge
    // writes.
    config.setMergePolicy(path.counters().meter().policy(merges));
    settings
        .get(ArmSetting.FULL_FLUSH_WAIT)
        .ifPresent(wait -> config.setMaxFullFlushMergeWaitMillis(wait.toMillis()));
    if (settings.get(ArmSetting.WARMER)) {
      MergedSegmentWarmer.addTo(config);
    }
    return config.setInfoStream(phases.infoStream(config.getInfoStream()));
  }
}
