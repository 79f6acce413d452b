package io.weir.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.exporter.MetricsServer.ScrapeHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScrapeHandlerTest {

  private static final int CLIENTS = 100;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicInteger renderings = new AtomicInteger();
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CountDownLatch arrived = new CountDownLatch(CLIENTS + 1);

  @Test
  void manyThatAskAtOnce_shareAnAnswer_thatIsNotOlderThanTheirQuestion() throws Exception {
    Gauge.builder("slow", this::rendered).register(registry);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CLIENTS);
    try (ScrapeHandler handler = new ScrapeHandler(registry.getPrometheusRegistry());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        HttpClient client = HttpClient.newHttpClient()) {
      server.setExecutor(threads);
      server.createContext(
          Scrape.PATH,
          exchange -> {
            arrived.countDown();
            handler.handle(exchange);
          });
      server.start();
      HttpRequest scrape =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + server.getAddress().getPort() + Scrape.PATH))
              .build();
      CompletableFuture<HttpResponse<String>> one =
          client.sendAsync(scrape, HttpResponse.BodyHandlers.ofString());
      first.await(); // it is being rendered: who comes now is too late for it
      List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        others.add(client.sendAsync(scrape, HttpResponse.BodyHandlers.ofString()));
      }
      arrived.await();
      goOn.countDown();

      assertTrue(one.get().body().contains("slow 1.0"), one.get().body());
      for (CompletableFuture<HttpResponse<String>> other : others) {
        String body = other.get().body();
        assertFalse(body.contains("slow 1.0"), body);
      }
      // A thread that has arrived may not have asked yet when the others' turn comes.
      assertTrue(renderings.get() <= 5, "renderings: " + renderings);
      assertEquals(200, one.get().statusCode());
    } finally {
      server.stop(0);
    }
  }

  private Number rendered() {
    int number = renderings.incrementAndGet();
    first.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return number;
  }
}
