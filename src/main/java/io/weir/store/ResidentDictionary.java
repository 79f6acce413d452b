package io.weir.store;

import io.weir.lucene.SegmentFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;

/**
 * An open terms dictionary of keys, which has two files, or its filter, which has one; and whether
 * lookups read them from memory.
 *
 * <p>Each lookup clones the blocks and slices their index, so it reads from memory as soon as the
 * dictionary is loaded, however long the segment has been open. The life cycle:
 *
 * <pre>
 * 1 OPENING   not all of its files are open
 * 2 UNASKED   all are open, but only a merge reads them
 * 3 WAITING   keys are looked up; it waits to be loaded, or for room
 * 4 LOADING   a thread loads it
 * 5 HELD      it is in memory; back to 3 when the JVM reclaims it
 * 6 LEFT      loading has failed: it stays on the disk
 * 7 CLOSED    all its files are closed
 * </pre>
 *
 * <p><b>Threads:</b> any. No lock is held while it is loaded.
 *
 * <p>Source: Lucene 10.5.1, {@code SegmentTermsEnum.initIndexInput} (clone), {@code
 * FieldReader.newReader} (slice), both made for each {@code TermsEnum}.
 */
final class ResidentDictionary {

  enum State {
    OPENING,
    UNASKED,
    WAITING,
    LOADING,
    HELD,
    LEFT,
    CLOSED
  }

  private final String name;
  private final int files;
  private final DictionaryMemory memory;
  private final Consumer<ResidentDictionary> onWaiting;

  // Guarded by this.
  private DictionaryFile blocks; // null until opened
  private DictionaryFile index; // null until opened
  private int openFiles;
  private boolean complete;

  // Written under this.
  private volatile State state = State.OPENING;
  private volatile LoadedDictionary loaded; // null unless HELD

  /**
   * A dictionary without open files.
   *
   * @param name of the file with its blocks, or of the filter
   * @param memory loads the dictionary, within its bounds
   * @param onWaiting called when the dictionary begins to wait to be loaded
   */
  ResidentDictionary(String name, DictionaryMemory memory, Consumer<ResidentDictionary> onWaiting) {
    this.name = name;
    this.files = SegmentFiles.isTermsFilter(name) ? 1 : 2;
    this.memory = memory;
    this.onWaiting = onWaiting;
  }

  /** Adds the blocks file or the filter; false if there is one already, or this is closed. */
  synchronized boolean addBlocks(DictionaryFile file) {
    if (blocks != null || state != State.OPENING) {
      return false;
    }
    blocks = file;
    openFiles++;
    return true;
  }

  /** Adds the index file; false if there is one already, or this is closed. */
  synchronized boolean addIndex(DictionaryFile file) {
    if (index != null || state != State.OPENING) {
      return false;
    }
    index = file;
    openFiles++;
    return true;
  }

  /**
   * Whether all its files are open; true for the first caller only, which must call {@link
   * #opened}.
   */
  synchronized boolean completes() {
    boolean first = openFiles == files && !complete;
    complete |= first;
    return first;
  }

  /** Its files, once all are open. */
  synchronized DictionaryFiles files() {
    return new DictionaryFiles(blocks, Optional.ofNullable(index));
  }

  /** The name of its blocks file, or of the filter. */
  String name() {
    return name;
  }

  boolean isOf(String blocksName) {
    return name.equals(blocksName);
  }

  State state() {
    return state;
  }

  /** The bytes held in memory now. */
  long heldBytes() {
    LoadedDictionary held = loaded;
    return held == null ? 0 : held.room().bytes();
  }

  /**
   * All its files are open.
   *
   * @param asked whether lookups are likely, in addition to merges
   * @param staged the copy that was loaded before, or null; used or released
   */
  void opened(boolean asked, LoadedDictionary staged) throws IOException {
    if (staged == null) {
      synchronized (this) {
        state = asked ? State.WAITING : State.UNASKED;
      }
      return;
    }
    boolean taken = false;
    try {
      taken = !memory.isOnHeap() || isSame(staged.copies());
    } finally {
      synchronized (this) {
        loaded = taken ? staged : null;
        state = taken ? State.HELD : State.WAITING;
      }
      if (!taken) {
        memory.release(staged);
      }
    }
  }

  /** False if the JVM has reclaimed the copies. */
  private boolean isSame(LoadedDictionary.Copies copies) throws IOException {
    if (copies != null) {
      blocks.requireSame(copies.blocks().over(blocks.opened()));
      if (index != null) {
        index.requireSame(copies.index());
      }
    }
    return copies != null;
  }

  /**
   * The copy of the blocks or the filter to clone or slice; null if the file itself must be read. A
   * merge reads most blocks, so it reads a file itself that is held in parts.
   */
  IndexInput heldBlocks() {
    LoadedDictionary.Copies copies = held();
    return copies == null || !copies.blocks().isWhole() && MergeReadPacing.current() != null
        ? null
        : copies.blocks().over(blocks.opened());
  }

  /** The copy of the index; null if the file itself must be read. */
  IndexInput heldIndex() {
    LoadedDictionary.Copies copies = held();
    return copies == null ? null : copies.index();
  }

  private LoadedDictionary.Copies held() {
    LoadedDictionary held = loaded;
    if (held != null) {
      LoadedDictionary.Copies copies = held.copies();
      if (copies == null) {
        noticeReclaim();
      }
      return copies;
    }
    if (state == State.UNASKED && MergeReadPacing.current() == null) {
      ask();
    }
    return null;
  }

  /** The first lookup outside a merge has come. */
  private void ask() {
    synchronized (this) {
      if (state != State.UNASKED) {
        return;
      }
      state = State.WAITING;
    }
    onWaiting.accept(this);
  }

  /** Loads it, if it waits and there is room. */
  void load() {
    synchronized (this) {
      if (state != State.WAITING) {
        return;
      }
      state = State.LOADING;
    }
    State next = State.LEFT;
    LoadedDictionary read = null;
    try {
      read = memory.load(files(), this::requireOpen);
      next = read == null ? State.WAITING : State.HELD;
    } catch (NoSuchFileException | FileNotFoundException | AlreadyClosedException e) {
      // Deleted or closed: nothing is lost.
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      memory.fault(name, e);
    } finally {
      loaded(read, next);
    }
  }

  private void loaded(LoadedDictionary read, State next) {
    synchronized (this) {
      if (state == State.LOADING) {
        state = next;
        loaded = read;
        return;
      }
    }
    if (read != null) {
      memory.release(read); // closed in between
    }
  }

  private void requireOpen() {
    if (state == State.CLOSED) {
      throw new AlreadyClosedException("closed while it was read into memory");
    }
  }

  /** Looks whether the JVM has taken it back; asking keeps it from being taken for idle. */
  void noticeReclaim() {
    LoadedDictionary held = loaded;
    if (held == null || !memory.isOnHeap() || held.copies() != null) {
      return;
    }
    synchronized (this) {
      if (loaded != held) {
        return;
      }
      loaded = null;
      state = State.WAITING;
    }
    memory.reclaimed(held);
    onWaiting.accept(this);
  }

  /** One of its files has been closed; true when that was the last. */
  boolean closedFile() {
    LoadedDictionary held;
    synchronized (this) {
      if (--openFiles > 0) {
        return false;
      }
      state = State.CLOSED;
      held = loaded;
      loaded = null;
    }
    if (held != null) {
      memory.release(held);
    }
    return true;
  }
}
