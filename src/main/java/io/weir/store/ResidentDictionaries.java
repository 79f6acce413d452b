package io.weir.store;

import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOSupplier;

/**
 * The dictionaries of keys of one index: those that are open, and those of merged segments that
 * were read in ahead of being opened.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns what is staged until it is opened, its file is
 * deleted, the last open dictionary is closed, or this is closed.
 */
final class ResidentDictionaries {

  /** A shorter dictionary is read in by the thread that opens it: that takes a few milliseconds. */
  private static final long SHORT_BYTES = 1 << 20;

  private record Staged(LoadedDictionary loaded, Set<String> files) {}

  private final DictionaryMemory account;
  private final DictionaryLoader keeper;

  // Guarded by this.
  private final Set<ResidentDictionary> open = new LinkedHashSet<>();
  private final Map<String, Staged> stagedByBlocks = new HashMap<>();
  private boolean closed;

  /** Whether others than merges have ever opened a terms dictionary, of keys or not. */
  private volatile boolean inUse;

  ResidentDictionaries(ResidentKeys keys, DictionaryLoader keeper) {
    this.account = keeper.account(keys);
    this.keeper = keeper;
  }

  DictionaryMemory account() {
    return account;
  }

  /**
   * Whether keys are likely to be looked up in a terms dictionary that is opened now. While an
   * index is loaded in bulk merges alone open any: to read it, or to warm what they have written.
   */
  boolean isAsked(IOContext context) {
    boolean asked = !OpenHints.isForMerge(context) && (inUse || MergeReadPacing.current() == null);
    inUse |= asked;
    return asked;
  }

  /** Whether to read in what a merge has written, before it is opened. */
  boolean isInUse() {
    return inUse;
  }

  /**
   * A file of a dictionary that Lucene opens, to be read from memory as soon as both files are
   * there.
   *
   * @param opened the file, which is closed with the result
   * @param reader as in {@link DictionaryFile}
   * @param asked as told by {@link #isAsked}
   */
  IndexInput open(String name, IndexInput opened, IOSupplier<IndexInput> reader, boolean asked) {
    IndexInput input = opened;
    try {
      DictionaryFile file = new DictionaryFile(name, opened.length(), opened, reader);
      boolean blocks = name.equals(SegmentFiles.termsBlocksOf(name));
      ResidentDictionary dictionary = add(file, blocks);
      Supplier<IndexInput> copy = blocks ? dictionary::heldBlocks : dictionary::heldIndex;
      input = new ResidentInput(opened, copy, () -> closedFile(dictionary));
      if (dictionary.isComplete()) {
        completed(dictionary, asked);
      }
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      account.fault(name, e);
    }
    return input;
  }

  private synchronized ResidentDictionary add(DictionaryFile file, boolean blocks) {
    String name = SegmentFiles.termsBlocksOf(file.name());
    for (ResidentDictionary each : open) {
      if (each.isOf(name) && (blocks ? each.addBlocks(file) : each.addIndex(file))) {
        return each;
      }
    }
    ResidentDictionary dictionary = new ResidentDictionary(name, account, keeper);
    boolean added = blocks ? dictionary.addBlocks(file) : dictionary.addIndex(file);
    assert added;
    open.add(dictionary);
    return dictionary;
  }

  private void completed(ResidentDictionary dictionary, boolean asked) {
    Staged staged;
    synchronized (this) {
      staged = stagedByBlocks.remove(dictionary.name());
    }
    try {
      dictionary.opened(asked, staged == null ? null : staged.loaded());
    } catch (IOException e) {
      account.fault(dictionary.name(), e);
    }
    if (asked && dictionary.bytes() <= SHORT_BYTES) {
      dictionary.load();
    }
    if (asked) {
      keeper.add(dictionary);
    }
  }

  private void closedFile(ResidentDictionary dictionary) {
    if (!dictionary.closedFile()) {
      return;
    }
    boolean unread;
    synchronized (this) {
      open.remove(dictionary);
      unread = open.isEmpty();
    }
    keeper.remove(dictionary);
    if (unread) {
      giveBack(staged -> true); // nobody reads the index any more
    }
  }

  /**
   * Reads the dictionary of a segment in before the segment is opened. If there is no room, it is
   * read in when it is open.
   *
   * @param files those that Lucene deletes when it gives the segment up
   */
  void stage(
      DictionaryFile blocks, DictionaryFile index, Set<String> files, MergeReadPacing.Pacer pacer)
      throws IOException {
    LoadedDictionary loaded = account.load(blocks, index, pacer);
    if (loaded == null) {
      return;
    }
    Staged before = null;
    synchronized (this) {
      if (!closed) {
        before = stagedByBlocks.put(blocks.name(), new Staged(loaded, files));
        loaded = null;
      }
    }
    if (before != null) {
      account.release(before.loaded());
    }
    if (loaded != null) {
      account.release(loaded);
    }
  }

  /** The file is gone: gives back what was read in of it and never opened. */
  void deleted(String file) {
    giveBack(staged -> staged.files().contains(file));
  }

  /** Gives back what was never opened. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    giveBack(staged -> true);
  }

  private void giveBack(Predicate<Staged> which) {
    List<LoadedDictionary> unused = new ArrayList<>();
    synchronized (this) {
      stagedByBlocks.values().removeIf(staged -> which.test(staged) && unused.add(staged.loaded()));
    }
    unused.forEach(account::release);
  }

  ResidentSnapshot snapshot() {
    List<ResidentDictionary> dictionaries;
    synchronized (this) {
      dictionaries = List.copyOf(open);
    }
    Map<String, Long> bytesBySegment = new HashMap<>();
    long files = 0;
    long waitingFiles = 0;
    long waitingBytes = 0;
    for (ResidentDictionary dictionary : dictionaries) {
      dictionary.noticeReclaim();
      switch (dictionary.state()) {
        case HELD -> {
          files += 2;
          bytesBySegment.merge(
              SegmentFiles.segmentOf(dictionary.name()), dictionary.heldBytes(), Long::sum);
        }
        case WAITING, LOADING -> {
          waitingFiles += 2;
          waitingBytes += dictionary.bytes();
        }
        case OPENING, UNASKED, LEFT, CLOSED -> {
          // Not in memory, nor about to be.
        }
      }
    }
    return new ResidentSnapshot(
        account.bytes(),
        account.peakBytes(),
        account.maxBytes(),
        files,
        bytesBySegment,
        waitingFiles,
        waitingBytes,
        account.loadedFiles(),
        account.reclaimedFiles(),
        account.faults());
  }
}
