package io.weir.store.keys;

import io.weir.lucene.FileRange;
import io.weir.store.held.HeapCopy;
import io.weir.store.held.HeldMemory;
import io.weir.store.reads.MergeReadPacing;
import java.io.IOException;
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
}
