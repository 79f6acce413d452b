package io.weir.store.keys;

import io.weir.lucene.SegmentFiles;
import io.weir.store.reads.MergeReadPacing;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;

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
 * 3 WAITING   keys are looked up; it waits to be loaded, or for room; it may be copied in part
 * 4 LOADING   a thread loads it; back to 3 when there is no room
 * 5 HELD      it is in memory; back to 3 when the JVM reclaims it
 * 6 LEFT      loading has failed: it stays on the disk
 * 7 CLOSED    all its files are closed
 * </pre>
 *
 * <p><b>Threads:</b> any. No lock is held while it is loaded, so closing does not wait for a read.
 *
 * <p>Source: Lucene 10.5.1, {@code SegmentTermsEnum.initIndexInput} (clone), {@code
 * FieldReader.newReader} (slice), both made for each {@code TermsEnum}.
 */
final class ResidentDictionary implements WaitingRoom.Waiter {

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
  private final DictionaryLoader.Lane lane;

  // Guarded by this.
  private DictionaryFiles.File blocks; // null until opened
  private DictionaryFiles.File index; // null until opened
  private int openFiles;
  private boolean complete;

  private DictionaryCopy copy; // what is loaded, or was in part; null otherwise

  // Written under this.
  private volatile State state = State.OPENING;
  private volatile DictionaryCopy.Loaded loaded; // null unless HELD

  /**
   * A dictionary without open files.
   *
   * @param name of the file with its blocks, or of the filter
   * @param memory of its index
   * @param lane loads it when there is room for it
   */
  ResidentDictionary(String name, DictionaryMemory memory, DictionaryLoader.Lane lane) {
    this.name = name;
    this.files = SegmentFiles.isTermsFilter(name) ? 1 : 2;
    this.memory = memory;
    this.lane = lane;
  }

  /** Adds the blocks file or the filter; false if there is one already, or this is closed. */
  synchronized boolean addBlocks(DictionaryFiles.File file) {
    if (blocks != null || state != State.OPENING) {
      return false;
    }
    blocks = file;
    openFiles++;
    return true;
  }

  /** Adds the index file; false if there is one already, or this is closed. */
  synchronized boolean addIndex(DictionaryFiles.File file) {
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

  State state() {
    return state;
  }

  /** The bytes held in memory now. */
  long heldBytes() {
    DictionaryCopy.Loaded held = loaded;
    return held == null ? 0 : held.bytes();
  }

  /**
   * All its files are open.
   *
   * @param asked whether lookups are likely, in addition to merges
   * @param staged the copy that was begun before, or null; used or released
   */
  void opened(boolean asked, DictionaryCopy staged) throws IOException {
    boolean isHeld = false;
    boolean isBegun = false;
    try {
      if (staged != null && staged.loaded() != null) {
        isHeld = isSame(staged.loaded().copies());
      } else if (staged != null) {
        isBegun = asked && staged.goesOnWith(files());
      }
    } finally {
      synchronized (this) {
        loaded = isHeld ? staged.loaded() : null;
        copy = isBegun ? staged : null;
        state = isHeld ? State.HELD : asked || staged != null ? State.WAITING : State.UNASKED;
      }
      if (isHeld) {
        loaded.onReclaimed(this::noticeReclaim);
      } else if (staged != null && !isBegun) {
        staged.release();
      }
    }
  }

  /** False if the JVM has reclaimed the copies. */
  private boolean isSame(DictionaryCopy.Loaded.Copies copies) throws IOException {
    if (copies != null) {
      blocks.requireSame(copies.blocks().over(blocks.opened()));
      if (index != null) {
        index.requireSame(copies.index().over(index.opened()));
      }
    }
    return copies != null;
  }

  /**
   * What is held of the blocks or the filter; null if the file itself must be read. A merge reads
   * most blocks, so it reads a file itself that is held in parts.
   */
  OverlayInput.Held heldBlocks() {
    DictionaryCopy.Loaded.Copies copies = held();
    return copies == null || !copies.blocks().isWhole() && MergeReadPacing.current() != null
        ? null
        : copies.blocks();
  }

  /** What is held of the index; null if the file itself must be read. */
  OverlayInput.Held heldIndex() {
    DictionaryCopy.Loaded.Copies copies = held();
    return copies == null ? null : copies.index();
  }

  private DictionaryCopy.Loaded.Copies held() {
    DictionaryCopy.Loaded held = loaded;
    if (held != null) {
      DictionaryCopy.Loaded.Copies copies = held.copies();
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
    enqueue();
  }

  /** Lets it be loaded soon. */
  @Override
  public void enqueue() {
    lane.add(this);
  }

  /** Loads it, if it waits and there is room; otherwise it waits for room. */
  @Override
  public void load() {
    DictionaryCopy begun;
    synchronized (this) {
      if (state != State.WAITING) {
        return;
      }
      state = State.LOADING;
      begun = copy;
    }
    State next = State.LEFT;
    boolean stopped = false;
    try {
      if (begun != null && begun.isOutOfPatience()) {
        begun.giveUp();
        begun = null;
      }
      if (begun == null) {
        begun = DictionaryCopy.begin(memory, files());
        owns(begun);
      }
      DictionaryCopy.Progress progress = begun == null ? null : begun.goOn(this::requireOpen);
      stopped = progress == DictionaryCopy.Progress.STOPPED;
      next = progress == DictionaryCopy.Progress.COMPLETE ? State.HELD : State.WAITING;
    } catch (NoSuchFileException | FileNotFoundException | AlreadyClosedException e) {
      // Deleted or closed: nothing is lost.
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      memory.fault(name, e);
    } finally {
      loaded(begun, next, stopped);
    }
  }

  /** So that it can be released when this is closed while it is read. */
  private synchronized void owns(DictionaryCopy begun) {
    copy = begun;
  }

  private void loaded(DictionaryCopy begun, State next, boolean stopped) {
    boolean open;
    synchronized (this) {
      open = state == State.LOADING;
      copy = open && stopped ? begun : null;
      if (open) {
        state = next;
        loaded = next == State.HELD ? begun.loaded() : null;
      }
    }
    if (open && next == State.HELD) {
      begun.loaded().onReclaimed(this::noticeReclaim);
      memory.loaded(files());
    } else if (open && stopped) {
      memory.awaitHeap(this, begun.patienceEndNanos());
    } else {
      if (begun != null) {
        begun.release(); // which does nothing after a reclaim
      }
      if (open && next == State.WAITING) {
        awaitRoom();
      }
    }
    if (state == State.CLOSED) {
      memory.forget(this); // if it was closed after it began to wait
    }
  }

  private void awaitRoom() {
    try {
      memory.await(this, files());
    } catch (IOException e) {
      memory.fault(name, e); // the parts were found before, so they are known
    }
  }

  private void requireOpen() {
    if (state == State.CLOSED) {
      throw new AlreadyClosedException("closed while it was read into memory");
    }
  }

  /** Looks whether the JVM has taken it back; asking keeps it from being taken for idle. */
  void noticeReclaim() {
    DictionaryCopy.Loaded held = loaded;
    if (held == null || held.copies() != null) {
      return;
    }
    synchronized (this) {
      if (loaded != held) {
        return;
      }
      loaded = null;
      state = State.WAITING;
    }
    held.reclaimed();
    enqueue();
  }

  /** One of its files has been closed; true when that was the last. */
  boolean closedFile() {
    DictionaryCopy.Loaded held;
    DictionaryCopy inPart;
    synchronized (this) {
      if (--openFiles > 0) {
        return false;
      }
      state = State.CLOSED;
      held = loaded;
      loaded = null;
      inPart = copy;
      copy = null;
    }
    lane.remove(this);
    memory.forget(this);
    if (held != null) {
      held.release();
    }
    if (inPart != null) {
      inPart.release(); // even if a thread is still in a read of it
    }
    return true;
  }
}
