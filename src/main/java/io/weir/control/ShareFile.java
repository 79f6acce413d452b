package io.weir.control;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A small file in which processes of one machine say what they take of a shared rate. It has a line
 * for each process, and a header. What the lines mean, and who may write which, {@link ShareSeat}
 * knows.
 *
 * <p>There are no locks, so there is none that other code could drop, and none that a process which
 * is stopped could keep.
 *
 * <p>The file is known by its key (device and inode), whatever its name. A file that is deleted or
 * replaced is opened anew at the next {@link #read}, and so is one whose channel an interrupt has
 * closed.
 *
 * <p><b>Threads:</b> one at a time. <b>Ownership:</b> {@link #close} closes it, and lets this class
 * loader open it again. <b>Failure:</b> {@link IOException}; the next call tries again.
 */
final class ShareFile implements ShareSeat.Lines, Closeable {

  /** The most processes that may share. */
  static final int LINES = 32;

  static final int LINE_BYTES = 256;

  private static final String HEADER = "weir shared cap, version 2";
  private static final String BLANK = "";
  private static final int OPENINGS = 5; // the one that creates it is followed by another

  /** Those that this class loader has open, by their paths and by their keys. */
  private static final Map<Object, ShareFile> OPEN = new ConcurrentHashMap<>();

  private final Path path;
  private Optional<FileChannel> channel = Optional.empty();
  private Optional<Object> key = Optional.empty(); // of the open file

  private ShareFile(Path path) {
    this.path = path;
  }

  /**
   * Opens or creates the file.
   *
   * @throws IllegalStateException if this class loader has it open already, under whatever name
   * @throws IOException if it cannot be opened, or is something else
   */
  static ShareFile open(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Path real =
        Files.exists(file) ? file.toRealPath() : parent.toRealPath().resolve(file.getFileName());
    ShareFile opened = new ShareFile(real);
    opened.requireNotOpen(real);
    try {
      opened.reopen();
      opened.requireNotOpen(opened.key.orElse(real));
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private void requireNotOpen(Object name) {
    ShareFile other = OPEN.putIfAbsent(name, this);
    if (other != null && other != this) {
      throw new IllegalStateException(
          "a process must join a shared cap at most once; use children of its budget: " + path);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public boolean isReplaced() throws IOException {
    if (channel.isPresent() && channel.get().isOpen() && keyOfPath().equals(key)) {
      return false;
    }
    key.ifPresent(before -> OPEN.remove(before, this));
    reopen();
    key.ifPresent(now -> OPEN.putIfAbsent(now, this));
    return true;
  }

  @Override
  public List<String> read() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((1 + LINES) * LINE_BYTES);
    while (bytes.hasRemaining() && channel().read(bytes, bytes.position()) > 0) {
      // Most reads give all at once.
    }
    String all = new String(bytes.array(), StandardCharsets.ISO_8859_1);
    List<String> lines = new ArrayList<>();
    for (int line = 0; line <= LINES; line++) {
      String text = all.substring(line * LINE_BYTES, (line + 1) * LINE_BYTES);
      lines.add(text.replace('\0', ' ').strip());
    }
    requireHeader(lines.removeFirst());
    return lines;
  }

  private void requireHeader(String header) throws IOException {
    if (header.isEmpty()) {
      writeAt(0, HEADER);
    } else if (!header.equals(HEADER)) {
      throw new IOException(
          path
              + " is not a file of a shared cap of this version of Weir, which begins with \""
              + HEADER
              + "\". Run one version in all processes that share it and delete the file, or name"
              + " another file.");
    }
  }

  @Override
  public void write(int line, String text) throws IOException {
    writeAt(1 + line, text);
  }

  private void writeAt(int place, String text) throws IOException {
    String padded = text + " ".repeat(LINE_BYTES - 1 - text.length()) + "\n";
    ByteBuffer bytes = ByteBuffer.wrap(padded.getBytes(StandardCharsets.ISO_8859_1));
    long at = (long) place * LINE_BYTES;
    while (bytes.hasRemaining()) {
      channel().write(bytes, at + bytes.position());
    }
  }

  private FileChannel channel() throws IOException {
    return channel.orElseThrow(() -> new IOException("the file is not open: " + path));
  }

  /** Opens the file that the path names before and after, so that the key is of that file. */
  private void reopen() throws IOException {
    for (int i = 0; i < OPENINGS; i++) {
      Optional<Object> before = keyOfPath();
      closeChannel();
      channel =
          Optional.of(
              FileChannel.open(
                  path,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE));
      key = keyOfPath();
      if (key.equals(before)) {
        return;
      }
    }
    throw new IOException("the file is replaced again and again: " + path);
  }

  /** Empty if the file system has no keys. */
  private Optional<Object> keyOfPath() throws IOException {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (NoSuchFileException e) {
      return Optional.of(BLANK); // unlike any key
    }
  }

  private void closeChannel() throws IOException {
    if (channel.isPresent()) {
      channel.get().close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      closeChannel();
    } finally {
      OPEN.values().removeIf(this::equals);
    }
  }
}
