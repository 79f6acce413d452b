package io.weir.store.reads;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.InputCalls;
import io.weir.lucene.Merges;
import io.weir.lucene.SliceHint;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BitUtil;

/**
 * A clone that a merge reads. Before each piece it asks the pacer, and reads the piece ahead unless
 * it is in memory.
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
 * <p>A merge verifies a file from end to end, in pieces of full length. It copies stored fields and
 * term vectors in order as a rule, but not always, for example with some index sorts. So the first
 * piece after a jump is short, and each piece that follows is twice as long. Deleted documents
 * leave gaps: a piece follows the one before if the gap is no longer than that one.
 *
 * <p>What is copied passes through a buffer. Lucene decompresses stored fields byte by byte, and a
 * byte of an array costs less than one of a mapping.
 *
 * <p><b>Threads:</b> one at a time, as any clone.
 */
public final class MergeReadInput extends ForwardingIndexInput {

  /** What a slow disk reads in a few milliseconds. */
  static final int PIECE_BYTES = 256 << 10;

  /** The first piece after a jump: some chunks of stored fields. */
  static final int FIRST_PIECE_BYTES = 32 << 10;

  /** As much as Lucene's own file outputs buffer. */
  static final int BUFFER_BYTES = 8 << 10;

  private static final byte[] EMPTY = {};

  private static final MergeReadPacing.Pacer UNPACED = () -> {};

  private final MergedFile file;
  private final MergeReadPacing.Pacer pacer;
  private final int firstPieceBytes;
  private final boolean copied;

  /** Lucene has asked to verify the file, and nothing was read from this clone since. */
  private boolean unverified;

  // The last piece, in this file, and how much of it is left to be read.
  private long pieceStart;
  private long pieceEnd;
  private long leftBytes;
  private int pieceBytes;

  // The last bytes of the input below that were copied here, up to where that is; from next on they
  // are still to be read.
  private byte[] buffer = EMPTY;
  private int next;
  private int limit;

  private MergeReadInput(
      IndexInput in,
      MergedFile file,
      MergeReadPacing.Pacer pacer,
      int firstPieceBytes,
      boolean copied) {
    super(in);
    this.copied = copied;
    this.file = file;
    this.pacer = pacer;
    this.firstPieceBytes = firstPieceBytes;
  }

  /** What a merge reads in place of a clone of the file that it has made. */
  public static IndexInput of(IndexInput clone, MergedFile file, boolean toVerify) {
    if (toVerify) {
      return verifying(clone, file, MergeReadPacing.current());
    }
    return file.copied() ? copying(clone, file) : clone;
  }

  /** For all of the file; {@code pacer} is null when the merge is not paced. */
  static MergeReadInput verifying(IndexInput in, MergedFile file, MergeReadPacing.Pacer pacer) {
    return new MergeReadInput(in, file, pacer == null ? UNPACED : pacer, PIECE_BYTES, false);
  }

  /** For what the merge copies: it is paced when it writes the copy. */
  static MergeReadInput copying(IndexInput in, MergedFile file) {
    return new MergeReadInput(in, file, UNPACED, FIRST_PIECE_BYTES, true);
  }

  // What finds its bytes in the buffer is short, so that the compiler inlines it.

  @Override
  public byte readByte() throws IOException {
    return next < limit ? buffer[next++] : readByteBelow();
  }

  @Override
  public short readShort() throws IOException {
    if (limit - next < Short.BYTES) {
      return super.readShort();
    }
    next += Short.BYTES;
    return (short) BitUtil.VH_LE_SHORT.get(buffer, next - Short.BYTES);
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int length) throws IOException {
    if (length <= limit - next) {
      System.arraycopy(buffer, next, bytes, offset, length);
      next += length;
    } else {
      readBytesBelow(bytes, offset, length);
    }
  }

  private byte readByteBelow() throws IOException {
    if (fill()) {
      return buffer[next++];
    }
    leftBytes--;
    return in.readByte();
  }

  private void readBytesBelow(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int left = length - done;
      int count;
      if (next < limit || left < BUFFER_BYTES && fill()) {
        count = Math.min(limit - next, left);
        System.arraycopy(buffer, next, bytes, offset + done, count);
        next += count;
      } else {
        startPiece();
        count = (int) Math.min(leftBytes, left);
        limit = next = 0;
        leftBytes -= count;
        in.readBytes(bytes, offset + done, count);
      }
      done += count;
    }
  }

  /** Fills the empty buffer from one piece; false for what is verified, and at the end. */
  private boolean fill() throws IOException {
    startPiece();
    int count =
        (int) Math.min(Math.min(BUFFER_BYTES, leftBytes), in.length() - in.getFilePointer());
    if (!copied || count <= 0) {
      return false;
    }
    if (buffer == EMPTY) {
      buffer = new byte[BUFFER_BYTES];
    }
    limit = next = 0;
    in.readBytes(buffer, 0, count);
    leftBytes -= count;
    limit = count;
    return true;
  }

  @Override
  public long getFilePointer() {
    return in.getFilePointer() - (limit - next);
  }

  @Override
  public void seek(long position) throws IOException {
    long inBuffer = position - (in.getFilePointer() - limit);
    if (inBuffer >= 0 && inBuffer <= limit) {
      next = (int) inBuffer;
    } else {
      limit = next = 0;
      in.seek(position);
      leftBytes = position >= pieceStart && position < pieceEnd ? pieceEnd - position : 0;
    }
  }

  @Override
  public IndexInput clone() {
    boolean toVerify = MergedFile.isMerging() && CallingMethod.verifiesAFile();
    // An application that verifies a segment while it merges may never read from this clone.
    if (toVerify && copied && !CallingMethod.verifiesASegment()) {
      unverified = true;
      at(getFilePointer(), in);
      limit = next = 0;
      pieceStart = pieceEnd = leftBytes = 0; // the next read is that of a new piece
      return VerifiedLater.input();
    }
    if (unverified && !toVerify) {
      MergeReadInput clone = copying(cloneBelow(), file);
      clone.unverified = true;
      return clone;
    }
    return MergedFile.isMerging() ? of(cloneBelow(), file, toVerify) : cloneBelow();
  }

  /** A clone of the input below that is where this is. */
  private IndexInput cloneBelow() {
    return at(getFilePointer(), in.clone());
  }

  private static IndexInput at(long position, IndexInput input) {
    try {
      input.seek(position);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return input;
  }

  @Override
  protected IndexInput slice(String name, long offset, long length, SliceHint hint)
      throws IOException {
    verify();
    return super.slice(name, offset, length, hint);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    verify();
    return super.randomAccessSlice(offset, length);
  }

  /** What was put off. A damaged file is refused at each read. */
  private void verify() throws IOException {
    if (unverified) {
      CodecUtil.checksumEntireFile(verifying(in, file, MergeReadPacing.current()));
      unverified = false;
    }
  }

  /** Begins the next piece if the last one was read. */
  private void startPiece() throws IOException {
    if (leftBytes > 0) {
      return;
    }
    verify();
    pacer.beforeRead();
    long position = in.getFilePointer();
    boolean follows = position >= pieceEnd && position - pieceEnd <= pieceBytes;
    pieceBytes =
        follows && pieceBytes > 0 ? Math.min(2 * pieceBytes, PIECE_BYTES) : firstPieceBytes;
    pieceStart = position;
    pieceEnd = position + pieceBytes;
    leftBytes = pieceBytes;
    long length = Math.min(pieceBytes, length() - position);
    if (file.isReadAhead() && length > 0 && !isLoaded(position, length)) {
      file.ahead().fetch(file.start() + position, length);
    }
  }

  /** Whether a read of this part would not wait for the disk. */
  private boolean isLoaded(long position, long length) throws IOException {
    return InputCalls.isLoaded(in.slice("loaded", position, length)).orElse(false);
  }

  /**
   * A file that merges read: one of its own, or one inside a compound file.
   *
   * @param ahead reads the file ahead, or the compound file
   * @param start where this file begins in that one, in bytes
   * @param copied whether merges copy it through a clone that they make of it
   */
  public record MergedFile(ReadAhead ahead, long start, boolean copied) {

    /** Whether merges read it ahead at all. */
    boolean isReadAhead() {
      return ahead != ReadAhead.NONE;
    }

    /** Whether the calling thread merges. */
    public static boolean isMerging() {
      return MergeReadPacing.current() != null || Merges.isMergeThread(Thread.currentThread());
    }
  }

  /**
   * What Lucene verifies in place of a file whose verification is put off: a footer with the
   * checksum of nothing before it.
   *
   * <p>Source: Lucene 10.5.1, {@code CodecUtil.checksumEntireFile}, which reads all of the clone
   * that it makes and uses nothing of it but the footer at its end.
   */
  private static final class VerifiedLater {

    private static final ByteBuffersDataOutput FOOTER = footer();

    private VerifiedLater() {}

    /** An input of its own. */
    static IndexInput input() {
      return new ByteBuffersIndexInput(FOOTER.toDataInput(), "verified when it is used");
    }

    private static ByteBuffersDataOutput footer() {
      ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
      try (ByteBuffersIndexOutput out = new ByteBuffersIndexOutput(bytes, "footer", "footer")) {
        CodecUtil.writeFooter(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes;
    }
  }
}
