package io.weir.load.experiment;

import io.weir.jvm.WorkerJvm;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.load.plan.StepRule;
import io.weir.load.plan.TargetUrl;
import io.weir.load.server.ServerMain;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.run.RunWarning;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

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

  /** The share of the machine's processors that were busy since the last call, if it runs here. */
  Optional<Double> machinePercent();

  /**
   * Waits until requests that the client gave up load the service no longer, or the run is
   * cancelled.
   *
   * @param last the step in which it gave them up
   * @return what a reader must know if that is not certain
   */
  Optional<RunWarning> settle(Values last, BooleanSupplier cancelled)
      throws DiedException, InterruptedException;

  /** Measured steps begin. */
  void measure() throws DiedException, InterruptedException;

  /** How many of the nearest neighbours its searches find; nothing when that is not known. */
  Values recall() throws DiedException, IOException, InterruptedException;

  /** Ends it; empty when it is not ours. */
  Optional<ServerMain.Ended> end() throws DiedException, InterruptedException;

  @Override
  void close();

  /**
   * Counters at one moment.
   *
   * @param nanos on the server's clock, or on ours
   * @param server empty when it is not ours
   * @param diskStalledMicros of the machine; empty where the kernel does not report it, and for a
   *     service on another machine
   */
  record Look(long nanos, Optional<ServerMain.Mark> server, Optional<Long> diskStalledMicros) {

    /**
     * What was used since {@code earlier}.
     *
     * @param machinePercent the processors of the machine
     * @param clientNanos processor time of the client
     * @param threads of the server's pool
     */
    Values since(
        Look earlier, Optional<Double> machinePercent, long clientNanos, OptionalInt threads) {
      double nanosPassed = Math.max(1, nanos - earlier.nanos);
      int processors = Runtime.getRuntime().availableProcessors();
      return Values.builder()
          .put(StepFigures.MACHINE, machinePercent)
          .put(
              StepFigures.SERVER,
              server.map(
                  mark ->
                      share(
                          mark.cpuNanos() - earlier.mark().cpuNanos(),
                          nanosPassed * mark.processors())))
          .put(StepFigures.CLIENT, share(clientNanos, nanosPassed * processors))
          .put(
              StepFigures.COLLECTOR,
              passed(earlier, ServerMain.Mark::collectorNanos)
                  .map(nanos -> share(nanos, nanosPassed * mark().processors())))
          .put(
              StepFigures.DISK,
              diskStalledMicros.flatMap(
                  now ->
                      earlier.diskStalledMicros.map(
                          then -> share(1e3 * (now - then), nanosPassed))))
          .put(
              StepFigures.MERGING,
              passed(earlier, ServerMain.Mark::mergingNanos)
                  .map(nanos -> share(nanos, nanosPassed)))
          .put(
              StepFigures.THREADS,
              threads.isEmpty()
                  ? Optional.empty()
                  : server.map(
                      mark ->
                          share(
                              mark.searchNanos() - earlier.mark().searchNanos(),
                              nanosPassed * threads.getAsInt())))
          .put(
              StepFigures.READ,
              passed(earlier, ServerMain.Mark::readBytes).map(bytes -> 1e9 * bytes / nanosPassed))
          .build();
    }

    /** By how much a counter of the server has grown, if there is one. */
    private Optional<Long> passed(Look earlier, Function<ServerMain.Mark, Optional<Long>> counter) {
      return server
          .flatMap(counter)
          .flatMap(now -> counter.apply(earlier.mark()).map(then -> now - then));
    }

    private ServerMain.Mark mark() {
      return server.orElseThrow();
    }

    private static double share(double part, double all) {
      return Math.round(1e3 * Math.clamp(part / all, 0, 1)) / 10.0;
    }
  }

  /** A server of ours in its JVM, which listens. */
  record Own(WorkerJvm jvm, TargetUrl address, NanoClock clock) implements Service {

    private static final long LOOK_NANOS = 100_000_000;

    /** Waits until it listens. */
    static Own await(WorkerJvm jvm, NanoClock clock) throws DiedException, InterruptedException {
      int port = jvm.await(ServerMain.Ready.class).port();
      return new Own(jvm, TargetUrl.parse("http://127.0.0.1:" + port), clock);
    }

    @Override
    public Look look() throws DiedException, InterruptedException {
      ServerMain.Mark mark = mark();
      return new Look(mark.nanos(), Optional.of(mark), mark.diskStalledMicros());
    }

    private ServerMain.Mark mark() throws DiedException, InterruptedException {
      jvm.tell(ServerMain.Command.LOOK);
      return jvm.await(ServerMain.Mark.class);
    }

    @Override
    public Optional<Double> machinePercent() {
      return busyPercent();
    }

    /** As long as the server gets on with them. */
    @Override
    public Optional<RunWarning> settle(Values last, BooleanSupplier cancelled)
        throws DiedException, InterruptedException {
      long least = Long.MAX_VALUE;
      long leastSince = clock.nanoTime();
      for (long open = mark().open(); open > 0 && !cancelled.getAsBoolean(); open = mark().open()) {
        if (open < least) {
          least = open;
          leastSince = clock.nanoTime();
        } else if (clock.nanoTime() - leastSince > StepRule.DRAIN.toNanos()) {
          return Optional.of(
              new RunWarning(
                  "the server still worked on %d requests of a step when the next one began"
                      .formatted(open),
                  "it finished none of them in %d s".formatted(StepRule.DRAIN.toSeconds()),
                  "a lower --load"));
        }
        clock.parkNanos(this, LOOK_NANOS);
      }
      return Optional.empty();
    }

    @Override
    public void measure() throws DiedException, InterruptedException {
      jvm.tell(ServerMain.Command.MEASURE);
    }

    @Override
    public Values recall() throws DiedException, InterruptedException {
      jvm.tell(ServerMain.Command.COMPARE);
      return jvm.await(ServerMain.Compared.class).recall();
    }

    @Override
    public Optional<ServerMain.Ended> end() throws DiedException, InterruptedException {
      jvm.stop();
      return Optional.of(jvm.answer(ServerMain.Ended.class, progress -> {}));
    }

    @Override
    public void close() {
      jvm.close();
    }
  }

  /**
   * A service that is not ours.
   *
   * @param here whether it runs on this machine
   * @param comparison of its neighbours with an exact search
   */
  record Foreign(
      TargetUrl address, boolean here, NanoClock clock, long zeroNanos, Comparison comparison)
      implements Service {

    /** What {@link #recall} does. */
    interface Comparison {
      Values recall() throws IOException, InterruptedException;
    }

    private static final double MOST_SETTLING_SECONDS = 120;
    private static final long PARK_NANOS = 50_000_000;

    /** One at an address that the user gave. */
    static Foreign of(TargetUrl address, NanoClock clock, Comparison comparison) {
      return new Foreign(
          address, isHere(address.of("a").getHost()), clock, clock.nanoTime(), comparison);
    }

    private static boolean isHere(String host) {
      try {
        InetAddress address = InetAddress.getByName(host);
        return address.isAnyLocalAddress()
            || address.isLoopbackAddress()
            || NetworkInterface.getByInetAddress(address) != null;
      } catch (IOException e) {
        return false; // an unknown host is not this one
      }
    }

    @Override
    public Look look() {
      return new Look(
          clock.nanoTime() - zeroNanos,
          Optional.empty(),
          Procfs.SYSTEM
              .ioPressure()
              .filter(pressure -> here)
              .map(Pressure::someTotalMicros)
              .filter(micros -> micros.isPresent())
              .map(micros -> micros.getAsLong()));
    }

    @Override
    public Optional<Double> machinePercent() {
      return here ? busyPercent() : Optional.empty();
    }

    /** As long as it would need at the rate of the step, within reason. */
    @Override
    public Optional<RunWarning> settle(Values last, BooleanSupplier cancelled) {
      long unanswered = last.require(StepFigures.UNANSWERED);
      if (unanswered == 0) {
        return Optional.empty();
      }
      double seconds =
          Math.min(MOST_SETTLING_SECONDS, unanswered / StepFigures.answeredPerSecond(last));
      long endNanos = clock.nanoTime() + Math.round(1e9 * seconds);
      while (clock.nanoTime() < endNanos && !cancelled.getAsBoolean()) {
        clock.parkNanos(this, PARK_NANOS);
      }
      return Optional.of(
          new RunWarning(
              String.format(
                  Locale.ROOT,
                  "the client gave up %d requests of a step, and waited %.0f s before the next one",
                  unanswered,
                  seconds),
              "the service may still be working on them; only a server that Weir starts reports that",
              "a lower --load, or auto"));
    }

    @Override
    public void measure() {
      // It does what it does.
    }

    @Override
    public Values recall() throws IOException, InterruptedException {
      return comparison.recall();
    }

    @Override
    public Optional<ServerMain.Ended> end() {
      return Optional.empty();
    }

    @Override
    public void close() {
      // It goes on.
    }
  }

  private static Optional<Double> busyPercent() {
    double share =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getCpuLoad();
    return share < 0 || Double.isNaN(share)
        ? Optional.empty()
        : Optional.of(Math.round(1e3 * share) / 10.0);
  }
}
