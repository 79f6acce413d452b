package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A directory in which a merge can be held up, or ended, while it verifies its input: then it reads
 * every file from end to end and writes nothing, and Lucene looks for an abort only when it writes.
 *
 * <p>What a merge verifies with asks {@link MergeReadPacing} before each piece. Searches read as
 * fast as without this. Of what a merge reads besides, stored fields and term vectors pass one call
 * more, and each clone that its thread makes of a file looks once at its caller.
 *
 * <p>Put it above a {@link SmallFilesDirectory} and below a {@link WritebackDirectory}.
 *
 * <p><b>Threads, failure, ownership:</b> as the directory below; a merge's read throws what its
 * pacer throws.
 *
 * <p>A file inside a compound file is treated as one of its own.
 *
 * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which reads a clone that it makes
 * itself; {@code Lucene90CompoundReader.openInput}, which opens a file as a slice with its name.
 */
public final class MergeReadsDirectory extends ForwardingDirectory {

  /** A shorter file is read at once. */
  private static final long LEAST_BYTES = 1 << 20;

  private final long leastBytes;

  /** Over the files of an index. */
  public MergeReadsDirectory(Directory in) {
    this(in, LEAST_BYTES);
  }

  MergeReadsDirectory(Directory in, long leastBytes) {
    super(in);
    this.leastBytes = leastBytes;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    if (OpenHints.isReadOnce(context) || input.length() < leastBytes) {
      return input;
    }
    return SegmentFiles.isCompoundData(name)
        ? new CompoundInput(input, leastBytes)
        : new SharedInput(input, SegmentFiles.isClonedForMerge(name));
  }

  /** What searches and merges make their clones of. */
  private static class SharedInput extends ForwardingIndexInput {

    private final boolean clonedBefore;

    SharedInput(IndexInput in, boolean clonedBefore) {
      super(in);
      this.clonedBefore = clonedBefore;
    }

    @Override
    public IndexInput clone() {
      IndexInput clone = in.clone();
      MergeReadPacing.Pacer pacer = MergeReadPacing.current();
      if (pacer == null) {
        return clone;
      }
      if (CallingMethod.verifiesAFile()) {
        return new MergeReadInput(clone, pacer);
      }
      return clonedBefore ? new SharedInput(clone, true) : clone;
    }
  }

  /** A compound file: what it has inside are files too, the slices of which are the disk's own. */
  private static final class CompoundInput extends SharedInput {

    private final long leastBytes;

    CompoundInput(IndexInput in, long leastBytes) {
      super(in, false);
      this.leastBytes = leastBytes;
    }

    @Override
    public IndexInput slice(String name, long offset, long length) throws IOException {
      return file(name, in.slice(name, offset, length));
    }

    @Override
    public IndexInput slice(String name, long offset, long length, IOContext context)
        throws IOException {
      IndexInput slice = in.slice(name, offset, length, context);
      return OpenHints.isReadOnce(context) ? slice : file(name, slice);
    }

    private IndexInput file(String name, IndexInput slice) {
      return slice.length() < leastBytes
          ? slice
          : new SharedInput(slice, SegmentFiles.isClonedForMerge(name));
    }
  }
}
