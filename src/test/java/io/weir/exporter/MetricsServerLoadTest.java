package io.weir.exporter;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.metrics.MeasuredIndex;
import io.weir.rate.ByteBudget;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred scrapes at a time, beside clients that say nothing or nonsense, of a busy index. */
@Timeout(180)
class MetricsServerLoadTest {

  private static final int SCRAPES = 200;
  private static final int HALF_OPEN = 50;
  private static final int MALFORMED = 50;
  private static final int KEPT = 50;
  private static final int ROUNDS = 6;

  /** How many first and last rounds are compared: the least of them, one alone may be higher. */
  private static final int COMPARED = 2;

  /** Rounds that kept 2 KB of each of their clients would make it more. */
  private static final long MOST_GROWTH_BYTES =
      (ROUNDS - COMPARED) * (SCRAPES + HALF_OPEN + MALFORMED) * 2_000L;

  @TempDir Path temp;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @Test
  @Slow("asks for meters for a given time")
  void scrapesByTheHundred_disturbNoIndexingAndKeepNoMemory() throws Exception {
    try (MeasuredIndex index =
            new MeasuredIndex(temp.resolve("index"), "busy", ByteBudget.unlimited());
        MetricsServer server = MetricsServer.start(MetricsServerOptions.local(0), registry);
        ExecutorService indexing = Executors.newSingleThreadExecutor();
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      index.metrics().bindTo(registry);
      List<Long> used = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        Future<?> indexed = indexing.submit(() -> segments(index));
        List<Socket> held = new ArrayList<>();
        try {
          for (int i = 0; i < HALF_OPEN; i++) {
            held.add(connect(server, "GET /metrics HT"));
          }
          for (int i = 0; i < MALFORMED; i++) {
            held.add(connect(server, "\0 nonsense\r\n\r\n"));
          }
          List<Future<String>> answers = new ArrayList<>();
          for (int i = 0; i < SCRAPES; i++) {
            answers.add(clients.submit(() -> scrape(server)));
          }
          for (Future<String> answer : answers) {
            String text = answer.get();
            assertTrue(text.startsWith("HTTP/1.1 200 "), text);
            assertTrue(text.contains("lucene_refresh_seconds_count{index=\"busy\""), text);
          }
        } finally {
          for (Socket socket : held) {
            socket.close();
          }
        }
        indexed.get(); // nothing of it failed
        used.add(usedBytes());
      }
      long growth =
          Collections.min(used.subList(ROUNDS - COMPARED, ROUNDS))
              - Collections.min(used.subList(0, COMPARED));
      assertTrue(growth < MOST_GROWTH_BYTES, () -> "heap in use: " + used);
    }
  }

  /** The JDK's server keeps a buffer for each connection, twice as long as the longest write. */
  @Test
  void connectionsThatAreKept_holdNoAnswer() throws Exception {
    for (int i = 0; i < 8000; i++) {
      registry.counter("one.of.many", "number", Integer.toString(i), "tag", "that is not short");
    }
    try (MetricsServer server = MetricsServer.start(MetricsServerOptions.local(0), registry)) {
      URL metrics =
          URI.create("http://127.0.0.1:" + server.address().getPort() + Scrape.PATH).toURL();
      List<InputStream> kept = new ArrayList<>();
      long answerBytes = 0;
      long before = 0;
      for (int i = 0; i <= KEPT; i++) {
        URLConnection connection = metrics.openConnection(Proxy.NO_PROXY);
        answerBytes = connection.getContentLengthLong();
        InputStream body = connection.getInputStream();
        body.skipNBytes(answerBytes - 1); // so it is not given back, and the next one is another
        kept.add(body);
        if (i == 0) {
          before = usedBytes();
        }
      }
      long each = (usedBytes() - before) / KEPT;
      assertTrue(each < answerBytes / 2, each + " bytes of an answer of " + answerBytes);
      for (InputStream body : kept) {
        body.close();
      }
    }
  }

  private static Void segments(MeasuredIndex index) throws Exception {
    for (int i = 0; i < 3; i++) {
      index.segment(200);
    }
    index.merge();
    return null;
  }

  private static String scrape(MetricsServer server) throws IOException {
    try (Socket socket =
            connect(
                server, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        InputStream in = socket.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Socket connect(MetricsServer server, String sent) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** What is left when all that can be collected has been. */
  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
