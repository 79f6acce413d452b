package io.weir.store.reads;

import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The verification of a file by a merge: nothing, until it is put off; then no byte is handed out
 * before it was verified.
 *
 * <p><b>Threads:</b> any. Two threads may verify the same part at the same time.
 */
abstract class DueVerification {

  /** What a slow disk reads in a few milliseconds. */
  static final int PIECE_BYTES = 256 << 10;

  /** A file whose blocks may be known: of its own, or inside a compound file. */
  interface Checked {

    /** The checksums of the blocks of its container; null to verify it as Lucene does. */
    BlockChecksums checksums();

    /** The file that has the blocks: itself, or the compound file. */
    Checked container();

    /** Where it begins in its container, in bytes. */
    long start();

    /** Its length, in bytes. */
    long length();

    /** The CRC-32 of these bytes of a container, as they are now. */
    int checksum(long offset, long bytes) throws IOException;

    /** Verifies all of it as Lucene does. */
    void verify() throws IOException;

    /** Whether all that a merge reads of it, it reads through clones, and once. */
    boolean isReadOnce();

    /** The checksum in its footer, of all bytes before it; fails if the footer is damaged. */
    long footerChecksum() throws IOException;
  }

  /** Asked before a block is read. */
  @FunctionalInterface
  interface BeforeBlock {
    /** Returns when it may be read. */
    void ask() throws IOException;
  }

  private final Checked file;
  private volatile boolean isPutOff;

  DueVerification(Checked file) {
    this.file = file;
  }

  final Checked file() {
    return file;
  }

  /** From now on the merge verifies what it uses. */
  final void putOff() {
    isPutOff = true;
  }

  final boolean isPutOff() {
    return isPutOff;
  }

  /**
   * Returns if a part of the file is intact, or if nothing was put off.
   *
   * @param pacer is asked before each block that is read
   * @throws org.apache.lucene.index.CorruptIndexException if the file is damaged
   */
  final void verify(long from, long to, BeforeBlock pacer) throws IOException {
    if (isPutOff) {
      verifyNow(from, to, pacer);
    }
  }

  abstract void verifyNow(long from, long to, BeforeBlock pacer) throws IOException;

  /** The CRC-32 of these bytes of the container, as they are now; asks before each piece. */
  final int checksumNow(long from, long to, long pieceBytes, BeforeBlock pacer) throws IOException {
    int checksum = 0;
    for (long at = from; at < to; ) {
      long bytes = Math.min(pieceBytes, to - at);
      pacer.ask();
      checksum = BlockChecksums.followedBy(bytes, checksum) ^ file.container().checksum(at, bytes);
      at += bytes;
    }
    return checksum;
  }

  /**
   * How many bytes of the file follow in the block of this one; empty if it is verified as a whole.
   */
  abstract OptionalLong toEndOfBlock(long position);

  /**
   * The verification of a file whose blocks are known: block by block.
   *
   * <p><b>Threads:</b> any. Two threads may verify one block at the same time.
   */
  static final class OfBlocks extends DueVerification {

    private final BlockChecksums checksums;
    private final BitSet verified; // guarded by itself
    private volatile boolean isWhole; // verified from end to end

    /**
     * @param verified the blocks that are; files inside a compound file share it
     */
    OfBlocks(Checked file, BlockChecksums checksums, BitSet verified) {
      super(file);
      this.checksums = checksums;
      this.verified = verified;
    }

    @Override
    OptionalLong toEndOfBlock(long position) {
      long at = file().start() + position;
      return OptionalLong.of(checksums.end(checksums.blockAt(at)) - at);
    }

    @Override
    void verifyNow(long from, long to, BeforeBlock pacer) throws IOException {
      long end = file().start() + to;
      for (long at = file().start() + from; at < end && !isWhole; ) {
        int block = checksums.blockAt(at);
        if (!isVerified(block)) {
          verify(block, pacer);
        }
        at = checksums.end(block);
      }
    }

    private boolean isVerified(int block) {
      synchronized (verified) {
        return verified.get(block);
      }
    }

    private void verify(int block, BeforeBlock pacer) throws IOException {
      long begin = checksums.begin(block);
      long end = checksums.end(block);
      long pieceBytes = end - begin < 2 * PIECE_BYTES ? end - begin : PIECE_BYTES; // or joined
      if (checksumNow(begin, end, pieceBytes, pacer) == checksums.ofBlock(block)) {
        synchronized (verified) {
          verified.set(block);
        }
      } else {
        file().verify();
        isWhole = true;
        checksums.setOutdated();
      }
    }
  }

  /**
   * A file whose blocks are not known, because it was not written through this library: it is
   * verified before its first byte is used.
   *
   * <p>From its end to its beginning. What is larger than the page cache then loses first what the
   * merge reads last. In the order of the merge it would lose each page shortly before the merge
   * comes to it, so that all of it would be read twice.
   */
  static final class OfWholeFile extends DueVerification {

    /** Read in order. On a spindle a seek adds less than a tenth to it. */
    static final int STRETCH_BYTES = 8 << 20;

    private volatile boolean verified;

    OfWholeFile(Checked file) {
      super(file);
    }

    @Override
    OptionalLong toEndOfBlock(long position) {
      return OptionalLong.empty();
    }

    @Override
    void verifyNow(long from, long to, BeforeBlock pacer) throws IOException {
      if (verified) {
        return;
      }
      if (checksum(file().length() - Long.BYTES, pacer) != file().footerChecksum()) {
        file().verify(); // which fails as in Lucene, unless the bytes have changed meanwhile
      }
      verified = true;
    }

    /** Of the bytes before this one. */
    private long checksum(long end, BeforeBlock pacer) throws IOException {
      int checksum = 0; // of what follows
      for (long to = end; to > 0; ) {
        long from = (to - 1) / STRETCH_BYTES * STRETCH_BYTES;
        long start = file().start();
        int stretch = checksumNow(start + from, start + to, PIECE_BYTES, pacer);
        checksum ^= BlockChecksums.followedBy(end - to, stretch);
        to = from;
      }
      return Integer.toUnsignedLong(checksum);
    }
  }

  /**
   * What one merge has to verify, and has not yet.
   *
   * <p><b>Threads:</b> that of the merge.
   */
  static final class OfMerge {

    private final Map<Checked, DueVerification> files = new LinkedHashMap<>();

    /** Files inside a compound file share its blocks. */
    private final Map<Checked, BitSet> verified = new HashMap<>();

    private boolean ended;

    /** Null if the merge verifies the file when Lucene asks, or has read all of its input. */
    DueVerification of(Checked file) {
      DueVerification due = files.get(file);
      if (due == null && !ended) {
        due = made(file);
        if (due != null) {
          files.put(file, due);
        }
      }
      return due;
    }

    private DueVerification made(Checked file) {
      BlockChecksums checksums = file.checksums();
      if (checksums == null) {
        return file.isReadOnce() ? new OfWholeFile(file) : null;
      }
      BitSet blocks = verified.computeIfAbsent(file.container(), f -> new BitSet());
      return new OfBlocks(file, checksums, blocks);
    }

    /** Verifies what was put off and not used: from now on nothing can be put off. */
    void verifyRest(BeforeBlock pacer) throws IOException {
      ended = true;
      for (DueVerification due : files.values()) {
        if (due.isPutOff()) { // others may be closed: norms that the merge wrote, for example
          due.verify(0, due.file().length(), pacer);
        }
      }
      files.clear();
    }
  }
}
