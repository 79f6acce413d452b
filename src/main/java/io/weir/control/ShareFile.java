package io.weir.control;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A small file in which processes of one machine say what they take of a shared rate. It has a line
 * for each process, and a header.
 *
 * <p>Locks of the kernel say who lives: a process holds a lock on its own line for as long as it
 * shares, and the kernel releases that lock when the process ends, however it ends. A line without
 * a lock is a dead process's; the next one who looks removes it. A lock on the header makes each
 * update atomic. There is no daemon, and nothing to clean up after a crash.
 *
 * <p>A file that is deleted or replaced is opened anew at the next update.
 *
 * <p><b>Threads:</b> one at a time. <b>Ownership:</b> {@link #close} removes the own line and
 * leaves the file. A JVM may open a file once, because closing any channel to a file releases all
 * locks that its process has on it (POSIX). <b>Failure:</b> {@link IOException}; nothing waits for
 * a lock.
 */
final class ShareFile implements Closeable {

  /** The most processes that may share. */
  static final int LINES = 32;

  static final int LINE_BYTES = 128;

  private static final String HEADER = "weir shared cap, version 1";
  private static final String BLANK = "";

  /** The real paths of those that this JVM has open. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  /** Decides what this process takes. */
  @FunctionalInterface
  interface Decision {

    /**
     * Called while no other process can change its claim.
     *
     * @param others the claims of the other processes that live
     */
    ShareClaim decide(List<ShareClaim> others);
  }

  private final Path path;
  private FileChannel channel;
  private Optional<Object> key; // tells whether the path still names the open file
  private FileLock own; // null until there is a line
  private int ownLine;

  private ShareFile(Path path) throws IOException {
    this.path = path;
    reopen();
  }

  /**
   * Opens or creates the file.
   *
   * @throws IllegalStateException if this JVM has it open already
   */
  static ShareFile open(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Path real = parent.toRealPath().resolve(file.getFileName());
    if (!OPEN.add(real)) {
      throw new IllegalStateException(
          "a process must join a shared cap at most once; use children of its budget: " + real);
    }
    try {
      return new ShareFile(real);
    } catch (IOException | RuntimeException e) {
      OPEN.remove(real);
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /**
   * Replaces the own claim.
   *
   * @return whether it was done; false if another process is at it now, and the caller should try
   *     again later
   * @throws IOException if the file cannot be read or written, is something else, or has no line
   *     left
   */
  boolean update(Decision decision) throws IOException {
    if (!keyOfPath().equals(key)) {
      channel.close();
      reopen();
    }
    try (FileLock all = tryLock(0)) {
      if (all == null) {
        return false;
      }
      readHeader();
      List<ShareClaim> others = new ArrayList<>();
      int free = 0;
      for (int line = LINES; line >= 1; line--) {
        if (own != null && line == ownLine) {
          continue;
        }
        String text = read(line);
        if (!text.isEmpty() && isAlive(line)) {
          ShareClaim.parse(text).ifPresent(others::add);
        } else {
          free = line;
        }
      }
      if (own == null) {
        claim(free);
      }
      write(ownLine, decision.decide(others).format());
      return true;
    }
  }

  private void claim(int line) throws IOException {
    FileLock lock = line == 0 ? null : tryLock(line);
    if (lock == null) {
      throw new IOException("at most %d processes can share a cap: %s".formatted(LINES, path));
    }
    own = lock;
    ownLine = line;
  }

  /** Whether a process holds the lock of a line; the line of a dead one is removed. */
  private boolean isAlive(int line) throws IOException {
    try (FileLock lock = tryLock(line)) {
      if (lock != null) {
        write(line, BLANK);
      }
      return lock == null;
    }
  }

  /** Null if another process, or another part of this one, has it. */
  private FileLock tryLock(int line) throws IOException {
    try {
      return channel.tryLock((long) line * LINE_BYTES, LINE_BYTES, false);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private void readHeader() throws IOException {
    if (channel.size() == 0) {
      for (int line = LINES; line >= 1; line--) {
        write(line, BLANK);
      }
      write(0, HEADER); // last, so that a file with a header is whole
      return;
    }
    String header = read(0);
    if (!header.isEmpty() && !header.equals(HEADER)) {
      throw new IOException(path + " is not a file of a shared cap of this version of Weir");
    }
    if (header.isEmpty()) { // whoever created it ended before its header was written
      write(0, HEADER);
    }
  }

  private String read(int line) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LINE_BYTES);
    long at = (long) line * LINE_BYTES;
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {
      // Most reads give all at once.
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1).strip();
  }

  private void write(int line, String text) throws IOException {
    String padded = "%-" + (LINE_BYTES - 1) + "s\n";
    ByteBuffer bytes =
        ByteBuffer.wrap(padded.formatted(text).getBytes(StandardCharsets.ISO_8859_1));
    long at = (long) line * LINE_BYTES;
    while (bytes.hasRemaining()) {
      channel.write(bytes, at + bytes.position());
    }
  }

  private void reopen() throws IOException {
    own = null;
    channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    key = keyOfPath();
  }

  private Optional<Object> keyOfPath() throws IOException {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (NoSuchFileException e) {
      return Optional.of(BLANK); // unlike any key
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (own != null && channel.isOpen()) {
        write(ownLine, BLANK);
      }
    } finally {
      try {
        channel.close();
      } finally {
        OPEN.remove(path);
      }
    }
  }
}
