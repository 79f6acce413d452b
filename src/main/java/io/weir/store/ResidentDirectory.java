package io.weir.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * A directory that holds the terms dictionaries of key fields in memory while they are open, so
 * that a lookup, an update or a delete by key never waits for the disk to find the document.
 *
 * <p>Held are the dictionaries that {@link ResidentKeys#codec} made files of their own, alone or
 * inside a compound file, and any other that is of key fields alone. One that key fields share with
 * other fields is held whole if it is short, as that of a small flush; a longer one, as in an index
 * of another codec, is read from below: that index works as before, and its keys become resident
 * segment by segment, as they are merged.
 *
 * <p>A dictionary is read in when its segment is opened, by the thread that opens it. A merged
 * segment is opened by the next reopen, which then waits for that, unless the writer has a merged
 * segment warmer, even an empty one: then the merge does it. Readers of one writer share what they
 * hold; readers that are opened from the directory apart from it hold their own.
 *
 * <p>What a merge or a {@code CheckIndex} verifies of a file that is held is the copy; an open
 * index is not looked at again on the disk.
 *
 * <p>Put it above the directories that write, and below an {@code NRTCachingDirectory}.
 *
 * <p><b>Threads:</b> as the directory below.
 *
 * <p><b>Ownership:</b> closing this closes the directory below. A file's memory is given back when
 * the file is closed, which Lucene does when the last reader of its segment is closed.
 *
 * <p><b>Failure:</b> what the directory below throws. A dictionary that finds no room, or that
 * cannot be read in, is opened as it would be without Weir; that is counted, and logged the first
 * time.
 */
public final class ResidentDirectory extends ForwardingDirectory {

  private static final String COMPOUND_EXTENSION = "cfs";

  /** The longest dictionary, its blocks of terms, held though it is not of key fields alone. */
  static final long MAX_SHARED_BYTES = 256 << 10;

  private final ResidentKeys keys;
  private final long maxSharedBytes;
  private final ResidentMemory memory;

  /** Holds the dictionaries of these key fields of the index in {@code in}. */
  public ResidentDirectory(Directory in, ResidentKeys keys) {
    this(in, keys, MAX_SHARED_BYTES);
  }

  ResidentDirectory(Directory in, ResidentKeys keys, long maxSharedBytes) {
    super(in);
    this.maxSharedBytes = maxSharedBytes;
    this.keys = Objects.requireNonNull(keys, "keys");
    this.memory = new ResidentMemory(keys.maxBytes(), keys.residence());
  }

  /** As given. */
  public ResidentKeys keys() {
    return keys;
  }

  /** What is held now, and what was done so far. */
  public ResidentSnapshot snapshot() {
    return memory.snapshot();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (!ResidentMemory.isReadOnce(context)) {
      if (COMPOUND_EXTENSION.equals(IndexFileNames.getExtension(name))) {
        return openCompound(name, context);
      }
      if (KeyFiles.mayInclude(name)) {
        Optional<IndexInput> resident = openKeyFile(name, context);
        if (resident.isPresent()) {
          return resident.get();
        }
      }
    }
    return in.openInput(name, context);
  }

  /** A compound file in which key files are found. */
  IndexInput openCompound(String name, IOContext context) throws IOException {
    return new ResidentCompoundInput(
        in.openInput(name, context),
        IndexFileNames.parseSegmentName(name),
        keys.fields(),
        maxSharedBytes,
        memory);
  }

  /** A file in memory, whatever it is. */
  Optional<IndexInput> hold(String name, IOContext context) throws IOException {
    boolean copied = keys.residence() == KeyResidence.HEAP;
    // Read once: then its mapping is the thread's own, and taking it away disturbs no other.
    IndexInput source = in.openInput(name, copied ? IOContext.READONCE : context);
    Optional<IndexInput> held = Optional.empty();
    try {
      held = memory.hold(name, source);
      return held;
    } finally {
      if (copied || held.isEmpty()) {
        IOUtils.closeWhileHandlingException(source); // all that is wanted of it has been read
      }
    }
  }

  /** Whether opening this file, which is no compound file, holds it, if there is room. */
  boolean isKeyFile(String name) throws IOException {
    return KeyFiles.mayInclude(name)
        && keyFiles(IndexFileNames.parseSegmentName(name))
            .include(name, in.fileLength(KeyFiles.blocksName(name)));
  }

  private Optional<IndexInput> openKeyFile(String name, IOContext context) {
    try {
      return isKeyFile(name) ? hold(name, context) : Optional.empty();
    } catch (NoSuchFileException | FileNotFoundException e) {
      // Readers do run into files that are being deleted, and start again; the open below says so.
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      memory.fault(name, e);
      return Optional.empty();
    }
  }

  private KeyFiles keyFiles(String segment) throws IOException {
    try (IndexInput input = in.openInput(KeyFiles.fieldInfosName(segment), IOContext.READONCE)) {
      byte[] fieldInfos = new byte[Math.toIntExact(input.length())];
      input.readBytes(fieldInfos, 0, fieldInfos.length);
      return KeyFiles.of(segment, fieldInfos, keys.fields(), maxSharedBytes);
    }
  }
}
