package io.weir.store.keys;

import io.weir.lucene.OpenHints;
import io.weir.lucene.SegmentFiles;
import io.weir.store.ResidentKeys;
import io.weir.store.ResidentSnapshot;
import io.weir.store.reads.MergeReadPacing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.store.Directory;
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
public final class ResidentDictionaries {

  /** A copy, complete or stopped, and the files that it is deleted with. */
  private record Staged(DictionaryCopy copy, Set<String> files) {}

  private final DictionaryMemory memory;
  private final DictionaryLoader.Lane lane;

  // Guarded by this.
  private final Set<ResidentDictionary> open = new LinkedHashSet<>();
  private final Map<String, List<ResidentDictionary>> openingByName = new HashMap<>();
  private final Map<String, Staged> stagedByBlocks = new HashMap<>();
  private boolean closed;

  /** Whether code other than merges has ever opened a terms dictionary. */
  private volatile boolean inUse;

  /**
   * None yet.
   *
   * @param files where the index is
   */
  public ResidentDictionaries(ResidentKeys keys, Directory files, DictionaryLoader loader) {
    this.memory = new DictionaryMemory(keys, loader);
    this.lane = loader.laneOf(files);
  }

  /** The memory of the index, which counts what could not be loaded. */
  public DictionaryMemory memory() {
    return memory;
  }

  /**
   * Whether lookups are likely in a terms dictionary that is opened now. During bulk indexing only
   * merges open dictionaries, to merge them or to warm their output.
   */
  public boolean isAsked(IOContext context) {
    boolean asked = !OpenHints.isForMerge(context) && (inUse || MergeReadPacing.current() == null);
    inUse |= asked;
    return asked;
  }

  /** Whether to load the dictionaries of merged segments before they are opened. */
  public boolean isInUse() {
    return inUse;
  }

  /**
   * Wraps a file of a dictionary, or a filter, that Lucene opens, so that it is read from memory as
   * soon as the dictionary or the filter is loaded.
   *
   * @param opened the file; closing the result closes it
   * @param reader as in {@link DictionaryFiles.File}
   * @param parts as in {@link DictionaryFiles.File}
   * @param asked the result of {@link #isAsked}
   */
  public IndexInput open(
      String name,
      IndexInput opened,
      IOSupplier<IndexInput> reader,
      DictionaryFiles.Parts parts,
      boolean asked) {
    IndexInput input = opened;
    try {
      DictionaryFiles.File file =
          new DictionaryFiles.File(name, opened.length(), opened, reader, parts);
      boolean blocks = name.equals(dictionaryOf(name));
      ResidentDictionary dictionary = add(file, blocks);
      Supplier<OverlayInput.Held> held = blocks ? dictionary::heldBlocks : dictionary::heldIndex;
      input = new OverlayInput(opened, held, () -> closedFile(dictionary));
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

  private synchronized ResidentDictionary add(DictionaryFiles.File file, boolean blocks) {
    String name = dictionaryOf(file.name());
    List<ResidentDictionary> opening =
        openingByName.computeIfAbsent(name, key -> new ArrayList<>());
    for (ResidentDictionary each : opening) {
      if (blocks ? each.addBlocks(file) : each.addIndex(file)) {
        return each;
      }
    }
    ResidentDictionary dictionary = new ResidentDictionary(name, memory, lane);
    boolean added = blocks ? dictionary.addBlocks(file) : dictionary.addIndex(file);
    assert added;
    open.add(dictionary);
    opening.add(dictionary);
    return dictionary;
  }

  private void completed(ResidentDictionary dictionary, boolean asked) {
    Staged staged;
    synchronized (this) {
      noLongerOpening(dictionary);
      staged = stagedByBlocks.remove(dictionary.name());
    }
    try {
      dictionary.opened(asked, staged == null ? null : staged.copy());
    } catch (IOException e) {
      memory.fault(dictionary.name(), e);
    }
    if (!asked || dictionary.state() != ResidentDictionary.State.WAITING) {
      return;
    }
    if (dictionary.files().areShort()) {
      dictionary.load(); // on the thread that opens it
    } else {
      dictionary.enqueue();
    }
  }

  private void noLongerOpening(ResidentDictionary dictionary) {
    openingByName.computeIfPresent(
        dictionary.name(),
        (name, opening) -> {
          opening.remove(dictionary);
          return opening.isEmpty() ? null : opening;
        });
  }

  private void closedFile(ResidentDictionary dictionary) {
    if (!dictionary.closedFile()) {
      return;
    }
    boolean unread;
    synchronized (this) {
      noLongerOpening(dictionary);
      open.remove(dictionary);
      unread = open.isEmpty();
    }
    if (unread) {
      giveBack(staged -> true); // no reader of the index is left
    }
  }

  /**
   * Loads a dictionary or a filter of a segment before the segment is opened. If there is no room,
   * it is loaded after it was opened; if the heap becomes short meanwhile, the rest of it is.
   *
   * @param deletedWith the files that Lucene deletes if it drops the segment
   */
  public void stage(DictionaryFiles files, Set<String> deletedWith, MergeReadPacing.Pacer pacer)
      throws IOException {
    DictionaryCopy copy = DictionaryCopy.begin(memory, files);
    if (copy == null) {
      return;
    }
    boolean staged = false;
    try {
      DictionaryCopy.Progress progress = copy.goOn(pacer);
      if (progress == DictionaryCopy.Progress.COMPLETE) {
        memory.loaded(files);
      }
      staged =
          progress != DictionaryCopy.Progress.RECLAIMED
              && stage(files.blocks().name(), new Staged(copy, deletedWith));
    } finally {
      if (!staged) {
        copy.release();
      }
    }
  }

  /** False if this is closed. */
  private boolean stage(String blocks, Staged staged) {
    Staged before;
    synchronized (this) {
      if (closed) {
        return false;
      }
      before = stagedByBlocks.put(blocks, staged);
    }
    if (before != null) {
      before.copy().release();
    }
    if (staged.copy().loaded() != null) {
      staged.copy().loaded().onReclaimed(() -> reclaimed(blocks, staged));
    }
    return true;
  }

  /** The JVM has reclaimed a dictionary that is still staged. */
  private void reclaimed(String blocks, Staged staged) {
    boolean removed;
    synchronized (this) {
      removed = stagedByBlocks.remove(blocks, staged);
    }
    if (removed) {
      staged.copy().loaded().reclaimed();
    }
  }

  /** Releases the staged dictionary of a deleted file. */
  public void deleted(String file) {
    giveBack(staged -> staged.files().contains(file));
  }

  /** Releases all staged dictionaries. */
  public void close() {
    synchronized (this) {
      closed = true;
    }
    giveBack(staged -> true);
  }

  private void giveBack(Predicate<Staged> which) {
    List<DictionaryCopy> unused = new ArrayList<>();
    synchronized (this) {
      stagedByBlocks.values().removeIf(staged -> which.test(staged) && unused.add(staged.copy()));
    }
    unused.forEach(DictionaryCopy::release);
  }

  /** The figures now. */
  public ResidentSnapshot snapshot() {
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
    return memory.snapshot(files, bytesBySegment, waitingFiles, waitingBytes);
  }
}
