package io.weir.why;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.weir.procfs.Procfs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Another JVM on this machine, attached to as {@code jcmd} does. Each command is one connection to
 * the socket on which that JVM listens; no agent and no class is loaded there.
 *
 * <p>The JVM begins to listen at the first attachment. Its thread {@code Attach Listener} and its
 * socket {@code .java_pidN} then stay until it ends, as after any {@code jcmd} or {@code jstack}.
 *
 * <p><b>Threads:</b> one at a time. <b>Failure:</b> {@link WhyException} before the first command;
 * then an {@link IOException}, also when the JVM has ended.
 *
 * <p>Source: OpenJDK, {@code attachListener_posix.cpp}, version 1 of its protocol.
 */
final class AttachedJvm {

  private static final String ATTACH = "jdk.attach";
  private static final String PROTOCOL_VERSION = "1";
  private static final int ARGUMENTS = 3;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int STEP_MILLIS = 20;

  /** A thousand threads with deep stacks have about 5 MB. */
  static final int MAX_ANSWER_BYTES = 32 << 20;

  /** A JVM that does not answer for so long is stopped, or does not reach a safepoint. */
  static final long MAX_ANSWER_MILLIS = 15_000;

  private final Path socket;

  private AttachedJvm(Path socket) {
    this.socket = socket;
  }

  /**
   * Attaches to a process.
   *
   * @throws WhyException if that is not possible, with the reason and the remedy
   */
  static AttachedJvm to(long pid, Procfs process) throws WhyException {
    check(pid, process);
    try {
      VirtualMachine.attach(Long.toString(pid)).detach();
    } catch (AttachNotSupportedException | IOException e) {
      throw new WhyException(
          ("process %d does not let itself be attached to (%s): it may be stopped, or its JVM was"
                  + " started with -XX:+DisableAttachMechanism; start it without that option")
              .formatted(pid, e.getMessage()),
          e);
    }
    long inner = process.innerNumber().orElse(pid);
    return Stream.of(
            Path.of("/proc", Long.toString(pid), "root", "tmp", ".java_pid" + inner),
            Path.of("/tmp", ".java_pid" + pid))
        .filter(Files::exists)
        .findFirst()
        .map(AttachedJvm::new)
        .orElseThrow(
            () ->
                new WhyException(
                    ("the socket of process %d cannot be reached; if it runs in a container, run"
                            + " weir why inside it: docker exec CONTAINER bin/weir why %d")
                        .formatted(pid, inner)));
  }

  /** What can be known before the JDK is asked, whose messages name no remedy. */
  private static void check(long pid, Procfs process) throws WhyException {
    if (!Files.isDirectory(Path.of("/proc/self"))) {
      throw new WhyException(
          "weir why needs the /proc of Linux, which is not here: mount it, or run this on Linux");
    }
    if (ModuleLayer.boot().findModule(ATTACH).isEmpty()) {
      throw new WhyException(
          "weir why needs a JDK, and %s has no module %s: set JAVA_HOME to a JDK"
              .formatted(System.getProperty("java.home"), ATTACH));
    }
    if (!process.isAlive()) {
      throw new WhyException(
          "PID must be the number of a running process, as jps shows it: %d".formatted(pid));
    }
    Optional<String> owner = owner(Path.of("/proc", Long.toString(pid)));
    Optional<String> own = owner(Path.of("/proc/self"));
    if (owner.isPresent() && !own.equals(Optional.of("root")) && !owner.equals(own)) {
      throw new WhyException(
          "process %d belongs to %s, and a JVM answers its own user or root only: sudo -u %s weir why %d"
              .formatted(pid, owner.get(), owner.get(), pid));
    }
    if (pid == ProcessHandle.current().pid()) {
      throw new WhyException("PID must be another process than weir itself: %d".formatted(pid));
    }
    // Another process would be ended by the signal that asks a JVM to listen.
    Optional<Boolean> isJvm = isJvm(process);
    if (isJvm.equals(Optional.of(false))) {
      throw new WhyException(
          "PID must be the number of a Java process, as jps shows it; no JVM runs in process %d"
              .formatted(pid));
    }
    if (isJvm.isEmpty()) {
      throw new WhyException(
          "process %d may not be looked at here, not even by its user: sudo weir why %d"
              .formatted(pid, pid));
    }
  }

  /** Whether a process is a JVM; empty if it may not be known. */
  static Optional<Boolean> isJvm(Procfs process) {
    return process
        .mappedFiles()
        .map(all -> all.stream().anyMatch(file -> file.path().endsWith("/libjvm.so")));
  }

  /** On which it listens, as seen from here: in the {@code /tmp} of that JVM. */
  Path socket() {
    return socket;
  }

  private static Optional<String> owner(Path path) {
    try {
      return Optional.of(Files.getOwner(path).getName());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Has the JVM run a command of {@code jcmd}, and returns what it says.
   *
   * @param cancelled ends the wait for an answer; asked every 20 ms of it
   * @throws IOException if it has ended, answers an error or not in time, or if that was cancelled
   */
  String command(String words, BooleanSupplier cancelled) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Selector selector = Selector.open()) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      ByteBuffer request =
          ByteBuffer.wrap(
              String.join("\0", PROTOCOL_VERSION, "jcmd", words, "\0".repeat(ARGUMENTS - 1))
                  .getBytes(StandardCharsets.UTF_8));
      while (request.hasRemaining()) {
        channel.write(request);
      }
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      List<String> answer = List.of(read(channel, selector, cancelled).split("\n", 2));
      if (!answer.getFirst().equals("0")) {
        throw new IOException(
            "the JVM refuses %s: %s"
                .formatted(
                    words.split(" ", 2)[0],
                    answer.getLast().strip().lines().findFirst().orElse("it says nothing")));
      }
      return answer.getLast();
    }
  }

  private static String read(SocketChannel channel, Selector selector, BooleanSupplier cancelled)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    for (long waited = 0; waited < MAX_ANSWER_MILLIS; ) {
      if (cancelled.getAsBoolean()) {
        throw new IOException("cancelled");
      }
      if (selector.select(STEP_MILLIS) == 0) {
        waited += STEP_MILLIS;
        continue;
      }
      selector.selectedKeys().clear();
      int read = channel.read(buffer);
      if (read < 0) {
        return bytes.toString(StandardCharsets.UTF_8);
      }
      bytes.write(buffer.array(), 0, read);
      buffer.clear();
      if (bytes.size() > MAX_ANSWER_BYTES) {
        throw new IOException("an answer must have at most %d bytes".formatted(MAX_ANSWER_BYTES));
      }
    }
    throw new IOException("the JVM has not answered for %d ms".formatted(MAX_ANSWER_MILLIS));
  }
}
