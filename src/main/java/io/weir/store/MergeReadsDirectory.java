package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.MappedInputs;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * A directory in which a merge reads ahead, and can be held up, or ended, while it verifies its
 * input.
 *
 * <p><b>Read-ahead.</b> A merge reads through the mappings that searches read through. Engines map
 * stored fields and term vectors with the advice {@code RANDOM}, and for such a mapping the kernel
 * reads one page per fault: a merge then reads 4 KiB at a time. Here a merge reads the next piece
 * of the file into the page cache with an ordinary read, before it reads the piece through the
 * mapping. Searches keep their advice. A thread in an ordinary read also answers the handshakes of
 * the JVM at once; a thread in a page fault delays every unmapping and every garbage collection
 * until the disk has answered.
 *
 * <p>A merge reads ahead when it verifies a file, and when it copies stored fields or term vectors.
 * Its other reads are those of the directory below: postings, doc values and points, which engines
 * map without that advice. Files that are not mapped need no read-ahead.
 *
 * <p><b>Pacing.</b> While a merge verifies, it writes nothing, and Lucene looks for an abort only
 * when it writes. Here it asks {@link MergeReadPacing} before each piece.
 *
 * <p>A file inside a compound file is treated as one of its own. Searches read as fast as without
 * this. Stored fields and term vectors that a merge copies pass one call more, and each clone that
 * its thread makes of a file looks once at its caller.
 *
 * <p>Put it above a {@link SmallFilesDirectory} and below a {@link WritebackDirectory}.
 *
 * <p><b>Threads:</b> as the directory below. A merge is known by the threads of a {@code
 * ConcurrentMergeScheduler}, and by {@link MergeReadPacing}.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. An open file that a merge has read
 * ahead keeps a descriptor until it is closed.
 *
 * <p><b>Failure:</b> as the directory below; a merge's read throws what its pacer throws. A
 * read-ahead that fails is counted, logged the first time, and not tried again for that file.
 *
 * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which reads a clone that it makes
 * itself; {@code Lucene90CompoundReader.openInput}, which opens a file as a slice with its name;
 * {@code MMapDirectory.ADVISE_BY_CONTEXT}. Linux 6.18, {@code do_sync_mmap_readahead}.
 */
public final class MergeReadsDirectory extends ForwardingDirectory {

  /** A shorter file takes a few faults, whatever its advice. */
  private static final long LEAST_BYTES = 16 << 10;

  private final long leastBytes;
  private final Optional<Path> path;
  private final FileReadAhead.Account account = new FileReadAhead.Account();

  /** Over the files of an index. */
  public MergeReadsDirectory(Directory in) {
    this(in, LEAST_BYTES);
  }

  MergeReadsDirectory(Directory in, long leastBytes) {
    super(in);
    this.leastBytes = leastBytes;
    // A directory in between may show other bytes than the file has. That does no harm: what is
    // read ahead is not used, it is in memory then.
    this.path =
        FilterDirectory.unwrap(in) instanceof FSDirectory files
            ? Optional.of(files.getDirectory())
            : Optional.empty();
  }

  /** Bytes that merges have read ahead so far. */
  public long readAheadBytes() {
    return account.bytes();
  }

  /** Files that merges could not read ahead so far. */
  public long readAheadFaults() {
    return account.faults();
  }

  /** Why merges read ahead, or why not; a sentence for a person to read. */
  public String reason() {
    return path.map(p -> "merges read mapped files ahead")
        .orElseGet(
            () ->
                "merges read nothing ahead: "
                    + FilterDirectory.unwrap(in).getClass().getSimpleName()
                    + " has no path");
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = in.openInput(name, context);
    if (OpenHints.isReadOnce(context)
        || input instanceof HeapIndexInput
        || input.length() < leastBytes) {
      return input;
    }
    ReadAhead ahead = readAhead(name, input);
    return SegmentFiles.isCompoundData(name)
        ? new CompoundInput(input, ahead, leastBytes)
        : new SharedInput(input, new MergedFile(ahead, 0, SegmentFiles.isClonedForMerge(name)));
  }

  private ReadAhead readAhead(String name, IndexInput input) {
    return MappedInputs.isNeverMapped(input)
        ? ReadAhead.NONE
        : path.<ReadAhead>map(p -> new FileReadAhead(p.resolve(name), account))
            .orElse(ReadAhead.NONE);
  }

  /** What searches and merges make their clones of. */
  private static class SharedInput extends ForwardingIndexInput {

    private final MergedFile file;

    SharedInput(IndexInput in, MergedFile file) {
      super(in);
      this.file = file;
    }

    @Override
    public IndexInput clone() {
      IndexInput clone = in.clone();
      return MergedFile.isMerging() ? file.read(clone, CallingMethod.verifiesAFile()) : clone;
    }

    @Override
    public void close() throws IOException {
      try {
        in.close();
      } finally {
        file.ahead().close();
      }
    }
  }

  /** A compound file: what it has inside are files too, the slices of which are the disk's own. */
  private static final class CompoundInput extends SharedInput {

    private final ReadAhead ahead;
    private final long leastBytes;

    CompoundInput(IndexInput in, ReadAhead ahead, long leastBytes) {
      super(in, new MergedFile(ahead, 0, false));
      this.ahead = ahead;
      this.leastBytes = leastBytes;
    }

    @Override
    public IndexInput slice(String name, long offset, long length) throws IOException {
      return file(name, offset, in.slice(name, offset, length));
    }

    @Override
    public IndexInput slice(String name, long offset, long length, IOContext context)
        throws IOException {
      IndexInput slice = in.slice(name, offset, length, context);
      return OpenHints.isReadOnce(context) ? slice : file(name, offset, slice);
    }

    private IndexInput file(String name, long offset, IndexInput slice) {
      return slice.length() < leastBytes
          ? slice
          : new SharedInput(
              slice, new MergedFile(ahead, offset, SegmentFiles.isClonedForMerge(name)));
    }
  }
}
