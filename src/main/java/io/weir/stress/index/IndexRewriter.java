package io.weir.stress.index;

import io.weir.store.MergeReadsDirectory;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.CompoundFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Writes an index once more in another {@link IndexLayout}: the same documents in the same order in
 * the same segments, so that arms on the two differ in nothing else. To build it again would not do
 * that, because several threads build.
 *
 * <p>Where Lucene's default decides which segments are compound files, it is those of the original.
 * If that was made with another setting, it is those of up to a tenth of the index, as a merge
 * would have it.
 *
 * <p><b>Threads:</b> {@link #rewrite} once; {@link #stop} and {@link #writtenDocuments} from any.
 *
 * <p><b>Failure:</b> what either directory throws; nothing is committed then.
 */
public final class IndexRewriter {

  private final Path from;
  private final Path to;
  private final IndexLayout layout;
  private final AtomicLong written = new AtomicLong();
  private volatile boolean stopped;
  private volatile Optional<IndexWriter> writer = Optional.empty();

  /** From the index at {@code from}, which a build made, to the empty directory {@code to}. */
  public IndexRewriter(Path from, Path to, IndexLayout layout) {
    this.from = from;
    this.to = to;
    this.layout = layout;
  }

  /** How many documents have been written so far, by whole segments. */
  public long writtenDocuments() {
    return written.get();
  }

  /** Ends it early, also in the middle of a segment; it then commits nothing. */
  public void stop() {
    stopped = true;
    writer.ifPresent(IndexRewriter::rollback);
  }

  private static void rollback(IndexWriter open) {
    try {
      open.rollback();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes and commits.
   *
   * @return how many documents the index holds; 0 when stopped
   */
  public long rewrite() throws IOException {
    NoMerges policy = new NoMerges();
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setCodec(IndexSchema.codec(layout))
            .setMergePolicy(policy)
            .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
            .setCommitOnClose(false);
    try (Directory source = FSDirectory.open(from);
        // As in an application that uses Weir, files keep the checksums of their blocks.
        Directory target = new MergeReadsDirectory(FSDirectory.open(to));
        DirectoryReader reader = DirectoryReader.open(source);
        IndexWriter opened = new IndexWriter(target, config)) {
      writer = Optional.of(opened);
      IndexStamp stamp =
          IndexStamp.read(source)
              .orElseThrow(() -> new IOException("weir stress did not build this: " + from));
      for (LeafReaderContext leaf : reader.leaves()) {
        if (stopped) {
          return 0;
        }
        SegmentReader segment = (SegmentReader) leaf.reader();
        policy.compound = isCompound(segment, reader, stamp);
        opened.addIndexes(segment);
        written.addAndGet(segment.numDocs());
      }
      if (stopped) {
        return 0;
      }
      opened.setLiveCommitData(stamp.rewritten(layout).toCommitData().entrySet());
      opened.commit();
      return written.get();
    } catch (Exception e) {
      if (stopped) { // the writer was closed under it, as was asked
        return 0;
      }
      throw e;
    }
  }

  private boolean isCompound(SegmentReader segment, DirectoryReader all, IndexStamp from)
      throws IOException {
    return switch (layout.compound()) {
      case ALWAYS -> true;
      case NEVER -> false;
      case DEFAULT ->
          from.layout().compound() == CompoundFiles.DEFAULT
              ? segment.getSegmentInfo().info.getUseCompoundFile()
              : bytes(segment) <= new TieredMergePolicy().getNoCFSRatio() * bytes(all);
    };
  }

  private static long bytes(DirectoryReader reader) throws IOException {
    long bytes = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      bytes += bytes((SegmentReader) leaf.reader());
    }
    return bytes;
  }

  private static long bytes(SegmentReader segment) throws IOException {
    return segment.getSegmentInfo().sizeInBytes();
  }

  /** Merges nothing; the rewriter sets whether the next segment is a compound file. */
  private static final class NoMerges extends FilterMergePolicy {

    private volatile boolean compound;

    NoMerges() {
      super(NoMergePolicy.INSTANCE);
    }

    @Override
    public boolean useCompoundFile(
        SegmentInfos infos, SegmentCommitInfo segment, MergeContext context) {
      return compound;
    }
  }
}
