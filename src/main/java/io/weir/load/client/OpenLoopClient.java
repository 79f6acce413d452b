package io.weir.load.client;

import io.weir.load.plan.StepRule;
import io.weir.run.FailureWords;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import io.weir.stress.arm.load.Schedule;
import io.weir.stress.arm.load.TargetRate;
import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.stress.noise.HiccupMeter;
import io.weir.stress.setting.LoadRate;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Sends requests at the times of a Poisson schedule from one thread, whatever the server does, and
 * keeps the response time of each from its intended start.
 *
 * <p>A request that is due while others wait for answers is sent at its time, on a connection of
 * its own. So a server that stops is charged with every request that was due while it stood still,
 * and none is left out.
 *
 * <p><b>Threads:</b> {@link #step} and {@link #warmUp} from one; {@link #stop} from any.
 * <b>Ownership:</b> the connections. <b>Failure:</b> a request that fails is counted, and the first
 * reason kept.
 */
public final class OpenLoopClient implements Closeable {

  private static final Duration CONNECTING = Duration.ofSeconds(10);
  private static final Duration WARM_UP_ANSWER = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = 1_000_000;
  private static final long LONGEST_PARK_NANOS = 50_000_000;

  /**
   * What a step saw, and each of its requests.
   *
   * @param startNanos on the client's clock
   * @param latencies of requests that are not set aside, in nanoseconds
   */
  record Step(
      Values view, long startNanos, Requests requests, boolean[] setAside, long[] latencies) {}

  private final NanoClock clock;
  private final List<ClientMain.Query> queries;
  private final Optional<String> authorization;
  private final HttpClient http;
  private final ClientStalls stalls = new ClientStalls();
  private final HiccupMeter meter;
  private final AtomicInteger nextQuery = new AtomicInteger();
  private volatile boolean stopped;

  /**
   * A client that has sent nothing.
   *
   * @param queries sent in this order and over again
   * @param authorization a header that each request has
   */
  public OpenLoopClient(
      NanoClock clock, List<ClientMain.Query> queries, Optional<String> authorization) {
    this.clock = clock;
    this.queries = queries;
    this.authorization = authorization;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTING)
            .build();
    this.meter = new HiccupMeter(clock, late -> stalls.add(clock.nanoTime(), late));
  }

  /** Ends the step that runs, and any later one at once. */
  public void stop() {
    stopped = true;
  }

  /** Sends {@code atOnce} requests at a time, the next when one is answered. */
  ClientMain.WarmedUp warmUp(Duration time, int atOnce) throws InterruptedException {
    Semaphore free = new Semaphore(atOnce);
    AtomicLong answered = new AtomicLong();
    AtomicReference<Optional<String>> failure = new AtomicReference<>(Optional.empty());
    long startNanos = clock.nanoTime();
    while (clock.nanoTime() - startNanos < time.toNanos() && !stopped) {
      if (!free.tryAcquire(LONGEST_PARK_NANOS, TimeUnit.NANOSECONDS)) {
        continue;
      }
      http.sendAsync(request(Optional.of(WARM_UP_ANSWER)), BodyHandlers.discarding())
          .whenComplete(
              (answer, failed) -> {
                if (failed == null && Requests.isSuccessStatus(answer.statusCode())) {
                  answered.incrementAndGet();
                } else {
                  keep(failure, failed == null ? status(answer.statusCode()) : words(failed));
                }
                free.release();
              });
    }
    long count = answered.get();
    return new ClientMain.WarmedUp(
        count * 1e9 / Math.max(1, clock.nanoTime() - startNanos), count, failure.get());
  }

  /**
   * One step.
   *
   * @param perSecond requests on average
   * @param seed of their times
   * @param whenSent called when the time is over, before the wait for the last answers
   */
  Step step(double perSecond, Duration time, long seed, Runnable whenSent) {
    Requests requests = new Requests(schedule(perSecond, time, seed));
    AtomicInteger open = new AtomicInteger();
    AtomicInteger mostOpen = new AtomicInteger();
    AtomicReference<Optional<String>> failure = new AtomicReference<>(Optional.empty());
    // Only those that wait: an answer keeps its request, headers and connection in memory.
    Set<CompletableFuture<?>> calls = ConcurrentHashMap.newKeySet();
    long cpuBefore = cpuNanos();
    long startNanos = clock.nanoTime();
    int sent = 0;
    for (int i = 0; i < requests.count() && await(startNanos + requests.dueNanos(i)); i++) {
      int number = i;
      mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
      requests.sent(i, clock.nanoTime() - startNanos);
      // The time is taken on the thread that read the answer; the future completes on another.
      BodyHandler<Integer> noted =
          answer ->
              BodySubscribers.mapping(
                  BodySubscribers.discarding(),
                  unused -> {
                    requests.done(number, clock.nanoTime() - startNanos, answer.statusCode());
                    return answer.statusCode();
                  });
      CompletableFuture<HttpResponse<Integer>> call =
          http.sendAsync(request(Optional.empty()), noted);
      calls.add(call);
      call.whenComplete(
          (answer, failed) -> {
            if (failed == null) {
              if (!Requests.isSuccessStatus(answer.statusCode())) {
                keep(failure, status(answer.statusCode()));
              }
            } else if (requests.done(number, clock.nanoTime() - startNanos, Requests.BROKEN)) {
              keep(failure, words(failed));
            }
            calls.remove(call);
            open.decrementAndGet();
          });
      sent++;
    }
    boolean interrupted = stopped || !await(startNanos + time.toNanos());
    long endNanos = Math.min(clock.nanoTime() - startNanos, time.toNanos());
    long cpuNanos = cpuNanos() - cpuBefore;
    whenSent.run();
    drain(open);
    long givenUpNanos = clock.nanoTime() - startNanos;
    requests.giveUp(sent, givenUpNanos);
    calls.forEach(call -> call.cancel(true)); // no effect after an answer
    boolean[] aside = setAside(requests, sent, startNanos);
    long[] latencies = latencies(requests, sent, aside);
    return new Step(
        Values.builder()
            .put(StepFigures.SECONDS, endNanos / 1e9)
            .put(StepFigures.DUE, (long) sent)
            .put(StepFigures.ANSWERED, count(sent, requests::isSuccess))
            .put(
                StepFigures.FAILED,
                count(sent, i -> requests.status(i) != Requests.WAITING && !requests.isSuccess(i)))
            .put(StepFigures.UNANSWERED, count(sent, i -> requests.status(i) == Requests.WAITING))
            .put(StepFigures.SET_ASIDE, count(sent, i -> aside[i]))
            .put(
                StepFigures.SECOND_HALF_DUE,
                count(sent, i -> isInSecondHalf(requests.dueNanos(i), endNanos)))
            .put(
                StepFigures.SECOND_HALF_ANSWERED,
                count(
                    sent,
                    i -> requests.isSuccess(i) && isInSecondHalf(requests.doneNanos(i), endNanos)))
            .put(StepFigures.LATENCY, LatencyTally.of(latencies).summaryToP999())
            .put(
                StepFigures.SENT_LATE,
                LatencyTally.of(
                        IntStream.range(0, sent)
                            .mapToLong(
                                i -> Math.max(0, requests.sentNanos(i) - requests.dueNanos(i)))
                            .toArray())
                    .summaryToP999())
            .put(StepFigures.STALLS, stalls.count(startNanos, startNanos + givenUpNanos))
            .put(
                StepFigures.LONGEST_STALL,
                stalls.longestNanos(startNanos, startNanos + givenUpNanos) / 1e6)
            .put(StepFigures.MOST_IN_FLIGHT, (long) mostOpen.get())
            .put(StepFigures.CLIENT_CPU, cpuNanos)
            .put(StepFigures.CLIENT_PROCESSORS, (long) Runtime.getRuntime().availableProcessors())
            .put(StepFigures.FIRST_FAILURE, failure.get())
            .put(StepFigures.INTERRUPTED, interrupted)
            .build(),
        startNanos,
        requests,
        aside,
        latencies);
  }

  private static boolean isInSecondHalf(long nanos, long endNanos) {
    return nanos >= endNanos / 2 && nanos < endNanos;
  }

  private static long[] schedule(double perSecond, Duration time, long seed) {
    TargetRate rate = TargetRate.perSecond("requests", LoadRate.steady(perSecond));
    Schedule schedule = Schedule.poisson(rate, seed, 0);
    return LongStream.generate(schedule::nextNanos)
        .takeWhile(due -> due < time.toNanos())
        .toArray();
  }

  /** Waits until a moment of the clock; false when this was stopped before. */
  private boolean await(long nanos) {
    for (long left = nanos - clock.nanoTime(); left > 0; left = nanos - clock.nanoTime()) {
      if (stopped) {
        return false;
      }
      clock.parkNanos(this, Math.min(left, LONGEST_PARK_NANOS));
    }
    return !stopped;
  }

  private void drain(AtomicInteger open) {
    long endNanos = clock.nanoTime() + StepRule.DRAIN.toNanos();
    while (open.get() > 0 && clock.nanoTime() < endNanos && !stopped) {
      clock.parkNanos(this, LOOK_NANOS);
    }
  }

  /** Of requests with an answer that is a success, and of those that waited to the end. */
  private static long[] latencies(Requests requests, int sent, boolean[] aside) {
    return IntStream.range(0, sent)
        .filter(i -> !aside[i] && (requests.isSuccess(i) || requests.status(i) == Requests.WAITING))
        .mapToLong(i -> Math.max(0, requests.doneNanos(i) - requests.dueNanos(i)))
        .toArray();
  }

  private boolean[] setAside(Requests requests, int sent, long startNanos) {
    boolean[] aside = new boolean[requests.count()];
    for (int i = 0; i < sent; i++) {
      aside[i] =
          stalls.tookMostOf(
              startNanos + requests.dueNanos(i),
              startNanos + requests.sentNanos(i),
              startNanos + requests.doneNanos(i));
    }
    return aside;
  }

  private static long count(int most, IntPredicate which) {
    return IntStream.range(0, most).filter(which).count();
  }

  private HttpRequest request(Optional<Duration> within) {
    HttpRequest.Builder request =
        queries.get(Math.floorMod(nextQuery.getAndIncrement(), queries.size())).request();
    within.ifPresent(request::timeout);
    authorization.ifPresent(value -> request.header("Authorization", value));
    return request.build();
  }

  private static void keep(AtomicReference<Optional<String>> first, String reason) {
    first.updateAndGet(known -> known.or(() -> Optional.of(reason)));
  }

  private static String status(int code) {
    return "answered with HTTP status " + code;
  }

  private static String words(Throwable failed) {
    return FailureWords.of(failed);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  @Override
  public void close() {
    meter.close();
    http.shutdownNow();
  }
}
