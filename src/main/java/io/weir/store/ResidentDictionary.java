package io.weir.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;

/**
 * One terms dictionary of keys while a reader has it open: its two files, and where lookups read
 * them.
 *
 * <p>Each lookup makes its own clone of the blocks and its own slice of their index, so it reads
 * from memory from the moment on that the dictionary is there, however long the segment has been
 * open. The life of a dictionary:
 *
 * <pre>
 * 1 OPENING   one of its files is open
 * 2 UNASKED   both are, by a merge alone
 * 3 WAITING   somebody looks keys up; it waits for its turn, or for room
 * 4 LOADING   a thread reads it in
 * 5 HELD      it is in memory; back to 3 when the JVM takes it back
 * 6 LEFT      reading it in has failed: it stays on the disk
 * 7 CLOSED    both files are closed
 * </pre>
 *
 * <p><b>Threads:</b> any. No lock is held while it is read in.
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
  private final DictionaryMemory account;
  private final DictionaryLoader keeper;

  // Guarded by this.
  private DictionaryFile blocks; // null until opened
  private DictionaryFile index; // null until opened
  private int openFiles;

  // Written under this.
  private volatile State state = State.OPENING;
  private volatile LoadedDictionary loaded; // null unless HELD

  /**
   * None of its files is open yet.
   *
   * @param name of the file with its blocks
   */
  ResidentDictionary(String name, DictionaryMemory account, DictionaryLoader keeper) {
    this.name = name;
    this.account = account;
    this.keeper = keeper;
  }

  /** Adds the blocks; false if it has them, or is closed. */
  synchronized boolean addBlocks(DictionaryFile file) {
    if (blocks != null || state != State.OPENING) {
      return false;
    }
    blocks = file;
    openFiles++;
    return true;
  }

  /** Adds the index of the blocks; false if it has one, or is closed. */
  synchronized boolean addIndex(DictionaryFile file) {
    if (index != null || state != State.OPENING) {
      return false;
    }
    index = file;
    openFiles++;
    return true;
  }

  /** Whether both files have been opened, and not closed. */
  synchronized boolean isComplete() {
    return openFiles == 2;
  }

  /** The bytes of both files. */
  synchronized long bytes() {
    return (blocks == null ? 0 : blocks.length()) + (index == null ? 0 : index.length());
  }

  /** The name of the file with its blocks. */
  String name() {
    return name;
  }

  boolean isOf(String blocksName) {
    return name.equals(blocksName);
  }

  State state() {
    return state;
  }

  /** The bytes that are held of it now. */
  long heldBytes() {
    LoadedDictionary held = loaded;
    return held == null ? 0 : held.room().bytes();
  }

  /**
   * Both files are open.
   *
   * @param asked whether somebody will look keys up, and not a merge alone
   * @param staged read in before, for this; null if it was not. Taken, or given back
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
      taken = !account.isOnHeap() || isSame(staged.copies());
    } finally {
      synchronized (this) {
        loaded = taken ? staged : null;
        state = taken ? State.HELD : State.WAITING;
      }
      if (!taken) {
        account.release(staged);
      }
    }
  }

  /** False when the JVM has taken the copies back. */
  private boolean isSame(LoadedDictionary.Copies copies) throws IOException {
    if (copies != null) {
      blocks.requireSame(copies.blocks());
      index.requireSame(copies.index());
    }
    return copies != null;
  }

  /** A copy of the blocks to clone or slice; null where the file itself has to be read. */
  IndexInput heldBlocks() {
    LoadedDictionary.Copies copies = held();
    return copies == null ? null : copies.blocks();
  }

  /** A copy of their index, likewise. */
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

  /** A lookup has come that is not a merge's. */
  private void ask() {
    synchronized (this) {
      if (state != State.UNASKED) {
        return;
      }
      state = State.WAITING;
    }
    keeper.add(this);
  }

  /** Reads it in, if it waits and there is room. */
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
      read = account.load(blocks, index, this::requireOpen);
      next = read == null ? State.WAITING : State.HELD;
    } catch (NoSuchFileException | FileNotFoundException | AlreadyClosedException e) {
      // Deleted, and soon to be closed, or closed: nothing is lost.
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      account.fault(name, e);
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
      account.release(read); // closed meanwhile
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
    if (held == null || !account.isOnHeap() || held.copies() != null) {
      return;
    }
    synchronized (this) {
      if (loaded != held) {
        return;
      }
      loaded = null;
      state = State.WAITING;
    }
    account.reclaimed(held);
    keeper.add(this);
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
      account.release(held);
    }
    return true;
  }
}
