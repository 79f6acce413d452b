package io.weir.store.reads;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.InputCalls;
import io.weir.store.kernel.CachedPages;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
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
 * <p><b>Verified when it is used.</b> Lucene verifies the files of all segments, and merges them
 * afterwards: what is larger than the page cache it reads twice from the disk. So the verification
 * is put off until the merge reads. The guarantee is Lucene's: no byte of a damaged file gets into
 * a segment.
 *
 * <ul>
 *   <li>Where the checksums of the blocks are known, each block is verified before its first byte
 *       is handed out: see {@link BlockChecksums}. Of a file that merges read through the mapping,
 *       such as doc values, a part is verified when it is taken, and is then one of the mapping: a
 *       value costs nothing more.
 *   <li>Otherwise stored fields, term vectors, postings and points are verified as a whole before
 *       the first byte is handed out, and read again while their pages are still in memory: see
 *       {@link DueVerification.OfWholeFile}.
 *   <li>All else is verified when Lucene asks.
 * </ul>
 *
 * <p>An application that verifies a whole segment on a thread that merges gets the answer at once.
 *
 * <p>A merge verifies a file from end to end, in pieces of full length. It reads the rest in order
 * as a rule, but not always, for example with some index sorts. So the first piece after a jump is
 * short, and each piece that follows is twice as long. Deleted documents leave gaps: a piece
 * follows the one before if the gap is no longer than that one. Where blocks are verified, a piece
 * ends with a block at the latest.
 *
 * <p><b>Threads:</b> one at a time, as any clone.
 */
public final class MergeReadInput extends BufferedIndexInput {

  static final int PIECE_BYTES = DueVerification.PIECE_BYTES;

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

  /** How the merge verifies the file when it uses it; null if it does so when Lucene asks. */
  private final DueVerification due;

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
      DueVerification due,
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
    this.due = due;
    this.pages = pages;
    this.start = start;
    this.length = length;
  }

  /** What a merge reads in place of a clone of the file that it has made. */
  public static IndexInput of(IndexInput clone, MergedFile file, boolean toVerify) {
    MergeReadPacing.Pacer pacer = MergeReadPacing.current();
    Optional<CachedPages> pages =
        toVerify || file.isReadOnce()
            ? MergeReadPacing.pages().flatMap(merge -> merge.sees(file, clone.length()))
            : Optional.empty();
    DueVerification due = file.due();
    if (!toVerify) {
      return copying(clone, file, pacer, due, pages.filter(p -> file.isDroppedBehind()));
    }
    if (due == null || CallingMethod.verifiesASegment()) {
      return verifying(clone, file, pacer);
    }
    due.putOff();
    return new VerifiedLater();
  }

  /** For all of the file; {@code pacer} is null when the merge is not paced. */
  static MergeReadInput verifying(IndexInput in, MergedFile file, MergeReadPacing.Pacer pacer) {
    // What was verified is read again, to be merged.
    return of(in, file, pacer, true, null, Optional.empty());
  }

  /** For what the merge makes its segment of. */
  static MergeReadInput copying(
      IndexInput in,
      MergedFile file,
      MergeReadPacing.Pacer pacer,
      DueVerification due,
      Optional<CachedPages> pages) {
    return of(in, file, pacer, false, due, pages);
  }

  private static MergeReadInput of(
      IndexInput in,
      MergedFile file,
      MergeReadPacing.Pacer pacer,
      boolean verifies,
      DueVerification due,
      Optional<CachedPages> pages) {
    String name = in.toString();
    return at(in, new MergeReadInput(in, name, file, pacer, verifies, due, pages, 0, in.length()));
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

  /** Asks the pacer, verifies what is due, and reads ahead of reads through the mapping. */
  private void startPiece(long position) throws IOException {
    pacer.beforeRead();
    boolean follows = position >= pieceEnd && position - pieceEnd <= pieceBytes;
    dropBehind(follows ? position : Math.min(pieceEnd, length));
    if (!follows) {
      undropped = position;
    }
    if (!verifies) {
      MergeReadPacing.pages().ifPresent(merge -> merge.copies(file, start + position));
    }
    OptionalLong block = OptionalLong.empty();
    if (due != null && due.isPutOff()) {
      block = due.toEndOfBlock(start + position);
      due.verify(
          start + position,
          start + position + 1,
          block.isPresent() ? pacerOfFurtherReads() : pacer::beforeRead);
    }
    if (block.isPresent()) {
      pieceBytes = (int) Math.min(block.getAsLong(), PIECE_BYTES);
    } else {
      int first = verifies ? PIECE_BYTES : FIRST_PIECE_BYTES;
      pieceBytes = follows && pieceBytes > 0 ? Math.min(2 * pieceBytes, PIECE_BYTES) : first;
    }
    pieceEnd = position + pieceBytes;
    long left = Math.min(pieceBytes, length - position);
    if (!file.isRead(in, start) && file.reads().isReadable() && !isLoaded(position, left)) {
      file.reads().fetch(file.start() + start + position, left);
    }
  }

  /** For the first piece of a block it was asked. */
  private DueVerification.BeforeBlock pacerOfFurtherReads() {
    boolean[] asked = {true};
    return () -> {
      if (!asked[0]) {
        pacer.beforeRead();
      }
      asked[0] = false;
    };
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
    if (toVerify && due != null && !verifies && !CallingMethod.verifiesASegment()) {
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

  /**
   * A part. Of a file that merges read through the mapping it is one of the mapping, verified now.
   */
  @Override
  public IndexInput slice(String name, long offset, long bytes) throws IOException {
    return isMapped(offset, bytes) ? in.slice(name, offset, bytes) : read(name, offset, bytes);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long bytes) throws IOException {
    return isMapped(offset, bytes)
        ? in.randomAccessSlice(offset, bytes)
        : read("randomaccess", offset, bytes);
  }

  /** A part that reaches to the end of the file has no end of its own: little of it may be read. */
  private boolean isMapped(long offset, long bytes) throws IOException {
    boolean mapped = !verifies && file.isMapped() && bytes < length - offset;
    if (mapped && due != null && offset >= 0 && bytes >= 0) {
      due.verify(start + offset, start + offset + bytes, pacer::beforeRead);
    }
    return mapped;
  }

  private MergeReadInput read(String name, long offset, long bytes) throws IOException {
    if (offset < 0 || bytes < 0 || bytes > length - offset) {
      throw new IllegalArgumentException(
          "slice() " + name + " out of bounds: " + offset + "+" + bytes + " of " + this);
    }
    IndexInput below = in.slice(name, offset, bytes);
    String full = getFullSliceDescription(name);
    return new MergeReadInput(
        below, full, file, pacer, verifies, due, pages, start + offset, bytes);
  }

  /** What is read next is verified first: what is in the buffer was not verified. */
  private void putOff() {
    due.putOff();
    pieceEnd = pieceBytes = 0;
    try {
      long position = getFilePointer();
      seek(length); // outside of the buffer, which is discarded
      seek(position);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {} // a clone: the file is the directory's

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
