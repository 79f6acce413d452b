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
 * The key dictionaries of one index: the open ones, and those of merged segments that were loaded
 * before they are opened (staged).
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns a staged dictionary until it is opened, its file
 * is deleted, the last open dictionary is closed, or this is closed.
 */
final class ResidentDictionaries {

  private record Staged(LoadedDictionary loaded, Set<String> files) {}

  private final DictionaryMemory memory;
  private final DictionaryLoader loader;

  // Guarded by this.
  private final Set<ResidentDictionary> open = new LinkedHashSet<>();
  private final Map<String, Staged> stagedByBlocks = new HashMap<>();
  private boolean closed;

  /** Whether code other than merges has ever opened a terms dictionary. */
  private volatile boolean inUse;

  ResidentDictionaries(ResidentKeys keys, DictionaryLoader loader) {
    this.memory = loader.memoryOf(keys);
    this.loader = loader;
  }

  DictionaryMemory memory() {
    return memory;
  }

  /**
   * Whether lookups are likely in a terms dictionary that is opened now. During bulk indexing only
   * merges open dictionaries, to merge them or to warm their output.
   */
  boolean isAsked(IOContext context) {
    boolean asked = !OpenHints.isForMerge(context) && (inUse || MergeReadPacing.current() == null);
    inUse |= asked;
    return asked;
  }

  /** Whether to load the dictionaries of merged segments before they are opened. */
  boolean isInUse() {
    return inUse;
  }

  /**
   * Wraps a file of a dictionary, or a filter, that Lucene opens, so that it is read from memory as
   * soon as the dictionary or the filter is loaded.
   *
   * @param opened the file; closing the result closes it
   * @param reader as in {@link DictionaryFile}
   * @param parts as in {@link DictionaryFile}
   * @param asked the result of {@link #isAsked}
   */
  IndexInput open(
      String name,
      IndexInput opened,
      IOSupplier<IndexInput> reader,
      DictionaryFile.Parts parts,
      boolean asked) {
    IndexInput input = opened;
    try {
      DictionaryFile file = new DictionaryFile(name, opened.length(), opened, reader, parts);
      boolean blocks = name.equals(dictionaryOf(name));
      ResidentDictionary dictionary = add(file, blocks);
      Supplier<IndexInput> copy = blocks ? dictionary::heldBlocks : dictionary::heldIndex;
      input = new ResidentInput(opened, copy, () -> closedFile(dictionary));
      if (dictionary.completes()) {
        completed(dictionary, asked);
      }
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      memory.fault(name, e);
    }
    return input;
  }

  /** A filter is loaded alone, and any other file with the blocks that it belongs to. */
  private static String dictionaryOf(String name) {
    return SegmentFiles.isTermsFilter(name) ? name : SegmentFiles.termsBlocksOf(name);
  }

  private synchronized ResidentDictionary add(DictionaryFile file, boolean blocks) {
    String name = dictionaryOf(file.name());
    for (ResidentDictionary each : open) {
      if (each.isOf(name) && (blocks ? each.addBlocks(file) : each.addIndex(file))) {
        return each;
      }
    }
    ResidentDictionary dictionary = new ResidentDictionary(name, memory, loader::add);
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
      memory.fault(dictionary.name(), e);
    }
    if (asked && dictionary.files().areShort()) {
      dictionary.load(); // on the thread that opens it
    }
    if (asked) {
      loader.add(dictionary);
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
    loader.remove(dictionary);
    if (unread) {
      giveBack(staged -> true); // no reader of the index is left
    }
  }

  /**
   * Loads a dictionary or a filter of a segment before the segment is opened. If there is no room,
   * it is loaded after it was opened.
   *
   * @param deletedWith the files that Lucene deletes if it drops the segment
   */
  void stage(DictionaryFiles files, Set<String> deletedWith, MergeReadPacing.Pacer pacer)
      throws IOException {
    LoadedDictionary loaded = memory.load(files, pacer);
    if (loaded == null) {
      return;
    }
    Staged before = null;
    synchronized (this) {
      if (!closed) {
        before = stagedByBlocks.put(files.blocks().name(), new Staged(loaded, deletedWith));
        loaded = null;
      }
    }
    if (before != null) {
      memory.release(before.loaded());
    }
    if (loaded != null) {
      memory.release(loaded);
    }
  }

  /** Releases the staged dictionary of a deleted file. */
  void deleted(String file) {
    giveBack(staged -> staged.files().contains(file));
  }

  /** Releases all staged dictionaries. */
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
    unused.forEach(memory::release);
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
          files += dictionary.files().count();
          bytesBySegment.merge(
              SegmentFiles.segmentOf(dictionary.name()), dictionary.heldBytes(), Long::sum);
        }
        case WAITING, LOADING -> {
          waitingFiles += dictionary.files().count();
          waitingBytes += dictionary.files().bytes();
        }
        case OPENING, UNASKED, LEFT, CLOSED -> {
          // Neither in memory nor about to be.
        }
      }
    }
    return new ResidentSnapshot(
        memory.bytes(),
        memory.peakBytes(),
        memory.maxBytes(),
        files,
        bytesBySegment,
        waitingFiles,
        waitingBytes,
        memory.loadedFiles(),
        memory.reclaimedFiles(),
        memory.faults());
  }
}
