package io.weir.load.server;

import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.ArmSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the run and its server say to each other. */
public interface ServerMessage {

  /**
   * What a server is started with.
   *
   * @param index the arm's own copy, which it may spoil
   * @param documentCount how many documents that holds
   * @param threads how many answer queries; empty for a virtual one for each request
   * @param series the file for samples, CSV
   * @param gc the file for pauses of the collector, CSV
   * @param flightRecords a directory for the JVM's flight recorder, of no use afterwards
   */
  record Task(
      String arm,
      int round,
      ArmSettings settings,
      Documents documents,
      Path index,
      long documentCount,
      Optional<Integer> threads,
      Path series,
      Path gc,
      Path flightRecords) {}

  /** What the run says. */
  enum Command {
    /** It asks for a {@link Mark}. */
    LOOK,
    /** The first measured step begins: forced merges may, too. This has no answer. */
    MEASURE
  }

  /** It listens on this port of the loopback interface. */
  record Ready(int port) {}

  /**
   * What the server's JVM has used since it started.
   *
   * @param nanos on the server's clock
   * @param collectorNanos processor time of the collector's threads; empty off Linux
   * @param searchNanos the time in which threads answered queries, added up
   * @param mergingNanos how long forced merges have run; empty when the arm has none
   * @param open requests that wait or are answered, also those whose client has gone
   */
  record Mark(
      long nanos,
      long cpuNanos,
      int processors,
      Optional<Long> collectorNanos,
      long searchNanos,
      Optional<Long> readBytes,
      Optional<Long> diskStalledMicros,
      Optional<Long> mergingNanos,
      long open) {}

  /** The end of its input has ended the server: its answer. */
  record Ended(Values gc, List<RunWarning> warnings) {}
}
