package io.weir.why;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A recording of the flight recorder in another JVM. Its file is in a directory of its own below
 * that JVM's {@code /tmp}, which only the user of that JVM and root may read, and which is deleted
 * at the end.
 *
 * <p>A JVM that has never recorded keeps threads and a directory of the recorder until it ends. If
 * this process dies, the recording ends by itself {@link #MARGIN} after the look, and leaves its
 * file.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> an {@link IOException}, whose message is a clause without
 * a path; whatever was begun is then ended and deleted, as far as the JVM answers.
 */
final class FlightRecording {

  static final Duration MARGIN = Duration.ofSeconds(30);

  /** The recorder drops the oldest events beyond this. */
  static final int MOST_MEGABYTES = 32;

  private static final String STARTED = "Started recording";
  private static final String PREFIX = "weir-why-";
  private static final Path FILE = Path.of("record.jfr");
  private static final int BUFFER_BYTES = 1 << 16;

  /** It is to be stopped even if the look is cancelled. */
  private static final BooleanSupplier NEVER = () -> false;

  private final AttachedJvm jvm;
  private final Path name;
  // Held open: the path of a container's files ends with its process, and no link can mislead it.
  private final SecureDirectoryStream<Path> parent;
  private Instant from = Instant.MAX;
  private long bytes;
  private boolean isDeleted;

  private FlightRecording(AttachedJvm jvm, Path name, SecureDirectoryStream<Path> parent) {
    this.jvm = jvm;
    this.name = name;
    this.parent = parent;
  }

  /**
   * Starts one.
   *
   * @param look how long it is to run
   */
  static FlightRecording start(AttachedJvm jvm, Duration look) throws IOException {
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
      throw new IOException(
          "the Java that runs weir has no module jdk.jfr: set JAVA_HOME to a JDK");
    }
    FlightRecording recording = prepare(jvm);
    try {
      recording.begin(look.plus(MARGIN));
      return recording;
    } catch (IOException e) {
      recording.delete();
      throw e;
    }
  }

  /** Makes the directory, and gives it to the user of the JVM. */
  private static FlightRecording prepare(AttachedJvm jvm) throws IOException {
    Path temporary = jvm.socket().getParent();
    if (!Files.isDirectory(temporary, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("its /tmp is a link");
    }
    try (DirectoryStream<Path> held = Files.newDirectoryStream(temporary)) {
      if (!(held instanceof SecureDirectoryStream<Path> parent)) {
        throw new IOException("it cannot be held open");
      }
      Path name = Files.createTempDirectory(temporary, PREFIX).getFileName();
      FlightRecording recording =
          new FlightRecording(jvm, name, parent.newDirectoryStream(Path.of(".")));
      try {
        UserPrincipal user = Files.getOwner(jvm.socket());
        FileOwnerAttributeView owner =
            parent.getFileAttributeView(
                name, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!owner.getOwner().equals(user)) {
          owner.setOwner(user);
        }
        return recording;
      } catch (IOException e) {
        recording.delete();
        throw e;
      }
    } catch (IOException e) {
      throw new IOException("its /tmp gives no directory for a file of the recorder", e);
    }
  }

  private void begin(Duration atMost) throws IOException {
    String said;
    try {
      said =
          jvm.command(
              "JFR.start name=%s settings=none %s filename=%s duration=%ds maxsize=%dM"
                  .formatted(
                      name,
                      String.join(" ", FlightRecord.settings()),
                      Path.of("/tmp").resolve(name).resolve(FILE),
                      atMost.toSeconds(),
                      MOST_MEGABYTES),
              NEVER);
    } catch (IOException e) {
      command("JFR.stop name=" + name); // perhaps it started, and answers too late
      throw e;
    }
    if (!said.contains(STARTED)) {
      throw new IOException(refusal(said.strip()));
    }
    from = Instant.now();
  }

  /** What the JVM says, with what would allow it. */
  private static String refusal(String said) {
    if (said.contains("disabled")) {
      return "its flight recorder is disabled; start it without -XX:-FlightRecorder";
    }
    if (said.contains("jdk.jfr")) {
      return "its Java has no module jdk.jfr; run it with one that has (jlink --add-modules jdk.jfr)";
    }
    return "it answers: " + said.lines().findFirst().orElse("nothing");
  }

  private void command(String words) {
    try {
      jvm.command(words, NEVER);
    } catch (IOException e) {
      // It has ended, or the recording ends by itself.
    }
  }

  /** Stops it, and deletes what it left. */
  Map<Fact, Double> stop() throws IOException {
    try {
      Instant until = Instant.now();
      String said = jvm.command("JFR.stop name=" + name, NEVER);
      if (!said.contains("Stopped recording")) {
        throw new IOException("it was stopped by another, or the JVM ended it");
      }
      Path copy = Files.createTempFile(PREFIX, ".jfr");
      try {
        copy(copy);
        return FlightRecord.facts(copy, from, until);
      } finally {
        Files.delete(copy);
      }
    } finally {
      delete();
    }
  }

  /** How large its file was. */
  long bytes() {
    return bytes;
  }

  private void copy(Path to) throws IOException {
    try (SecureDirectoryStream<Path> directory =
        parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      copy(directory, to);
    }
  }

  private void copy(SecureDirectoryStream<Path> directory, Path to) throws IOException {
    var attributes =
        directory
            .getFileAttributeView(FILE, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .readAttributes();
    if (!attributes.isRegularFile() || attributes.size() > 2L * MOST_MEGABYTES << 20) {
      throw new IOException(
          "the record must be a file of at most %d MB".formatted(2 * MOST_MEGABYTES));
    }
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    try (SeekableByteChannel in =
            directory.newByteChannel(
                FILE, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
      while (bytes < attributes.size() && in.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          bytes += out.write(buffer);
        }
        buffer.clear();
      }
    }
  }

  /** What cannot be deleted stays; a cleaner of temporary files takes it. */
  private void delete() {
    try (parent) {
      try (SecureDirectoryStream<Path> directory =
          parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        directory.deleteFile(FILE);
      } catch (NoSuchFileException e) {
        // It did not begin, or the JVM has ended.
      }
      parent.deleteDirectory(name);
      isDeleted = true;
    } catch (IOException e) {
      isDeleted = false;
    }
  }

  /** Whether nothing of it is left in the file system. */
  boolean isDeleted() {
    return isDeleted;
  }
}
