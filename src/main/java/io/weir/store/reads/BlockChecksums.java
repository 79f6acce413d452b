package io.weir.store.reads;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * The checksums of the blocks of a file, as they were when it was written. With them a merge
 * verifies a block right before it uses it, and so reads its input from the disk once: Lucene
 * verifies each file from end to end, and merges it when the page cache may have lost it again.
 *
 * <p><b>The guarantee is Lucene's:</b> no byte of a damaged file gets into a segment, and a damaged
 * file fails the merge with a {@code CorruptIndexException}. Once a merge has put off the
 * verification of a file, it verifies each block before it uses any byte of it, and the blocks that
 * it has not used before it writes the field infos, without which there is no segment. A block with
 * another checksum is no proof of damage: the file may have been replaced. So the whole file is
 * then verified as Lucene does, and if it is intact its blocks are not known any more.
 *
 * <p>A block ends with the write by which it has {@link #LEAST_BLOCK_BYTES}: no write is divided.
 *
 * <p><b>Cost:</b> 12 bytes for each block, that is, 48 bytes for each MiB of a file. No byte is
 * summed twice when it is written: Lucene's output has a checksum of all bytes so far, and that of
 * a block follows from those at its beginning and its end. To ask for it passes on at most 8 KiB
 * that the output has in its buffer.
 *
 * <p><b>Threads:</b> any; immutable, except that it can be outdated. <b>Ownership:</b> the
 * directory that has written the file, until the file is deleted, renamed or written again; after
 * that the file itself, which {@linkplain KeptChecksums keeps} a coarser copy of those of long
 * files.
 *
 * <p>Source: Lucene 10.5.1, {@code OutputStreamIndexOutput.getChecksum} (CRC-32). zlib 1.3, {@code
 * crc32_combine}: the checksum of A and B together is that of A times x to the power of the bits of
 * B, modulo the polynomial, plus that of B.
 */
public final class BlockChecksums {

  /** What a slow disk reads in a few milliseconds. */
  static final int LEAST_BLOCK_BYTES = 256 << 10;

  /** Of CRC-32. The highest bit is the coefficient of the lowest power, here and below. */
  private static final int POLYNOMIAL = 0xEDB88320;

  private static final int ONE = 1 << 31;

  private static final int X_TO_THE_8 = ONE >>> 8;

  private final int[] checksums;
  private final long[] ends; // in the file, ascending
  private volatile boolean outdated;

  private BlockChecksums(int[] checksums, long[] ends) {
    this.checksums = checksums;
    this.ends = ends;
  }

  /** The length of the file, in bytes. */
  public long length() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** How many blocks there are. */
  int count() {
    return ends.length;
  }

  /** The checksum of the whole file. */
  int ofAll() {
    int all = 0;
    for (int block = 0; block < checksums.length; block++) {
      all = checksums[block] ^ followedBy(end(block) - begin(block), all);
    }
    return all;
  }

  /** The same in longer blocks, at most so many. */
  BlockChecksums inAtMost(int blocks) {
    long leastBytes = Math.ceilDiv(length(), (long) blocks);
    int[] sums = new int[Math.min(blocks, count())];
    long[] endsOf = new long[sums.length];
    int joined = 0;
    long begun = 0;
    int sum = 0;
    for (int block = 0; block < count(); block++) {
      sum = checksums[block] ^ followedBy(end(block) - begin(block), sum);
      if (end(block) - begun >= leastBytes || block == count() - 1) {
        sums[joined] = sum;
        endsOf[joined++] = end(block);
        begun = end(block);
        sum = 0;
      }
    }
    return new BlockChecksums(Arrays.copyOf(sums, joined), Arrays.copyOf(endsOf, joined));
  }

  /**
   * What {@link #write} has written, in at most so many blocks.
   *
   * @throws IOException if it is damaged so that it cannot be read
   */
  static BlockChecksums read(DataInput in, int most) throws IOException {
    int count = in.readVInt();
    if (count < 0 || count > most) {
      throw new IOException(count + " blocks, at most " + most);
    }
    int[] checksums = new int[count];
    long[] ends = new long[count];
    long end = 0;
    for (int block = 0; block < count; block++) {
      long bytes = in.readVLong();
      if (bytes <= 0 || bytes > Long.MAX_VALUE - end) {
        throw new IOException("a block of " + bytes + " bytes");
      }
      end += bytes;
      ends[block] = end;
      checksums[block] = in.readInt();
    }
    return new BlockChecksums(checksums, ends);
  }

  void write(DataOutput out) throws IOException {
    out.writeVInt(count());
    for (int block = 0; block < count(); block++) {
      out.writeVLong(end(block) - begin(block));
      out.writeInt(checksums[block]);
    }
  }

  /** Whether a file of the same name had other bytes. */
  boolean isOutdated() {
    return outdated;
  }

  /** A file of the same name has other bytes. */
  void setOutdated() {
    outdated = true;
  }

  /** The block that a byte of the file is in. */
  int blockAt(long position) {
    int found = Arrays.binarySearch(ends, position + 1);
    return found < 0 ? -found - 1 : found;
  }

  long begin(int block) {
    return block == 0 ? 0 : ends[block - 1];
  }

  long end(int block) {
    return ends[block];
  }

  int ofBlock(int block) {
    return checksums[block];
  }

  /**
   * What a checksum becomes when so many bytes follow, the checksum of these bytes apart: it is to
   * be added, that is, XOR.
   */
  static int followedBy(long bytes, int checksum) {
    return product(power(bytes), checksum);
  }

  /** The checksum of a file with Lucene's footer, whose own checksum this is. */
  static int withFooter(long footerChecksum) {
    CRC32 last = new CRC32();
    last.update(ByteBuffer.allocate(Long.BYTES).putLong(footerChecksum).flip());
    return (int) last.getValue() ^ followedBy(Long.BYTES, (int) footerChecksum);
  }

  /** The power of x that so many bytes stand for. */
  private static int power(long bytes) {
    int power = ONE;
    int square = X_TO_THE_8;
    for (long left = bytes; left > 0; left >>= 1) {
      power = (left & 1) == 0 ? power : product(square, power);
      square = product(square, square);
    }
    return power;
  }

  private static int product(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int bit = 31; bit >= 0; bit--) { // no branches: they would be guessed wrong
      product ^= shifted & -(a >>> bit & 1);
      shifted = shifted >>> 1 ^ POLYNOMIAL & -(shifted & 1);
    }
    return product;
  }

  /**
   * An output that notes the checksum of each block, and hands them over when it is closed.
   *
   * <p><b>Threads:</b> one at a time. <b>Failure:</b> as the output below; a file whose output has
   * failed is not handed over.
   */
  public static final class Output extends FilterIndexOutput {

    private final Consumer<BlockChecksums> finished;
    private int[] checksums = new int[4];
    private long[] ends = new long[4];
    private int blocks;
    private long grown; // of the block that is being written
    private int before; // the checksum of all blocks before it
    private boolean closed;

    /** Writes to {@code out}, of which nothing was written yet. */
    public Output(IndexOutput out, Consumer<BlockChecksums> finished) {
      super("BlockChecksumsOutput(" + out + ")", out.getName(), out);
      this.finished = finished;
    }

    @Override
    public void writeByte(byte b) throws IOException {
      out.writeByte(b);
      grown(Byte.BYTES);
    }

    @Override
    public void writeShort(short i) throws IOException {
      out.writeShort(i);
      grown(Short.BYTES);
    }

    @Override
    public void writeInt(int i) throws IOException {
      out.writeInt(i);
      grown(Integer.BYTES);
    }

    @Override
    public void writeLong(long i) throws IOException {
      out.writeLong(i);
      grown(Long.BYTES);
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) throws IOException {
      out.writeBytes(b, offset, length);
      grown(length);
    }

    /** In pieces, since a whole file is copied into a compound file by one call. */
    @Override
    public void copyBytes(DataInput input, long numBytes) throws IOException {
      long left = numBytes;
      do {
        long piece = Math.min(left, LEAST_BLOCK_BYTES);
        out.copyBytes(input, piece);
        grown(piece);
        left -= piece;
      } while (left > 0);
    }

    private void grown(long bytes) throws IOException {
      grown += bytes;
      if (grown >= LEAST_BLOCK_BYTES) {
        endBlock();
      }
    }

    private void endBlock() throws IOException {
      int all = (int) out.getChecksum();
      if (blocks == checksums.length) {
        checksums = Arrays.copyOf(checksums, 2 * blocks);
        ends = Arrays.copyOf(ends, 2 * blocks);
      }
      checksums[blocks] = all ^ followedBy(grown, before);
      ends[blocks++] = out.getFilePointer();
      before = all;
      grown = 0;
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try (out) {
        if (grown > 0) {
          endBlock();
        }
      }
      finished.accept(
          new BlockChecksums(Arrays.copyOf(checksums, blocks), Arrays.copyOf(ends, blocks)));
    }
  }
}
