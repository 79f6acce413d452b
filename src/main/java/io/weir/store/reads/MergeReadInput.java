package io.weir.store.reads;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.InputCalls;
import io.weir.lucene.Merges;
import io.weir.lucene.SegmentFiles;
import io.weir.store.kernel.CachedPages;
import io.weir.store.pages.MergePages;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * A clone that a merge reads, in place of one that reads through the mapping of searches. It reads
 * the file by ordinary reads into a buffer, and asks the pacer before each piece.
 *
 * <p>Where the bytes of the file are not those that the directory below shows, as with encryption,
 * it reads from the clone of that directory. The same happens once an ordinary read has failed, for
 * example by an interrupt. It then brings each piece into the page cache first, unless it is there.
 *
 * <p><b>Verified when it is used.</b> Lucene verifies the stored fields of all segments, and then
 * copies them one segment after the other. Where they are larger than the page cache, it reads each
 * file twice from the disk. So the verification of a clone that a merge copies from is put off
 * until the merge reads from that clone: the file is then verified from end to end before the first
 * byte is handed out, and copied while its pages are still in memory. The guarantee is Lucene's: no
 * byte of a damaged file gets into a segment. A file that the merge reads nothing of, because all
 * its documents are deleted, is not verified. An application that verifies a whole segment on a
 * thread that merges gets the answer at once.
 *
 * <p>A merge verifies a file from end to end, in pieces of full length. It reads the rest in order
 * as a rule, but not always, for example with some index sorts. So the first piece after a jump is
 * short, and each piece that follows is twice as long. Deleted documents leave gaps: a piece
 * follows the one before if the gap is no longer than that one.
 *
 * <p><b>Threads:</b> one at a time, as any clone.
 */
public final class MergeReadInput extends BufferedIndexInput {

  /** What a slow disk reads in a few milliseconds. */
  static final int PIECE_BYTES = 256 << 10;

  /** The first piece after a jump: some chunks of stored fields. */
  static final int FIRST_PIECE_BYTES = 32 << 10;

  /** A merge has some of these for each field of each segment. */
  static final int BUFFER_BYTES = 16 << 10;

  /** A verification has one. */
  static final int VERIFYING_BUFFER_BYTES = 64 << 10;

  private static final MergeReadPacing.Pacer UNPACED = () -> {};

  private final MergedFile file;
  private final MergeReadPacing.Pacer pacer;
  private final boolean verifies;

  /** The part of the file that this is. */
  private final long start;

  private final long length;

  /** The same part through the directory below. Its position means nothing here. */
  private IndexInput in;

  /** Lucene has asked to verify the file, and nothing was read from this clone since. */
  private boolean unverified;

  // The last piece, from the start of this input.
  private long pieceEnd;
  private int pieceBytes;

  /** From here to the last piece all was read in order, and is still in the page cache. */
  private long undropped;

  /** What readers had of the file before this merge read it; empty to drop nothing. */
  private final Optional<CachedPages> pages;

  private MergeReadInput(
      IndexInput in,
      String name,
      MergedFile file,
      MergeReadPacing.Pacer pacer,
      boolean verifies,
      Optional<CachedPages> pages,
      long start,
      long length) {
    super(
        name,
        Math.clamp(
            length,
            BufferedIndexInput.MIN_BUFFER_SIZE,
            verifies ? VERIFYING_BUFFER_BYTES : BUFFER_BYTES));
    this.in = in;
    this.file = file;
    this.pacer = pacer == null ? UNPACED : pacer;
    this.verifies = verifies;
    this.pages = pages;
    this.start = start;
    this.length = length;
  }

  /** What a merge reads in place of a clone of the file that it has made. */
  public static IndexInput of(IndexInput clone, MergedFile file, boolean toVerify) {
    MergeReadPacing.Pacer pacer = MergeReadPacing.current();
    Optional<CachedPages> pages =
        MergeReadPacing.pages().flatMap(merge -> merge.sees(file, clone.length()));
    return toVerify
        ? verifying(clone, file, pacer)
        : copying(clone, file, pacer, pages.filter(p -> file.isDroppedBehind()));
  }

  /** For all of the file; {@code pacer} is null when the merge is not paced. */
  static MergeReadInput verifying(IndexInput in, MergedFile file, MergeReadPacing.Pacer pacer) {
    // What was verified is read again, to be merged.
    return of(in, file, pacer, true, Optional.empty());
  }

  /** For what the merge makes its segment of. */
  static MergeReadInput copying(
      IndexInput in, MergedFile file, MergeReadPacing.Pacer pacer, Optional<CachedPages> pages) {
    return of(in, file, pacer, false, pages);
  }

  private static MergeReadInput of(
      IndexInput in,
      MergedFile file,
      MergeReadPacing.Pacer pacer,
      boolean verifies,
      Optional<CachedPages> pages) {
    String name = in.toString();
    return at(in, new MergeReadInput(in, name, file, pacer, verifies, pages, 0, in.length()));
  }

  private static MergeReadInput at(IndexInput where, MergeReadInput input) {
    try {
      input.seek(where.getFilePointer());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return input;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  protected void seekInternal(long position) throws EOFException {
    if (position > length) {
      throw new EOFException("seek to " + position + " past EOF: " + this);
    }
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return InputCalls.isLoaded(in);
  }

  @Override
  protected void readInternal(ByteBuffer into) throws IOException {
    int begin = into.position();
    boolean filled = false;
    try {
      if (unverified) {
        verify();
      }
      fill(into);
      filled = true;
    } finally {
      if (!filled) { // Lucene's buffer would hand out what is in it at the next read
        into.position(begin).limit(begin);
      }
    }
  }

  private void fill(ByteBuffer into) throws IOException {
    long position = getFilePointer(); // of the first byte to be read
    int limit = into.limit();
    if (limit - into.position() > length - position) {
      throw new EOFException("read past EOF: " + this);
    }
    while (into.position() < limit) {
      if (position >= pieceEnd || position < pieceEnd - pieceBytes) {
        startPiece(position);
      }
      int now = (int) Math.min(limit - into.position(), pieceEnd - position);
      into.limit(into.position() + now);
      if (!file.isRead(in, start) || !file.reads().read(into, file.start() + start + position)) {
        in.seek(position);
        in.readBytes(into.array(), into.arrayOffset() + into.position(), now);
        into.position(into.position() + now);
      }
      position += now;
    }
  }

  /** Asks the pacer, and brings the piece into memory if it is read through the mapping. */
  private void startPiece(long position) throws IOException {
    pacer.beforeRead();
    boolean follows = position >= pieceEnd && position - pieceEnd <= pieceBytes;
    dropBehind(follows ? position : Math.min(pieceEnd, length));
    if (!follows) {
      undropped = position;
    }
    int first = verifies ? PIECE_BYTES : FIRST_PIECE_BYTES;
    pieceBytes = follows && pieceBytes > 0 ? Math.min(2 * pieceBytes, PIECE_BYTES) : first;
    pieceEnd = position + pieceBytes;
    long left = Math.min(pieceBytes, length - position);
    if (!file.isRead(in, start) && file.reads().isReadable() && !isLoaded(position, left)) {
      file.reads().fetch(file.start() + start + position, left);
    }
  }

  /** Drops whole blocks of the file that were read. */
  private void dropBehind(long to) {
    long blocks = (start + to) / OrdinaryReads.BLOCK_BYTES * OrdinaryReads.BLOCK_BYTES - start;
    if (pages.isPresent() && blocks > undropped) {
      file.drop(pages.get(), start + undropped, start + blocks);
      undropped = blocks;
    }
  }

  /** Whether a read of this part would not wait for the disk. */
  private boolean isLoaded(long position, long bytes) throws IOException {
    return InputCalls.isLoaded(in.slice("loaded", position, bytes)).orElse(false);
  }

  @Override
  public BufferedIndexInput clone() {
    boolean toVerify = MergedFile.isMerging() && CallingMethod.verifiesAFile();
    // An application that verifies a segment while it merges may never read from this clone.
    if (toVerify && file.copied() && !verifies && !CallingMethod.verifiesASegment()) {
      putOff();
      return new VerifiedLater();
    }
    if (toVerify) {
      return at(this, verifying(in.clone(), file, MergeReadPacing.current()));
    }
    MergeReadInput clone = (MergeReadInput) super.clone();
    clone.in = in.clone();
    clone.undropped = clone.pieceEnd = clone.pieceBytes = 0; // its own pieces
    return clone;
  }

  @Override
  public MergeReadInput slice(String name, long offset, long bytes) throws IOException {
    if (offset < 0 || bytes < 0 || bytes > length - offset) {
      throw new IllegalArgumentException(
          "slice() " + name + " out of bounds: " + offset + "+" + bytes + " of " + this);
    }
    if (unverified) {
      verify();
    }
    IndexInput below = in.slice(name, offset, bytes);
    String full = getFullSliceDescription(name);
    return new MergeReadInput(below, full, file, pacer, verifies, pages, start + offset, bytes);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long bytes) throws IOException {
    return slice("randomaccess", offset, bytes);
  }

  /** The next read verifies the file first: what is in the buffer was not verified. */
  private void putOff() {
    unverified = true;
    try {
      long position = getFilePointer();
      seek(length); // outside of the buffer, which is discarded
      seek(position);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was put off. A damaged file is refused at each read. */
  private void verify() throws IOException {
    CodecUtil.checksumEntireFile(verifying(in, file, MergeReadPacing.current()));
    unverified = false;
  }

  @Override
  public void close() {} // a clone: the file is the directory's

  /** A file that merges read: one of its own, or one inside a compound file. */
  public static final class MergedFile implements MergePages.SegmentFile {

    private static final int COMPARED_BYTES = 64;

    private enum Bytes {
      UNKNOWN,
      OF_THE_FILE,
      OTHER
    }

    private final String name;
    private final OrdinaryReads reads;
    private final long start;
    private volatile Bytes bytes = Bytes.UNKNOWN;

    /**
     * A file.
     *
     * @param reads reads the file, or the compound file
     * @param start where this file begins in that one, in bytes
     */
    public MergedFile(String name, OrdinaryReads reads, long start) {
      this.name = name;
      this.reads = reads;
      this.start = start;
    }

    /**
     * Whether what the merge has read of it can be dropped at once. In a compound file the kernel
     * would read it again, ahead of the file before it.
     */
    boolean isDroppedBehind() {
      return start == 0 && SegmentFiles.isReadOnceByMerges(name);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Optional<CachedPages> look(long length) {
      return reads.look(start, length);
    }

    /** Drops its pages from one place to another that are not among these, and not mapped. */
    void drop(CachedPages pages, long from, long to) {
      reads.drop(pages, start + from, start + to);
    }

    @Override
    public void dropAllBut(CachedPages pages) {
      reads.dropAll(pages);
    }

    OrdinaryReads reads() {
      return reads;
    }

    long start() {
      return start;
    }

    /** Whether merges copy it through a clone that they make of it, before they verify it. */
    boolean copied() {
      return SegmentFiles.isClonedForMerge(name);
    }

    /** Whether the calling thread merges. */
    public static boolean isMerging() {
      return MergeReadPacing.current() != null || Merges.isMergeThread(Thread.currentThread());
    }

    /**
     * Whether {@code all} of this file, as the directory shows it, are the bytes of the file on the
     * disk. A directory that shows other bytes shows another header and another checksum.
     */
    boolean isRead(IndexInput all, long from) throws IOException {
      if (bytes == Bytes.UNKNOWN) {
        long length = all.length();
        int count = (int) Math.min(COMPARED_BYTES, length);
        bytes =
            reads.isReadable()
                    && isSame(all, 0, from, count)
                    && isSame(all, length - count, from, count)
                ? Bytes.OF_THE_FILE
                : Bytes.OTHER;
      }
      return bytes == Bytes.OF_THE_FILE;
    }

    private boolean isSame(IndexInput all, long offset, long from, int count) throws IOException {
      byte[] shown = new byte[count];
      all.seek(offset);
      all.readBytes(shown, 0, count);
      byte[] stored = new byte[count];
      return reads.read(ByteBuffer.wrap(stored), start + from + offset)
          && Arrays.equals(shown, stored);
    }
  }

  /**
   * What Lucene verifies in place of a file whose verification is put off: a footer with the
   * checksum of nothing before it.
   *
   * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which reads all of the clone
   * that it makes and uses nothing of it but the footer at its end.
   */
  private static final class VerifiedLater extends BufferedIndexInput {

    private static final byte[] FOOTER = footer();

    VerifiedLater() {
      super("verified when it is used");
    }

    private static byte[] footer() {
      ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
      try (ByteBuffersIndexOutput out = new ByteBuffersIndexOutput(bytes, "footer", "footer")) {
        CodecUtil.writeFooter(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toArrayCopy();
    }

    @Override
    public long length() {
      return FOOTER.length;
    }

    @Override
    protected void readInternal(ByteBuffer into) {
      into.put(FOOTER, (int) getFilePointer(), into.remaining());
    }

    @Override
    protected void seekInternal(long position) {}

    @Override
    public void close() {}
  }
}
