package io.weir.why;

import io.weir.procfs.Procfs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Which JVM of this machine a node of a cluster is. An address and a number alone do not say that:
 * behind a tunnel or in a container they are those of another machine. So the JVM must have begun
 * when the node's did, too.
 */
final class LocalJvm {

  /** A script may prepare the process for so long before it becomes the JVM. */
  private static final Duration SCRIPT = Duration.ofMinutes(2);

  /** Where only the time says which process it is. */
  private static final Duration SHORT_SCRIPT = Duration.ofSeconds(10);

  /** The kernel's clock ticks, and both are rounded. */
  private static final Duration CLOCKS = Duration.ofSeconds(1);

  private LocalJvm() {}

  /** The process of a node; empty if it is not here, or more than one may be it. */
  static OptionalLong of(ClusterApi.Node node, Procfs kernel) {
    if (node.startMillis().isEmpty() || !isHere(node.address())) {
      return OptionalLong.empty();
    }
    Instant start = Instant.ofEpochMilli(node.startMillis().getAsLong());
    List<Long> fitting =
        (node.pid().isPresent()
                ? LongStream.of(node.pid().getAsLong())
                : ProcessHandle.allProcesses().mapToLong(ProcessHandle::pid))
            .filter(pid -> beganBefore(start, pid, node.pid().isPresent() ? SCRIPT : SHORT_SCRIPT))
            .filter(pid -> AttachedJvm.isJvm(kernel.of(pid)).orElse(true))
            .boxed()
            .toList();
    return fitting.size() == 1 ? OptionalLong.of(fitting.getFirst()) : OptionalLong.empty();
  }

  private static boolean isHere(String address) {
    try {
      return NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean beganBefore(Instant start, long pid, Duration atMost) {
    Optional<Instant> began =
        ProcessHandle.of(pid).flatMap(process -> process.info().startInstant());
    return began.isPresent()
        && began.get().isAfter(start.minus(atMost))
        && began.get().isBefore(start.plus(CLOCKS));
  }
}
