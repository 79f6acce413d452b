package io.weir.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.suite.Slow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Over real sockets. */
@Timeout(120)
class MetricsServerTest {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final HttpClient client = HttpClient.newHttpClient();
  private MetricsServer server;

  @BeforeEach
  void start() throws IOException {
    registry.counter("lucene.merge.written", "kind", "forced").increment(7);
    server = MetricsServer.start(MetricsServerOptions.local(0), registry);
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  /** The dispatcher and the timers of the JDK's server held the loader of whoever started it. */
  @Test
  void start_byAThreadOfAnApplication_startsNoThreadThatInheritsFromIt() throws Exception {
    try (URLClassLoader loader = new URLClassLoader("application", new URL[0], null)) {
      CompletableFuture<MetricsServer> started = new CompletableFuture<>();
      ThreadGroup group = new ThreadGroup("application");
      Thread application =
          new Thread(
              group,
              () -> {
                try {
                  started.complete(MetricsServer.start(MetricsServerOptions.local(0), registry));
                } catch (IOException e) {
                  started.completeExceptionally(e);
                }
              });
      application.setContextClassLoader(loader);
      application.start();
      try (MetricsServer ofTheApplication = started.get()) {
        application.join();
        URI metrics =
            URI.create("http://127.0.0.1:" + ofTheApplication.address().getPort() + "/metrics");
        client.send(
            HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.discarding());

        List<String> heirs =
            Thread.getAllStackTraces().keySet().stream()
                .filter(
                    thread ->
                        thread.getContextClassLoader() == loader
                            || thread.getThreadGroup() == group)
                .map(Thread::getName)
                .toList();
        assertEquals(List.of(), heirs);
      }
    }
  }

  @Test
  void address_isThisMachineAlone() {
    assertTrue(server.address().getAddress().isLoopbackAddress(), server.address().toString());
  }

  @Test
  void metrics_areTextUnlessOpenMetricsIsAskedFor() throws Exception {
    HttpResponse<String> text = get("/metrics");
    assertEquals(200, text.statusCode());
    assertTrue(text.headers().firstValue("Content-Type").orElse("").startsWith("text/plain"));
    assertTrue(
        text.body().contains("lucene_merge_written_total{kind=\"forced\"} 7.0"), text.body());
    assertFalse(text.body().contains("# EOF"), text.body());

    HttpResponse<String> open =
        get("/metrics", "Accept", "application/openmetrics-text; version=1.0.0");
    assertTrue(
        open.headers()
            .firstValue("Content-Type")
            .orElse("")
            .startsWith("application/openmetrics-text"));
    assertTrue(open.body().endsWith("# EOF\n"), open.body());
  }

  @Test
  void metrics_areCompressedForWhoTakesThat() throws Exception {
    HttpResponse<byte[]> zipped =
        client.send(
            request("/metrics").header("Accept-Encoding", "gzip").build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertEquals("gzip", zipped.headers().firstValue("Content-Encoding").orElse(""));
    String text =
        new String(
            new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes(),
            StandardCharsets.UTF_8);
    assertTrue(text.contains("lucene_merge_written_total"), text);
  }

  /** RFC 9110, 12.5.3: a weight of zero refuses a coding. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "gzip | -| true",
        "GZip | -| true",
        "x-gzip | -| true",
        "deflate, gzip;q=1.0, *;q=0.5 | -| true",
        "deflate | gzip | true",
        "gzip;q=0.001 | -| true",
        "gzip;Q=1.000 | -| true",
        "gzip \t;\t q=0.5 ,, deflate | -| true",
        "* | -| true",
        "br, *;q=0.1 | -| true",
        "identity;q=0, *| -| true",
        "identity;q=0.5, gzip;q=0.5 | -| true",
        "'' | -| false",
        "identity | -| false",
        "br, deflate | -| false",
        "gzipped | -| false",
        "not-gzip | -| false",
        "gzip;q=0 | -| false",
        "gzip;q=0. | -| false",
        "gzip;q=0.000 | -| false",
        "x-gzip;q=0 | -| false",
        "gzip ; q=0 | -| false",
        "GZIP;Q=0 | -| false",
        "deflate | gzip;q=0 | false",
        "gzip;q=0, * | -| false",
        "*;q=0 | -| false",
        "*;q=0, gzip | -| true",
        "identity;q=1, gzip;q=0.5 | -| false",
        "identity;q=1, *;q=0.5 | -| false",
        "gzip, gzip;q=0 | -| false",
        // No weights; what is unclear is not compressed.
        "gzip;q=2 | -| false",
        "gzip;q=-1 | -| false",
        "gzip;q=0.0001 | -| false",
        "gzip;q=1.001 | -| false",
        "gzip;q=a | -| false",
        "gzip;q= | -| false",
        "gzip;q | -| false",
        "gzip; | -| false",
        "gzip;q = 1 | -| false",
        "gzip;q=0;level=1, * | -| false",
        "gzip gzip | -| false",
        "identity;q=0 | -| false", // a client can read nothing that there is; better than an error
      })
  void metrics_anyAcceptedCodings_areCompressedWhenGzipMayBe(
      String accepted, String more, boolean compressed) throws Exception {
    HttpRequest.Builder request = request("/metrics").header("Accept-Encoding", accepted);
    if (more != null) {
      request.header("Accept-Encoding", more);
    }
    HttpResponse<byte[]> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    assertEquals(200, answer.statusCode());
    assertEquals(
        compressed ? "gzip" : "", answer.headers().firstValue("Content-Encoding").orElse(""));
    byte[] text =
        compressed
            ? new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes()
            : answer.body();
    assertTrue(new String(text, StandardCharsets.UTF_8).contains("# HELP "));
  }

  @Test
  void metrics_ofNames_areThoseAlone() throws Exception {
    registry.counter("other").increment();
    HttpResponse<String> some = get("/metrics?name%5B%5D=lucene_merge_written_total");
    assertTrue(
        some.body().contains("lucene_merge_written_total{kind=\"forced\"} 7.0"), some.body());
    assertFalse(some.body().contains("other"), some.body());
  }

  @Test
  void metrics_thatCannotBeRendered_areAnsweredByWhy_andTheNextIsServed() throws Exception {
    Meter broken =
        FunctionCounter.builder("broken", registry, nothing -> failure()).register(registry);
    HttpResponse<String> answer = get("/metrics");
    assertEquals(500, answer.statusCode());
    assertTrue(answer.body().contains("no figure today"), answer.body());
    registry.remove(broken);
    assertEquals(200, get("/metrics").statusCode());
  }

  private static double failure() {
    throw new IllegalStateException("no figure today");
  }

  @Test
  void otherPathsAndMethods_areToldSo() throws Exception {
    assertEquals("ok\n", get("/health").body());
    assertEquals(404, get("/").statusCode());
    assertEquals(404, get("/metricsandmore").statusCode());
    HttpResponse<String> posted =
        client.send(
            request("/metrics").POST(HttpRequest.BodyPublishers.ofString("x")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(405, posted.statusCode());
    assertEquals("GET, HEAD", posted.headers().firstValue("Allow").orElse(""));
    assertEquals(
        200,
        client
            .send(
                request("/metrics").method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
                HttpResponse.BodyHandlers.ofString())
            .statusCode());
  }

  @Test
  void credentials_letOnlyInWhoHasThem() throws Exception {
    server.close();
    server =
        MetricsServer.start(
            MetricsServerOptions.local(0).withCredentials("me", "secret: \u00e4"), registry);
    assertEquals(401, get("/metrics").statusCode());
    assertEquals(401, get("/metrics", "Authorization", basic("me:wrong")).statusCode());
    assertEquals(401, get("/metrics", "Authorization", basic("you:secret: \u00e4")).statusCode());
    assertEquals(401, get("/metrics", "Authorization", "Basic !!!").statusCode());
    assertEquals(200, get("/metrics", "Authorization", basic("me:secret: \u00e4")).statusCode());
    assertEquals(200, get("/health").statusCode(), "needs none");
  }

  /** The bug: the JDK's dispatcher kept an application alive that had forgotten to close it. */
  @Test
  void threads_areDaemons() throws Exception {
    get("/metrics");
    List<Thread> own =
        Thread.getAllStackTraces().keySet().stream()
            .filter(
                thread ->
                    thread.getName().equals("HTTP-Dispatcher")
                        || thread.getName().startsWith("weir-metrics"))
            .toList();
    assertTrue(own.size() >= 2, own::toString);
    own.forEach(thread -> assertTrue(thread.isDaemon(), thread::getName));
  }

  @Test
  @Slow("starts keytool")
  void tls_isSpokenWithWhoTrustsTheKey_andWithNobodyElse(@TempDir Path temp) throws Exception {
    SSLContext tls = selfSigned(temp.resolve("keys.p12"));
    server.close();
    server = MetricsServer.start(MetricsServerOptions.local(0).withTls(tls), registry);
    URI uri = URI.create("https://localhost:" + server.address().getPort() + "/metrics");
    HttpRequest scrape = HttpRequest.newBuilder(uri).build();
    try (HttpClient trusting = HttpClient.newBuilder().sslContext(tls).build()) {
      HttpResponse<String> answer = trusting.send(scrape, HttpResponse.BodyHandlers.ofString());
      assertTrue(answer.body().contains("lucene_merge_written_total"), answer.body());
    }
    assertThrows(
        SSLHandshakeException.class,
        () -> client.send(scrape, HttpResponse.BodyHandlers.ofString()));
    assertThrows(IOException.class, () -> get("/metrics"), "without encryption");
  }

  @Test
  void clientsThatSayNothingOrNonsense_holdNobodyElse() throws Exception {
    List<Socket> held = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        held.add(connect(""));
        held.add(connect("GET /metrics HT")); // and no more
        held.add(connect("\0\1\2 nonsense\r\n\r\n"));
      }
      List<CompletableFuture<HttpResponse<String>>> scrapes = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        scrapes.add(
            client.sendAsync(request("/metrics").build(), HttpResponse.BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> scrape : scrapes) {
        assertEquals(200, scrape.get().statusCode());
      }
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
  }

  @Test
  void start_onAPortThatIsTaken_saysWhichAndIsNotLeftOver() {
    InetSocketAddress taken = server.address();
    IOException refused =
        assertThrows(
            IOException.class,
            () -> MetricsServer.start(MetricsServerOptions.local(taken.getPort()), registry));
    assertTrue(refused.getMessage().contains(":" + taken.getPort()), refused.getMessage());
  }

  @Test
  void close_freesThePort() throws Exception {
    int port = server.address().getPort();
    server.close();
    assertThrows(IOException.class, () -> connect("").close());
    server = MetricsServer.start(MetricsServerOptions.local(port), registry);
    assertEquals("ok\n", get("/health").body());
  }

  @Test
  void options_thatCannotBe_areRefused() {
    for (int port : new int[] {-1, 65_536}) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> MetricsServerOptions.local(port));
      assertEquals("port must be from 0 to 65535: " + port, refused.getMessage());
    }
    MetricsServerOptions local = MetricsServerOptions.local(0);
    assertThrows(IllegalArgumentException.class, () -> local.withCredentials("a:b", "c"));
    assertThrows(IllegalArgumentException.class, () -> local.withCredentials("a", ""));
    assertFalse(local.withCredentials("a", "hush").toString().contains("hush"));
    assertThrows(
        IllegalArgumentException.class,
        () -> local.withAddress(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
  }

  /** With a key made by the JDK's own tool, which is also all that it trusts. */
  private static SSLContext selfSigned(Path file) throws Exception {
    String password = "password";
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "weir",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                password)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, keytool.waitFor(), said);
    KeyStore store = KeyStore.getInstance(file.toFile(), password.toCharArray());
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private Socket connect(String sent) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    OutputStream out = socket.getOutputStream();
    out.write(sent.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
    return socket;
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = request(path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://localhost:" + server.address().getPort() + path));
  }

  private static String basic(String userAndPassword) {
    return "Basic "
        + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
  }
}
