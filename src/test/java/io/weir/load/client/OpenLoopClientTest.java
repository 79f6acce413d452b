package io.weir.load.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import io.weir.stress.Await;
import io.weir.suite.ChildJvm;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Slow("stops the process of a server for two seconds")
class OpenLoopClientTest {

  private static final NanoClock CLOCK = NanoClock.SYSTEM;
  private static final double PER_SECOND = 200;

  /** Not the common pool, on which the JDK's client completes its answers. */
  private static final Executor OWN_THREAD = task -> Thread.ofPlatform().start(task);

  private static OpenLoopClient client(String port) {
    return new OpenLoopClient(
        CLOCK,
        List.of(new ClientMain.Query(URI.create("http://127.0.0.1:" + port + "/"))),
        Optional.empty());
  }

  private static void signal(String name, String pid) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
  }

  private static void await(long nanos) {
    Await.until("the moment has come", () -> CLOCK.nanoTime() >= nanos);
  }

  /**
   * No coordinated omission: a server that stands still for two seconds is charged with each
   * request that was due in them, from the time at which it was due.
   */
  @Test
  @EnabledOnOs(OS.LINUX)
  void step_serverStopsForTwoSeconds_chargesEachRequestThatWasDue() throws Exception {
    try (ChildJvm server = ChildJvm.start(StoppableServer.class)) {
      String pid = server.nextLine();
      try (OpenLoopClient client = client(server.nextLine())) {
        client.warmUp(Duration.ofMillis(300), 2);
        long startNanos = CLOCK.nanoTime();
        CompletableFuture<OpenLoopClient.Step> running =
            CompletableFuture.supplyAsync(
                () -> client.step(PER_SECOND, Duration.ofSeconds(5), 7, () -> {}), OWN_THREAD);
        await(startNanos + 1_000_000_000L);
        signal("STOP", pid);
        Await.until("all threads of the server stand still", () -> standsStill(pid));
        long stopped = CLOCK.nanoTime();
        await(stopped + 2_000_000_000L);
        long goesOn = CLOCK.nanoTime();
        signal("CONT", pid);

        OpenLoopClient.Step step = running.join();
        Requests requests = step.requests();
        long from = stopped - step.startNanos();
        long to = goesOn - step.startNanos();
        int due = 0;
        for (int i = 0; i < requests.count(); i++) {
          long dueNanos = requests.dueNanos(i);
          if (dueNanos > from && dueNanos < to) {
            due++;
            assertTrue(
                requests.doneNanos(i) - dueNanos >= to - dueNanos,
                () -> "answered while the server stood still: due " + dueNanos);
            assertTrue(requests.isSuccess(i), "answered in the end");
          }
        }
        // A Poisson schedule: 400 in 2 s, give or take 20; on a busy machine the stop is longer.
        double expected = PER_SECOND * (to - from) / 1e9;
        assertEquals(expected, due, 5 * Math.sqrt(expected), "due while it stood still");
        // From the time at which each was due, not from that at which it was sent.
        assertArrayEquals(
            IntStream.range(0, requests.count())
                .filter(i -> !step.setAside()[i])
                .mapToLong(i -> requests.doneNanos(i) - requests.dueNanos(i))
                .toArray(),
            step.latencies());
        Values view = step.view();
        assertEquals(requests.count(), view.require(StepFigures.DUE));
        assertEquals(0, view.require(StepFigures.UNANSWERED));
        // A closed loop would have had one slow request for each connection, and p99 as before.
        assertTrue(view.require(StepFigures.LATENCY).maxMillis() > 1800, view.toString());
        assertTrue(view.require(StepFigures.LATENCY).p99Millis() > 1500, view.toString());
        assertTrue(view.require(StepFigures.LATENCY).p90Millis() > 900, view.toString());
        assertTrue(view.require(StepFigures.MOST_IN_FLIGHT) > 260, view.toString());
      }
    }
  }

  /** A signal is only on its way when {@code kill} has returned. */
  private static boolean standsStill(String pid) {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", pid, "task"))) {
      for (Path thread : threads) {
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    } catch (IOException | DirectoryIteratorException e) {
      return false; // a thread has just ended
    }
  }

  /** Else what a load used would be averaged over the wait for its last answers. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void step_isOverWithAnswersMissing_saysSoBeforeItWaits() throws Exception {
    try (ChildJvm server = ChildJvm.start(StoppableServer.class)) {
      String pid = server.nextLine();
      try (OpenLoopClient client = client(server.nextLine())) {
        client.warmUp(Duration.ofMillis(300), 2);
        signal("STOP", pid);

        Values view = client.step(50, Duration.ofMillis(500), 3, () -> goOn(pid)).view();

        assertTrue(view.require(StepFigures.DUE) > 5, view.toString());
        assertEquals(
            view.require(StepFigures.DUE), view.require(StepFigures.ANSWERED), view.toString());
      }
    }
  }

  private static void goOn(String pid) {
    try {
      signal("CONT", pid);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A vector is too long for an address. */
  @Test
  void warmUp_aQueryWithABody_isPostedAsJson() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            seen.add(
                "%s %s %s %s"
                    .formatted(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI(),
                        exchange.getRequestHeaders().getFirst("Content-Type"),
                        new String(
                            exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            exchange.sendResponseHeaders(204, -1);
          }
        });
    server.start();
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/a/_search");
    try (OpenLoopClient client =
        new OpenLoopClient(
            CLOCK,
            List.of(
                new ClientMain.Query(address, Optional.of("{\"knn\":1}")),
                new ClientMain.Query(address)),
            Optional.empty())) {
      client.warmUp(Duration.ofMillis(300), 1);
    } finally {
      server.stop(0);
    }

    assertEquals(
        List.of("POST /a/_search application/json {\"knn\":1}", "GET /a/_search null "),
        seen.subList(0, 2));
  }

  @Test
  void step_aServerThatIsGone_countsFailuresAndNoLatency() throws Exception {
    String port;
    try (ChildJvm server = ChildJvm.start(StoppableServer.class)) {
      server.nextLine();
      port = server.nextLine();
    }
    try (OpenLoopClient client = client(port)) {
      Values view = client.step(50, Duration.ofSeconds(1), 3, () -> {}).view();

      assertTrue(view.require(StepFigures.DUE) > 20, view.toString());
      assertEquals(view.require(StepFigures.DUE), view.require(StepFigures.FAILED));
      assertEquals(0, view.require(StepFigures.LATENCY).count());
      assertTrue(
          view.get(StepFigures.FIRST_FAILURE).orElseThrow().contains("connection refused"),
          view.toString());
      assertFalse(view.require(StepFigures.INTERRUPTED));
    }
  }

  @Test
  void step_isStopped_endsWithWhatItHas() throws Exception {
    try (ChildJvm server = ChildJvm.start(StoppableServer.class)) {
      server.nextLine();
      try (OpenLoopClient client = client(server.nextLine())) {
        CompletableFuture<OpenLoopClient.Step> running =
            CompletableFuture.supplyAsync(
                () -> client.step(50, Duration.ofMinutes(5), 3, () -> {}), OWN_THREAD);
        await(CLOCK.nanoTime() + 500_000_000L);
        client.stop();
        Values view = running.join().view();

        assertTrue(view.require(StepFigures.INTERRUPTED));
        assertTrue(view.require(StepFigures.SECONDS) < 60, view.toString());
        assertTrue(view.require(StepFigures.DUE) < 50 * 300, view.toString());
      }
    }
  }
}
