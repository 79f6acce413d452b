package io.weir.store.keys;

import io.weir.lucene.FileRange;
import io.weir.store.held.HeapIndexInput;
import io.weir.store.held.HeldMemory;
import io.weir.store.reads.MergeReadPacing;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.IndexInput;

/**
 * The loading of one dictionary or filter into memory: all its files or none, and of the blocks
 * only the parts to be held. It can stop in between, and goes on where it stopped.
 *
 * <p>The room of all of it is reserved before the first byte is read. While it is stopped, it keeps
 * that room, and what was copied is held by soft references.
 *
 * <p><b>Threads:</b> one at a time, except {@link #release}. <b>Ownership:</b> who began it
 * releases it, or the {@link #loaded} dictionary. Both have the same share of the memory, which is
 * released once.
 */
public final class DictionaryCopy {

  /** How far it is. */
  enum Progress {
    /** All of it is in memory. */
    COMPLETE,
    /** The heap has no room for the rest; it can go on later. */
    STOPPED,
    /** The JVM has reclaimed what was copied; its room is released. */
    RECLAIMED
  }

  /** How long a copy that has stopped keeps its room while the heap is short. */
  public static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The copies of one file, range by range. */
  private record FileCopy(
      DictionaryFiles.File file, List<FileRange> ranges, List<HeapCopy> copies) {

    static FileCopy of(
        DictionaryFiles.File file, List<FileRange> ranges, HeldMemory.Allocator allocator) {
      return new FileCopy(
          file,
          ranges,
          file.isOnHeap()
              ? List.of()
              : ranges.stream().map(range -> new HeapCopy(range.length(), allocator)).toList());
    }

    boolean isOf(DictionaryFiles.File other) {
      return other.length() == file.length()
          && other.isWhole() == file.isWhole()
          && other.isOnHeap() == file.isOnHeap();
    }

    boolean isComplete() {
      return copies.stream().allMatch(copy -> copy.leftBytes() == 0);
    }

    /** From where the copy of a range stands. */
    IndexInput open(IndexInput source, int range) throws IOException {
      IndexInput part =
          file.isWhole()
              ? source
              : source.slice("keys", ranges.get(range).start(), ranges.get(range).length());
      part.seek(copies.get(range).copiedBytes());
      return part;
    }

    /** Null if the JVM has reclaimed some of it. */
    OverlayInput.Held parts() throws IOException {
      if (file.isOnHeap()) {
        return OverlayInput.Held.whole(file.opened());
      }
      List<OverlayInput.Part> parts = new ArrayList<>();
      for (int i = 0; i < copies.size(); i++) {
        IndexInput copy = copies.get(i).input(file.name());
        if (copy == null) {
          return null;
        }
        parts.add(new OverlayInput.Part(ranges.get(i), copy));
      }
      OverlayInput.Held held =
          file.isWhole()
              ? OverlayInput.Held.whole(parts.getFirst().copy())
              : OverlayInput.Held.of(parts);
      if (file.opened() != null) {
        file.requireSame(held.over(file.opened()));
      }
      return held;
    }
  }

  private final DictionaryMemory memory;
  private final DictionaryMemory.Share share;
  private FileCopy blocks;
  private FileCopy index; // null for a filter
  private volatile Loaded loaded; // null unless complete
  private boolean stopped;
  private long patienceEndNanos; // once stopped

  private DictionaryCopy(
      DictionaryMemory memory,
      DictionaryMemory.Share share,
      DictionaryFiles files,
      List<FileRange> parts) {
    HeldMemory.Allocator allocator = memory.allocator();
    this.memory = memory;
    this.share = share;
    this.blocks = FileCopy.of(files.blocks(), parts, allocator);
    this.index =
        files
            .index()
            .map(file -> FileCopy.of(file, List.of(FileRange.ofFile(file.length())), allocator))
            .orElse(null);
  }

  /**
   * Reserves the room of a dictionary or a filter.
   *
   * @return its copy, with nothing read; null if there is no room
   */
  static DictionaryCopy begin(DictionaryMemory memory, DictionaryFiles files) throws IOException {
    List<FileRange> parts = files.blocks().ranges();
    DictionaryMemory.Share share = memory.reserve(files, parts);
    return share == null ? null : new DictionaryCopy(memory, share, files, parts);
  }

  /**
   * Goes on with the files of the segment, which was not open so far.
   *
   * @return false if these are not the same files
   */
  boolean goesOnWith(DictionaryFiles opened) {
    if (!blocks.isOf(opened.blocks())
        || (index == null) != opened.index().isEmpty()
        || index != null && !index.isOf(opened.index().get())) {
      return false;
    }
    blocks = new FileCopy(opened.blocks(), blocks.ranges(), blocks.copies());
    index =
        index == null ? null : new FileCopy(opened.index().get(), index.ranges(), index.copies());
    return true;
  }

  /**
   * Reads on.
   *
   * @param pacer called before each piece; an exception of it ends the loading
   */
  Progress goOn(MergeReadPacing.Pacer pacer) throws IOException {
    Progress progress = index == null ? Progress.COMPLETE : copy(index, pacer);
    if (progress == Progress.COMPLETE) {
      progress = copy(blocks, pacer);
    }
    if (progress == Progress.COMPLETE) {
      progress = complete();
    }
    if (progress == Progress.RECLAIMED) {
      share.reclaimedInPart();
    }
    return progress;
  }

  private Progress copy(FileCopy file, MergeReadPacing.Pacer pacer) throws IOException {
    if (file.isComplete()) {
      return Progress.COMPLETE;
    }
    try (IndexInput source = file.file().reader().get()) {
      for (int range = 0; range < file.ranges().size(); range++) {
        Progress progress = copy(file.copies().get(range), file.open(source, range), pacer);
        if (progress != Progress.COMPLETE) {
          return progress;
        }
      }
    }
    return Progress.COMPLETE;
  }

  private Progress copy(HeapCopy copy, IndexInput source, MergeReadPacing.Pacer pacer)
      throws IOException {
    while (copy.leftBytes() > 0) {
      pacer.beforeRead();
      if (!share.isAdmitted()) {
        return Progress.STOPPED;
      }
      long before = copy.copiedBytes();
      boolean held = copy.step(source);
      share.read(copy.copiedBytes() - before);
      if (!held || !areHeld(index) || !areHeld(blocks)) {
        return Progress.RECLAIMED;
      }
    }
    return Progress.COMPLETE;
  }

  /** Asks all copies, so that those that are complete are not taken for idle. */
  private static boolean areHeld(FileCopy file) {
    return file == null || file.copies().stream().allMatch(HeapCopy::isHeld);
  }

  private Progress complete() throws IOException {
    OverlayInput.Held indexParts = index == null ? null : index.parts();
    OverlayInput.Held blocksParts = blocks.parts();
    if (blocksParts == null || index != null && indexParts == null) {
      return Progress.RECLAIMED;
    }
    Loaded.Copies copies = new Loaded.Copies(blocksParts, indexParts);
    loaded = new Loaded(memory.held().hold(copies), share);
    return Progress.COMPLETE;
  }

  /** The dictionary in memory; null unless complete. */
  Loaded loaded() {
    return loaded;
  }

  /** When it stopped for the first time, its patience began; the end of that. */
  long patienceEndNanos() {
    if (!stopped) {
      stopped = true;
      patienceEndNanos = memory.nowNanos() + PATIENCE.toNanos();
    }
    return patienceEndNanos;
  }

  /** Whether it has waited long enough for room. */
  boolean isOutOfPatience() {
    return stopped && memory.nowNanos() - patienceEndNanos >= 0;
  }

  /** Releases what was copied, complete or not. */
  void release() {
    Loaded complete = loaded;
    if (complete == null) {
      share.release();
    } else {
      complete.release();
    }
  }

  /** Releases what was copied so far for lack of heap, and counts that. */
  void giveUp() {
    share.giveUp();
  }

  /**
   * A terms dictionary in memory, both blocks and index, or a filter, with the memory that was
   * reserved for it.
   *
   * <p>It is held by a soft reference: a JVM that is about to run out of heap reclaims it. Lookups
   * in progress keep it until they end.
   *
   * <p><b>Threads:</b> any. <b>Ownership:</b> who holds it ends it, by {@link #release} or {@link
   * #reclaimed}; the first call counts.
   */
  record Loaded(HeldCopies.Held<Copies> held, DictionaryMemory.Share share) {

    /**
     * The copies of the files.
     *
     * @param blocks all blocks, or those of key fields; or the filter
     * @param index all of it; null for a filter
     */
    record Copies(OverlayInput.Held blocks, OverlayInput.Held index) {}

    /** Sets who is called when the JVM has reclaimed it; the listener must be quick. */
    void onReclaimed(Runnable listener) {
      held.onReclaimed(listener);
    }

    /** The bytes of the dictionary that are held. */
    long bytes() {
      return share.bytes();
    }

    /** The copies; null if they were reclaimed. */
    Copies copies() {
      return held.get();
    }

    /** Releases its memory. */
    void release() {
      held.remove();
      share.release();
    }

    /** Releases the memory that the JVM has reclaimed, and counts that. */
    void reclaimed() {
      held.remove();
      share.reclaimed();
    }
  }

  /**
   * Copies a file to the heap piece by piece, so that the caller can stop in between and go on
   * later.
   *
   * <p>Until it is complete, it is held by a soft reference: a JVM that runs out of heap reclaims
   * what was copied, except for the piece in progress.
   *
   * <p><b>Threads:</b> one at a time. <b>Failure:</b> exceptions of the source, and {@link
   * OutOfMemoryError}; the copy is then unusable.
   */
  static final class HeapCopy {

    /**
     * A power of two, and less than half of G1's smallest region (1 MiB), so not a humongous
     * object.
     */
    static final int MIN_BLOCK_BYTES = 1 << 18;

    /** A slow disk reads this in a few milliseconds. */
    private static final int PIECE_BYTES = 1 << 18;

    /** A clone costs about 100 bytes per block, and a search makes one per segment. */
    private static final int MAX_BLOCKS = 64;

    private static final int MAX_BLOCK_BYTES = 1 << 30;

    private final HeldMemory.Allocator allocator;
    private final long length;
    private final int blockBytes;
    private final SoftReference<byte[][]> blocks;
    private long copiedBytes;

    /**
     * An empty copy.
     *
     * @param length of the file in bytes
     */
    HeapCopy(long length, HeldMemory.Allocator allocator) {
      this.allocator = allocator;
      this.length = length;
      this.blockBytes = blockBytes(length);
      this.blocks = new SoftReference<>(new byte[(int) ((length + blockBytes - 1) / blockBytes)][]);
    }

    long leftBytes() {
      return length - copiedBytes;
    }

    long copiedBytes() {
      return copiedBytes;
    }

    /** Whether the JVM has left it; asking keeps it from being taken for idle. */
    boolean isHeld() {
      return blocks.get() != null;
    }

    /**
     * Copies the next of the bytes that are left; false if the JVM has reclaimed the copy.
     *
     * @param source the file, at {@link #copiedBytes}
     */
    boolean step(IndexInput source) throws IOException {
      int at = (int) (copiedBytes % blockBytes);
      byte[] block =
          at == 0 ? allocator.allocate((int) Math.min(blockBytes, leftBytes())) : currentBlock();
      if (block == null) {
        return false;
      }
      int count = Math.min(PIECE_BYTES, block.length - at);
      source.readBytes(block, at, count);
      byte[][] all = blocks.get(); // only now, so reading keeps none but this block from reclaim
      if (all == null) {
        return false;
      }
      all[index()] = block;
      copiedBytes += count;
      return true;
    }

    private byte[] currentBlock() {
      byte[][] all = blocks.get();
      return all == null ? null : all[index()];
    }

    private int index() {
      return (int) (copiedBytes / blockBytes);
    }

    /**
     * The complete copy; null if the JVM has reclaimed it.
     *
     * @param name describes the file
     */
    IndexInput input(String name) {
      byte[][] all = blocks.get();
      return all == null
          ? null
          : new HeapIndexInput("Resident(" + name + ")", all, blockBytes, length, () -> {});
    }

    /** A power of two. */
    static int blockBytes(long length) {
      int bytes = MIN_BLOCK_BYTES;
      while (length > (long) bytes * MAX_BLOCKS && bytes < MAX_BLOCK_BYTES) {
        bytes *= 2;
      }
      return bytes;
    }
  }
}
