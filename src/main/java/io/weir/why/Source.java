package io.weir.why;

import io.weir.procfs.Procfs;
import io.weir.rest.EngineAddress;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where an observation comes from. {@link Watch} is the time in which it is looked at.
 *
 * <p><b>Units:</b> nanoseconds of the clock that it was made with. <b>Threads:</b> one opens it,
 * one looks and then asks what was seen; any may close it, which ends waits. <b>Failure:</b> {@link
 * WhyException} if it cannot be looked at; once that was possible, {@link #look} ends with an
 * {@link IOException}, and {@link #seen} is what was seen until then.
 */
public sealed interface Source extends Closeable permits JvmSource, ClusterSource {

  /** A JVM on this machine. */
  static Source process(long pid, Procfs kernel, NanoClock clock) {
    return process(pid, kernel, clock, Optional.empty());
  }

  /**
   * A JVM on this machine, with its flight recorder.
   *
   * @param record how long its flight recorder is to record; empty if it is not
   */
  static Source process(long pid, Procfs kernel, NanoClock clock, Optional<Duration> record) {
    return new JvmSource(pid, kernel, clock, record);
  }

  /** A cluster of a search engine, and the JVM of one of its nodes if that is on this machine. */
  static Source cluster(EngineAddress address, Procfs kernel, NanoClock clock) {
    return cluster(address, kernel, clock, Optional.empty());
  }

  /**
   * The same, with the flight recorder of that JVM.
   *
   * @param record how long the flight recorder of that JVM is to record; empty if it is not
   */
  static Source cluster(
      EngineAddress address, Procfs kernel, NanoClock clock, Optional<Duration> record) {
    return new ClusterSource(address, kernel, clock, record);
  }

  /** What it is, in a message: {@code process 4711}. */
  String name();

  /**
   * Makes it ready to be looked at.
   *
   * @return others that are ready, to be looked at in the same time
   */
  List<Source> open() throws WhyException;

  /**
   * Looks, if a look is due.
   *
   * @return when to call it again
   * @throws IOException if it can be looked at no more; the message is a clause
   */
  long look(long nowNanos) throws IOException;

  /**
   * What was seen; no look comes after it.
   *
   * @param seconds for which it was looked at
   */
  Observation seen(double seconds);

  /** Ends it; waits in other methods end. */
  @Override
  void close();
}
