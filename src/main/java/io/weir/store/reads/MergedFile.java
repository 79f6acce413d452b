package io.weir.store.reads;

import io.weir.lucene.Merges;
import io.weir.lucene.SegmentFiles;
import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.TouchedPages;
import io.weir.store.pages.MergePages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.IndexInput;

/**
 * A file that merges read: one of its own, or one inside a compound file.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns nothing; what it is made of must be open while
 * merges read it.
 */
public final class MergedFile implements MergePages.SegmentFile, DueVerification.Checked {

  private static final int COMPARED_BYTES = 64;

  /** Of what is verified as the directory shows it. */
  private static final int PIECE_BYTES = 16 << 10;

  private enum Bytes {
    UNKNOWN,
    OF_THE_FILE,
    OTHER
  }

  private final String name;
  private final IndexInput shown;
  private final OrdinaryReads reads;
  private final KeptChecksums keeper;
  private volatile Optional<BlockChecksums> kept; // null until a merge asks
  private final long start;
  private final MergedFile container; // itself, or the compound file
  private final boolean readOnce;
  private final boolean verifiedAsMerged;
  private volatile Bytes bytes = Bytes.UNKNOWN;

  /**
   * A file of its own.
   *
   * @param shown as the directory below shows it; belongs to the caller
   * @param written the checksums of its blocks, if they are known
   * @param keeper knows those that the file keeps, otherwise
   */
  public MergedFile(
      String name,
      IndexInput shown,
      OrdinaryReads reads,
      Optional<BlockChecksums> written,
      KeptChecksums keeper) {
    this.name = name;
    this.shown = shown;
    this.reads = reads;
    Optional<BlockChecksums> known = written.filter(blocks -> blocks.length() == shown.length());
    this.kept = known.isPresent() ? known : null;
    this.keeper = keeper;
    this.start = 0;
    this.container = this;
    this.readOnce = SegmentFiles.isReadOnceByMerges(name);
    this.verifiedAsMerged = SegmentFiles.isVerifiedAsMerged(name);
  }

  private MergedFile(String name, IndexInput shown, long start, MergedFile container) {
    this.name = name;
    this.shown = shown;
    this.reads = container.reads;
    this.start = start;
    this.container = container;
    this.keeper = container.keeper;
    this.readOnce = SegmentFiles.isReadOnceByMerges(name);
    this.verifiedAsMerged = SegmentFiles.isVerifiedAsMerged(name);
  }

  /** A file inside this one, which is a compound file; it begins here, in bytes. */
  public MergedFile inside(String inner, IndexInput part, long begin) {
    return new MergedFile(inner, part, begin, this);
  }

  @Override
  public MergedFile container() {
    return container;
  }

  /** Null if they are not known, or if a merge does not put off this file's verification. */
  @Override
  public BlockChecksums checksums() {
    return verifiedAsMerged
        ? container.known().filter(blocks -> !blocks.isOutdated()).orElse(null)
        : null;
  }

  private Optional<BlockChecksums> known() {
    if (kept == null) {
      kept = reads.path().flatMap(path -> keeper.of(path, length(), this::footerChecksum));
    }
    return kept;
  }

  /** Whether what the calling thread's merge reads of it is verified when it is read. */
  public boolean isDue() {
    DueVerification due = due();
    return due != null && due.isPutOff();
  }

  /** Before the calling thread's merge, if it is one, reads these bytes of it without a clone. */
  public void verifyDue(long position, long count) throws IOException {
    DueVerification due = due();
    if (due != null) {
      due.verify(position, position + count, MergeReadPacing.current()::beforeRead);
    }
  }

  /**
   * Whether what the calling thread, a merge's, clones of it is read beside the mapping of
   * searches.
   */
  public boolean isReadByMerges() {
    return isReadOnce() || due() != null;
  }

  /** How the calling thread's merge verifies it; null if as Lucene does. */
  DueVerification due() {
    return verifiedAsMerged ? MergeReadPacing.due(this) : null; // searches ask for each slice
  }

  @Override
  public boolean isReadOnce() {
    return readOnce;
  }

  /** Whether merges read it through the mapping. */
  boolean isMapped() {
    return SegmentFiles.isMappedByMerges(name);
  }

  /** As Lucene does, through the directory below. */
  @Override
  public void verify() throws IOException {
    CodecUtil.checksumEntireFile(shown.clone());
  }

  @Override
  public long footerChecksum() throws IOException {
    return CodecUtil.retrieveChecksum(shown.clone());
  }

  /** The CRC-32 of a part of a file of its own: of what is on the disk, if that is shown. */
  @Override
  public int checksum(long offset, long count) throws IOException {
    IndexInput all = shown.clone();
    if (isRead(all, 0)) {
      OptionalInt stored = reads.checksum(offset, count);
      if (stored.isPresent()) {
        return stored.getAsInt();
      }
    }
    reads.fetch(offset, count);
    CRC32 checksum = new CRC32();
    byte[] piece = new byte[PIECE_BYTES];
    all.seek(offset);
    for (long left = count; left > 0; ) {
      int now = (int) Math.min(left, piece.length);
      all.readBytes(piece, 0, now);
      checksum.update(piece, 0, now);
      left -= now;
    }
    return (int) checksum.getValue();
  }

  /**
   * Whether what the merge has read of it can be dropped at once. In a compound file the kernel
   * would read it again, ahead of the file before it.
   */
  boolean isDroppedBehind() {
    return start == 0 && readOnce;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<CachedPages> look(long length) {
    return reads.look(start, length);
  }

  @Override
  public Optional<CachedPages> touched(TouchedPages mappings, long length) {
    return reads.touched(mappings, start, length);
  }

  @Override
  public BooleanSupplier closed() {
    OrdinaryReads ofFile = reads; // which do not refer to what is shown
    return () -> !ofFile.isReadable();
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

  @Override
  public long start() {
    return start;
  }

  @Override
  public long length() {
    return shown.length();
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
