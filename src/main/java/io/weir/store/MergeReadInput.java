package io.weir.store;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;

/**
 * What a merge verifies a file with: asks before every piece.
 *
 * <p><b>Threads:</b> one at a time, as any clone.
 */
final class MergeReadInput extends ForwardingIndexInput {

  /** What a slow disk reads in a few milliseconds. */
  static final long PIECE_BYTES = 256 << 10;

  private final MergeReadPacing.Pacer pacer;
  private long leftBytes;

  MergeReadInput(IndexInput in, MergeReadPacing.Pacer pacer) {
    super(in);
    this.pacer = pacer;
  }

  @Override
  public byte readByte() throws IOException {
    ask(1);
    return in.readByte();
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int length) throws IOException {
    ask(length);
    in.readBytes(bytes, offset, length);
  }

  private void ask(long bytes) throws IOException {
    leftBytes -= bytes;
    if (leftBytes < 0) {
      leftBytes = PIECE_BYTES;
      pacer.beforeRead();
    }
  }
}
