package io.weir.store;

import io.weir.lucene.CallingMethod;
import io.weir.lucene.ForwardingIndexInput;
import io.weir.lucene.InputCalls;
import java.io.IOException;
import org.apache.lucene.store.IndexInput;

/**
 * A clone that a merge reads. Before each piece it asks the pacer, and reads the piece ahead unless
 * it is in memory.
 *
 * <p>A merge verifies a file from end to end, in pieces of full length. It copies stored fields and
 * term vectors in order as a rule, but not always, for example with some index sorts. So the first
 * piece after a jump is short, and each piece that follows is twice as long. Deleted documents
 * leave gaps: a piece follows the one before if the gap is no longer than that one.
 *
 * <p><b>Threads:</b> one at a time, as any clone.
 */
final class MergeReadInput extends ForwardingIndexInput {

  /** What a slow disk reads in a few milliseconds. */
  static final int PIECE_BYTES = 256 << 10;

  /** The first piece after a jump: some chunks of stored fields. */
  static final int FIRST_PIECE_BYTES = 32 << 10;

  private static final MergeReadPacing.Pacer UNPACED = () -> {};

  private final MergedFile file;
  private final MergeReadPacing.Pacer pacer;
  private final int firstPieceBytes;

  // The last piece, in this file, and how much of it is left to be read.
  private long pieceStart;
  private long pieceEnd;
  private long leftBytes;
  private int pieceBytes;

  private MergeReadInput(
      IndexInput in, MergedFile file, MergeReadPacing.Pacer pacer, int firstPieceBytes) {
    super(in);
    this.file = file;
    this.pacer = pacer;
    this.firstPieceBytes = firstPieceBytes;
  }

  /** What a merge reads in place of a clone of the file that it has made. */
  static IndexInput of(IndexInput clone, MergedFile file, boolean toVerify) {
    if (toVerify) {
      return verifying(clone, file, MergeReadPacing.current());
    }
    return file.copied() ? copying(clone, file) : clone;
  }

  /** For all of the file; {@code pacer} is null when the merge is not paced. */
  static MergeReadInput verifying(IndexInput in, MergedFile file, MergeReadPacing.Pacer pacer) {
    return new MergeReadInput(in, file, pacer == null ? UNPACED : pacer, PIECE_BYTES);
  }

  /** For what the merge copies: it is paced when it writes the copy. */
  static MergeReadInput copying(IndexInput in, MergedFile file) {
    return new MergeReadInput(in, file, UNPACED, FIRST_PIECE_BYTES);
  }

  @Override
  public byte readByte() throws IOException {
    if (leftBytes == 0) {
      nextPiece();
    }
    leftBytes--;
    return in.readByte();
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (leftBytes == 0) {
        nextPiece();
      }
      int count = (int) Math.min(leftBytes, length - done);
      leftBytes -= count;
      in.readBytes(bytes, offset + done, count);
      done += count;
    }
  }

  @Override
  public void seek(long position) throws IOException {
    in.seek(position);
    leftBytes = position >= pieceStart && position < pieceEnd ? pieceEnd - position : 0;
  }

  @Override
  public IndexInput clone() {
    IndexInput clone = in.clone();
    return MergedFile.isMerging() ? of(clone, file, CallingMethod.verifiesAFile()) : clone;
  }

  private void nextPiece() throws IOException {
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
}
