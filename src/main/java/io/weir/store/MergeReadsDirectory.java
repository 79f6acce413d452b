package io.weir.store;

import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;

import io.weir.figure.SourceFigures;
import io.weir.lucene.CallingMethod;
import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import io.weir.lucene.SliceHint;
import io.weir.store.held.HeapIndexInput;
import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.kernel.LinuxCalls;
import io.weir.store.kernel.TouchedPages;
import io.weir.store.reads.BlockChecksums;
import io.weir.store.reads.KeptChecksums;
import io.weir.store.reads.MergeReadInput;
import io.weir.store.reads.MergeReadPacing;
import io.weir.store.reads.MergedFile;
import io.weir.store.reads.OrdinaryReads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * A directory whose merges read beside the mappings that searches use, can be paused or aborted
 * while they read, and leave readers what they have in the page cache.
 *
 * <p><b>Ordinary reads.</b> Stock merges read through the searches' mappings. Engines map stored
 * fields and term vectors with the advice {@code RANDOM}, and the kernel then reads one page for
 * each fault: a merge gets 4 KiB at a time. A thread in a page fault delays the handshakes of the
 * JVM: each unmapping and each garbage collection waits for it. So each clone that a merge makes of
 * a file reads the file itself, into a buffer: when the merge verifies any file, and when it reads
 * stored fields, term vectors, postings or points. Searches keep their mappings and their advice. A
 * file whose bytes on the disk are not those that the directory below shows is read through that
 * directory, and ahead.
 *
 * <p><b>Read once.</b> Lucene verifies the files of all segments, and then reads them again to
 * merge them. A merge of files that were written through such a directory verifies their blocks as
 * it reads them: stored fields, term vectors, postings, points, doc values, norms and vectors. So
 * what is larger than the page cache is read from the disk once. Terms and files of metadata are
 * read twice, and so is a column of doc values that is larger than the page cache. See {@link
 * io.weir.store.reads.BlockChecksums} and, for files of an earlier process, {@link
 * io.weir.store.reads.KeptChecksums}.
 *
 * <p><b>Pacing.</b> A merge that verifies writes nothing, and Lucene checks for an abort only when
 * a merge writes. So it asks {@link io.weir.store.reads.MergeReadPacing} before it reads each
 * piece.
 *
 * <p><b>The page cache.</b> With {@link MergePageCache#NEUTRAL}, what of a file is in the page
 * cache before a merge reads it is what readers use. The merge drops the rest behind itself. Pages
 * that a mapping has touched stay, whoever touched it. A {@link WritebackDirectory} above this
 * drops what the merge writes, likewise.
 *
 * <p>A file inside a compound file is treated like any other. Searches read as fast as without this
 * layer. A merge looks at its caller once for each clone that it makes of a file.
 *
 * <p>Put it above a {@link SmallFilesDirectory} and below a {@link WritebackDirectory}.
 *
 * <p><b>Threads:</b> as the directory below. Two kinds of threads count as merging: those of a
 * {@code ConcurrentMergeScheduler}, and those that {@link io.weir.store.reads.MergeReadPacing}
 * knows. Only the latter know what readers had.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. A file that a merge has read keeps
 * one or two descriptors until it is closed. The checksums of blocks take 48 bytes for each MiB of
 * the index, until their file is deleted.
 *
 * <p><b>Failure:</b> as the directory below; a read of a merge also throws what its pacer throws. A
 * damaged file of its input fails the merge with a {@code CorruptIndexException}, as in Lucene. A
 * failed ordinary read is counted, logged the first time, and not repeated for that file: the merge
 * goes on through the mapping.
 *
 * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which reads a clone that it makes
 * itself; {@code Lucene90CompoundReader.openInput}, which opens a file as a slice with its name;
 * {@code MMapDirectory.ADVISE_BY_CONTEXT}. Linux 6.18, {@code do_sync_mmap_readahead}, {@code
 * mapping_evict_folio} (a mapped page is not dropped).
 */
public final class MergeReadsDirectory extends ForwardingDirectory {

  /** What is shown of what merges read. */
  public static final SourceFigures<MergeReadsDirectory> FIGURES =
      SourceFigures.of(
          "lucene.merge.read",
          total(
              "ahead",
              BYTES,
              "Bytes that merges read beside the mappings of searches",
              MergeReadsDirectory::readAheadBytes),
          total(
              "dropped",
              BYTES,
              "Bytes of merge input dropped from the page cache, which only the merge had read",
              MergeReadsDirectory::droppedBytes),
          total(
                  "ahead.faults",
                  COUNT,
                  "Files that merges could not read beside their mappings",
                  MergeReadsDirectory::readAheadFaults)
              .counting("files"));

  /** A shorter file takes few page faults, whatever its advice. */
  private static final long LEAST_BYTES = 16 << 10;

  private final long leastBytes;
  private final Optional<Path> path;
  private final OrdinaryReads.Account account = new OrdinaryReads.Account();

  /** Of files of other directories: what hinders there says nothing of this one. */
  private final OrdinaryReads.Account copied = new OrdinaryReads.Account();

  private final MergePageCache pageCache;
  private final Optional<LinuxCalls> calls;
  private final Optional<String> obstacle;

  private final KeptChecksums keeper = KeptChecksums.ofThisMachine();

  /** Of the files that were written through this, and have not changed since. */
  private final Map<String, BlockChecksums> written = new ConcurrentHashMap<>();

  /** Over the files of an index, with a page cache that the kernel manages. */
  public MergeReadsDirectory(Directory in) {
    this(in, MergePageCache.KERNEL);
  }

  /** Over the files of an index. */
  public MergeReadsDirectory(Directory in, MergePageCache pageCache) {
    this(in, pageCache, LEAST_BYTES);
  }

  MergeReadsDirectory(Directory in, MergePageCache pageCache, long leastBytes) {
    super(in);
    this.pageCache = Objects.requireNonNull(pageCache, "pageCache");
    this.leastBytes = leastBytes;
    this.path =
        FilterDirectory.unwrap(in) instanceof FSDirectory files
            ? Optional.of(files.getDirectory())
            : Optional.empty();
    Optional<LinuxCalls> kernel = Optional.empty();
    Optional<String> reason =
        KernelPageCache.unavailable().or(() -> path.flatMap(KernelPageCache::obstacle));
    if (reason.isEmpty() && pageCache == MergePageCache.NEUTRAL) {
      try {
        kernel = Optional.of(ForeignLinuxCalls.get());
        TouchedPages.open();
      } catch (UnsupportedOperationException e) {
        reason = Optional.of(e.getMessage()); // native access is denied
      }
    }
    this.calls = kernel;
    this.obstacle = reason;
  }

  /** Bytes that merges have read so far, beside the mappings of searches. */
  public long readAheadBytes() {
    return account.bytes();
  }

  /** Bytes of the input of merges that were dropped from the page cache so far. */
  public long droppedBytes() {
    return account.droppedBytes();
  }

  /** What merges leave in the page cache. */
  public MergePageCache pageCache() {
    return pageCache;
  }

  /**
   * Where the files in {@code in} are whose pages merges look at; empty if they do not, or if the
   * kernel does not say which pages readers have touched.
   */
  static Optional<Path> lookedAt(Directory in) {
    return below(in)
        .filter(reads -> reads.calls.isPresent() && TouchedPages.isOpen())
        .flatMap(reads -> reads.path);
  }

  private static Optional<MergeReadsDirectory> below(Directory in) {
    for (Directory at = in; at instanceof FilterDirectory layer; at = layer.getDelegate()) {
      if (at instanceof MergeReadsDirectory reads) {
        return Optional.of(reads);
      }
    }
    return Optional.empty();
  }

  /**
   * Opens a file that {@code addIndexes(Directory...)} copies into a directory above this layer.
   * When it is closed, the pages of it are dropped that only the copy has brought into the page
   * cache. What the copy writes is left to the kernel: as no one has read the new segment, nothing
   * says what readers will want of it.
   */
  static IndexInput openCopied(Directory into, Directory from, String name) throws IOException {
    IndexInput input = from.openInput(name, IOContext.READONCE);
    Optional<MergeReadsDirectory> layer = below(into).filter(reads -> reads.calls.isPresent());
    if (layer.isEmpty()
        || !(FilterDirectory.unwrap(from) instanceof FSDirectory files)
        || KernelPageCache.obstacle(files.getDirectory()).isPresent()) {
      return input;
    }
    Optional<Path> file = Optional.of(files.getDirectory().resolve(name));
    return new CopiedInput(input, new OrdinaryReads(file, layer.get().calls, layer.get().copied));
  }

  /** Files that merges could not read so. */
  public long readAheadFaults() {
    return account.faults();
  }

  /** How merges read, and what they leave in the page cache; a sentence for a person to read. */
  public String reason() {
    if (path.isEmpty()) {
      String files = FilterDirectory.unwrap(in).getClass().getSimpleName();
      return "merges read as searches do: " + files + " has no path";
    }
    String reads = "merges read beside the mappings of searches";
    return switch (pageCache) {
      case KERNEL -> reads;
      case NEUTRAL ->
          reads
              + obstacle
                  .or(account::obstacle)
                  .map(why -> "; the kernel decides what stays in the page cache: " + why)
                  .orElse(", and leave readers what they have in the page cache");
    };
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    FileStory file = new FileStory(name, context);
    if (file.isOfMerge()) {
      MergeReadPacing.pages().ifPresent(merge -> merge.writes(name));
    }
    if (file.isOfMerge() && SegmentFiles.isFieldInfos(name)) {
      MergeReadPacing.verifyRest();
    }
    IndexOutput output = in.createOutput(name, context);
    written.remove(name);
    return SegmentFiles.isVerifiedAsMerged(name) || SegmentFiles.isCompoundData(name)
        ? new BlockChecksums.Output(output, blocks -> wrote(name, blocks))
        : output;
  }

  private void wrote(String name, BlockChecksums blocks) {
    written.put(name, blocks);
    path.ifPresent(folder -> keeper.keep(folder.resolve(name), blocks));
  }

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    written.remove(dest);
    in.copyFrom(from, src, dest, context);
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    written.remove(source);
    written.remove(dest);
    in.rename(source, dest);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    written.remove(name);
    in.deleteFile(name);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    Optional<BlockChecksums> blocks = Optional.ofNullable(written.get(name));
    IndexInput input = in.openInput(name, context);
    if (OpenHints.isReadOnce(context)
        || input instanceof HeapIndexInput
        || input.length() < leastBytes) {
      return input;
    }
    OrdinaryReads reads = new OrdinaryReads(path.map(p -> p.resolve(name)), calls, account);
    MergedFile file = new MergedFile(name, input, reads, blocks, keeper);
    return SegmentFiles.isCompoundData(name)
        ? new CompoundInput(input, file, reads, leastBytes)
        : new SharedInput(input, file, reads);
  }

  /** What is copied, from its beginning to its end. */
  private static final class CopiedInput extends ForwardingIndexInput {

    private final OrdinaryReads reads;
    private final Optional<CachedPages> had;

    CopiedInput(IndexInput in, OrdinaryReads reads) {
      super(in);
      this.reads = reads;
      this.had = reads.look(0, in.length());
    }

    @Override
    public void close() throws IOException {
      try (reads) {
        in.close(); // what is mapped cannot be dropped
        had.ifPresent(reads::dropAll);
      }
    }
  }

  /** What searches and merges make their clones of. */
  private static class SharedInput extends ForwardingIndexInput {

    final MergedFile file;
    final OrdinaryReads reads;

    SharedInput(IndexInput in, MergedFile file, OrdinaryReads reads) {
      super(in);
      this.file = file;
      this.reads = reads;
    }

    @Override
    public IndexInput clone() {
      IndexInput clone = in.clone();
      if (!MergedFile.isMerging()) {
        return clone;
      }
      boolean toVerify = CallingMethod.verifiesAFile();
      return toVerify || file.isReadByMerges() ? MergeReadInput.of(clone, file, toVerify) : clone;
    }

    @Override
    protected IndexInput slice(String name, long offset, long length, SliceHint hint)
        throws IOException {
      return file.isDue()
          ? MergeReadInput.of(in.clone(), file, false).slice(name, offset, length)
          : super.slice(name, offset, length, hint);
    }

    @Override
    public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
      return file.isDue()
          ? MergeReadInput.of(in.clone(), file, false).randomAccessSlice(offset, length)
          : super.randomAccessSlice(offset, length);
    }

    @Override
    public byte readByte() throws IOException {
      file.verifyDue(getFilePointer(), Byte.BYTES);
      return super.readByte();
    }

    @Override
    public void readBytes(byte[] b, int offset, int length) throws IOException {
      file.verifyDue(getFilePointer(), length);
      super.readBytes(b, offset, length);
    }

    @Override
    public void close() throws IOException {
      try {
        in.close();
      } finally {
        reads.close();
      }
    }
  }

  /** A compound file: its slices are files too, and slices of those are the disk's own. */
  private static final class CompoundInput extends SharedInput {

    private final long leastBytes;

    CompoundInput(IndexInput in, MergedFile file, OrdinaryReads reads, long leastBytes) {
      super(in, file, reads);
      this.leastBytes = leastBytes;
    }

    @Override
    protected IndexInput slice(String name, long offset, long length, SliceHint hint)
        throws IOException {
      IndexInput slice = hint.slice(in, name, offset, length);
      return OpenHints.isReadOnce(hint.context()) || length < leastBytes
          ? slice
          : new SharedInput(slice, file.inside(name, slice, offset), reads);
    }
  }
}
