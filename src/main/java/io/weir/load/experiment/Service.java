package io.weir.load.experiment;

import io.weir.load.experiment.LineJvm.DiedException;
import io.weir.load.plan.TargetUrl;
import io.weir.load.result.StepUse;
import io.weir.load.server.ServerMessage;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What answers the queries of an arm, and what it used.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> {@link #close} ends a server that is ours.
 */
sealed interface Service extends Closeable {

  /** Where it answers. */
  TargetUrl address();

  /** What it has used until now. */
  Look look() throws DiedException, InterruptedException;

  /** Measured steps begin. */
  void measure() throws DiedException, InterruptedException;

  /** Ends it; empty when it is not ours. */
  Optional<ServerMessage.Ended> end() throws DiedException, InterruptedException;

  @Override
  void close();

  /**
   * Counters at one moment.
   *
   * @param nanos on the server's clock, or on ours
   * @param server empty when it is not ours
   * @param diskStalledMicros of the machine; empty where the kernel does not report it
   */
  record Look(long nanos, Optional<ServerMessage.Mark> server, Optional<Long> diskStalledMicros) {

    /**
     * What was used since {@code earlier}.
     *
     * @param machinePercent the processors of the machine
     * @param clientNanos processor time of the client
     * @param threads of the server's pool
     */
    StepUse since(
        Look earlier, Optional<Double> machinePercent, long clientNanos, OptionalInt threads) {
      double nanosPassed = Math.max(1, nanos - earlier.nanos);
      int processors = Runtime.getRuntime().availableProcessors();
      return new StepUse(
          machinePercent,
          server.map(
              mark ->
                  share(
                      mark.cpuNanos() - earlier.mark().cpuNanos(),
                      nanosPassed * mark.processors())),
          share(clientNanos, nanosPassed * processors),
          server.flatMap(
              mark ->
                  mark.collectorNanos()
                      .flatMap(
                          now ->
                              earlier
                                  .mark()
                                  .collectorNanos()
                                  .map(
                                      then -> share(now - then, nanosPassed * mark.processors())))),
          Optional.empty(),
          diskStalledMicros.flatMap(
              now -> earlier.diskStalledMicros.map(then -> share(1e3 * (now - then), nanosPassed))),
          threads.isEmpty()
              ? Optional.empty()
              : server.map(
                  mark ->
                      share(
                          mark.searchNanos() - earlier.mark().searchNanos(),
                          nanosPassed * threads.getAsInt())),
          server.flatMap(
              mark ->
                  mark.readBytes()
                      .flatMap(
                          now ->
                              earlier
                                  .mark()
                                  .readBytes()
                                  .map(then -> 1e9 * (now - then) / nanosPassed))));
    }

    private ServerMessage.Mark mark() {
      return server.orElseThrow();
    }

    private static double share(double part, double all) {
      return Math.round(1e3 * Math.clamp(part / all, 0, 1)) / 10.0;
    }
  }

  /** A server of ours in its JVM, which listens. */
  record Own(LineJvm jvm, TargetUrl address) implements Service {

    /** Waits until it listens. */
    static Own await(LineJvm jvm) throws DiedException, InterruptedException {
      int port = jvm.await(ServerMessage.Answer.class, ServerMessage.Ready.class).port();
      return new Own(jvm, TargetUrl.parse("http://127.0.0.1:" + port));
    }

    @Override
    public Look look() throws DiedException, InterruptedException {
      jvm.tell(ServerMessage.LOOK);
      ServerMessage.Mark mark = jvm.await(ServerMessage.Answer.class, ServerMessage.Mark.class);
      return new Look(mark.nanos(), Optional.of(mark), mark.diskStalledMicros());
    }

    @Override
    public void measure() throws DiedException, InterruptedException {
      jvm.tell(ServerMessage.MEASURE);
    }

    @Override
    public Optional<ServerMessage.Ended> end() throws DiedException, InterruptedException {
      jvm.endInput();
      return Optional.of(jvm.await(ServerMessage.Answer.class, ServerMessage.Ended.class));
    }

    @Override
    public void close() {
      jvm.close();
    }
  }

  /** A service that is not ours. */
  record Foreign(TargetUrl address, NanoClock clock, long zeroNanos) implements Service {

    @Override
    public Look look() {
      return new Look(
          clock.nanoTime() - zeroNanos,
          Optional.empty(),
          Procfs.SYSTEM
              .ioPressure()
              .map(Pressure::someTotalMicros)
              .filter(micros -> micros.isPresent())
              .map(micros -> micros.getAsLong()));
    }

    @Override
    public void measure() {
      // It does what it does.
    }

    @Override
    public Optional<ServerMessage.Ended> end() {
      return Optional.empty();
    }

    @Override
    public void close() {
      // It goes on.
    }
  }

  /** The share of the machine's processors that were busy since the last call. */
  static Optional<Double> machinePercent() {
    double share =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getCpuLoad();
    return share < 0 || Double.isNaN(share)
        ? Optional.empty()
        : Optional.of(Math.round(1e3 * share) / 10.0);
  }
}
