package io.weir.store.reads;

import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.kernel.LinuxCalls;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.util.IOSupplier;

/**
 * The {@link BlockChecksums} that a file keeps itself, in its extended attribute {@value
 * #ATTRIBUTE}, so that a merge reads it once after a restart too.
 *
 * <p>They are no more trusted than the file: they count only if together they are Lucene's own
 * checksum, in the footer of the file. A copy of the file without its attributes, or a file system
 * without them, costs a merge a second read, as does a file that Lucene alone has written.
 *
 * <p><b>Bound:</b> one attribute of at most {@link #MAX_BYTES}, as ext4 has 4 KiB for all of a
 * file. So the blocks of a file of 1 GiB have 3 MiB. Files below {@link #LEAST_BYTES} keep none.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> the file. <b>Failure:</b> throws nothing; the first
 * fault is logged at DEBUG.
 */
public final class KeptChecksums {

  /** Of a block. What is shorter stays in the page cache between the two reads. */
  static final long LEAST_BYTES = BlockChecksums.LEAST_BLOCK_BYTES;

  static final String ATTRIBUTE = "user.weir.blocks";

  static final int MAX_BYTES = 3000;

  private static final int MAX_BLOCKS = 360; // of at most 4 + 4 bytes each, up to 256 MiB a block

  private static final byte VERSION = 1;

  private static final OnceLog LOG = new OnceLog(KeptChecksums.class);

  private final Optional<LinuxCalls> calls;

  /**
   * By these calls.
   *
   * @param calls empty to keep nothing, and to know of nothing that is kept
   */
  public KeptChecksums(Optional<LinuxCalls> calls) {
    this.calls = Objects.requireNonNull(calls, "calls");
  }

  /** By the calls of this machine, if there are any. */
  public static KeptChecksums ofThisMachine() {
    try {
      return new KeptChecksums(Optional.of(ForeignLinuxCalls.get()));
    } catch (UnsupportedOperationException e) {
      return new KeptChecksums(Optional.empty());
    }
  }

  /** The file shall keep them. */
  public void keep(Path file, BlockChecksums blocks) {
    if (blocks.length() < LEAST_BYTES || !isReached(file)) {
      return;
    }
    try {
      ByteBuffersDataOutput out = new ByteBuffersDataOutput();
      out.writeByte(VERSION);
      blocks.inAtMost(MAX_BLOCKS).write(out);
      if (out.size() <= MAX_BYTES) {
        ByteBuffer value = ByteBuffer.allocateDirect((int) out.size()).put(out.toArrayCopy());
        calls.get().setAttribute(file, ATTRIBUTE, value.flip());
      }
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      log("the checksums of its blocks cannot be kept with " + file, e);
    }
  }

  /**
   * What the file keeps; empty if it keeps nothing that is known to be right.
   *
   * @param length of the file, in bytes
   * @param footerChecksum reads the one in its footer; it may fail, if that is damaged
   */
  Optional<BlockChecksums> of(Path file, long length, IOSupplier<Long> footerChecksum) {
    if (length < LEAST_BYTES || !isReached(file)) {
      return Optional.empty();
    }
    try {
      ByteBuffer value = ByteBuffer.allocateDirect(MAX_BYTES);
      byte[] bytes = new byte[calls.get().attribute(file, ATTRIBUTE, value)];
      value.get(bytes);
      ByteArrayDataInput in = new ByteArrayDataInput(bytes);
      return in.readByte() == VERSION
          ? Optional.of(BlockChecksums.read(in, MAX_BLOCKS))
              .filter(blocks -> blocks.length() == length && isOf(blocks, footerChecksum))
          : Optional.empty();
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      log("no checksums of its blocks are known of " + file, e);
      return Optional.empty();
    }
  }

  /** Another file system of Java's may give the path of another file to the kernel. */
  private boolean isReached(Path file) {
    return calls.isPresent() && file.getFileSystem().equals(FileSystems.getDefault());
  }

  private static boolean isOf(BlockChecksums blocks, IOSupplier<Long> footerChecksum) {
    try {
      return blocks.ofAll() == BlockChecksums.withFooter(footerChecksum.get());
    } catch (IOException e) {
      return false; // a damaged footer, which its verification will find
    }
  }

  private static void log(String what, Throwable cause) {
    LOG.log(Level.DEBUG, what + ", so merges verify such files as a whole: " + cause);
  }
}
