package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.solr.SolrServer.Answer;
import io.weir.suite.ColdFiles;
import io.weir.suite.FreePort;
import io.weir.suite.IdleThreads;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged plug-in in a real Solr. All tests share one server; the last ones kill it, and then
 * remove the plug-in.
 */
@Slow("starts Solr three times")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SolrPluginIT {

  private static final int METRICS_PORT = FreePort.next();
  private static final int JMX_PORT = FreePort.next();
  private static final long MIB = 1 << 20;

  private SolrServer server;

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.NEVER) Path directory) throws Exception {
    server = SolrServer.alone(SolrServer.libraries(), directory);
    server.start(
        "-Dcom.sun.management.jmxremote.port=" + JMX_PORT,
        "-Dcom.sun.management.jmxremote.authenticate=false",
        "-Dcom.sun.management.jmxremote.ssl=false",
        "-Djava.rmi.server.hostname=127.0.0.1",
        "-Dweir.metrics.port=" + METRICS_PORT,
        "-Dweir.slow_refresh.threshold=1ms",
        "-Dweir.merge.max_bytes_per_sec=10gb");
  }

  @AfterAll
  void end() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void documents_ofACoreWithWeir_areThoseOfOneWithout() throws Exception {
    SolrDocuments with = create("with", "weir");
    SolrDocuments withCodec = create("with-codec", "weir-codec");
    SolrDocuments without = create("without", "stock");
    for (SolrDocuments documents : List.of(with, withCodec, without)) {
      documents.change(new Random(3));
    }
    for (String core : List.of("with", "with-codec", "without")) {
      server.get("/" + core + "/update?optimize=true&maxSegments=1");
    }
    for (SolrDocuments documents : List.of(with, withCodec, without)) {
      documents.change(new Random(4));
    }

    assertEquals(with.expected(), with.found());
    assertEquals(with.found(), withCodec.found());
    for (String core : List.of("with", "with-codec")) {
      assertEquals(0, core(core).at("/resident_keys/faults").asInt(), core(core)::toString);
    }
    assertEquals(without.found(), with.found());
    String id = with.expected().keySet().iterator().next();
    assertEquals(with.expected().get(id), server.get("/with/get?id=" + id).at("/doc/n").asLong());
  }

  @Test
  void figures_ofACore_nameAllLayersAsActive() throws Exception {
    create("layers", "weir").change(new Random(5));

    JsonNode core = core("layers");

    for (JsonNode layer : core.get("layers")) {
      assertTrue(layer.get("active").asBoolean(), layer::toString);
    }
    assertEquals(10 - 1, core.get("layers").size(), core::toString); // all but the instrument
    assertTrue(core.at("/refresh/recent/p99_millis").asDouble() > 0, core::toString);
    assertTrue(core.at("/slow_refreshes/count").asInt() > 0, core::toString);
    assertEquals(404, server.call("GET", "/nope/weir", null).status());
    assertRefused("/layers/weir?max_bytes_per_sec=fast", "max_bytes_per_sec must be");
    assertRefused("/layers/weir?action=stop", "action must be cancel");
  }

  /** Three lines suffice: none of them names a codec. */
  @Test
  void keys_ofSegmentsOnTheDisk_areHeldWithSolrsOwnCodec() throws Exception {
    create("keys", "weir").fill(2, 6 << 20).change(new Random(6)); // more than Solr holds itself

    JsonNode keys = core("keys").get("resident_keys");
    assertTrue(keys.get("loaded_files").asInt() > 0, keys::toString);
    assertEquals(0, keys.get("faults").asInt(), keys::toString);
  }

  @Test
  void budget_inJmx_isThatOfTheNode() throws Exception {
    cap("5mb");
    ObjectName name = new ObjectName("io.weir:type=ByteBudget,name=node");
    JMXServiceURL url =
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + JMX_PORT + "/jmxrmi");
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      assertEquals(5 * MIB, beans.getAttribute(name, "BytesPerSecond"));
      beans.invoke(name, "removeCap", null, null);
      assertEquals(-1, server.get("/caps/weir").at("/node/merge/max_bytes_per_sec").asLong());
    } finally {
      cap("-1");
    }
  }

  @Test
  void cap_overAnOptimise_isKeptAndEveryByteCharged() throws Exception {
    create("capped", "weir").fill(8, 3 << 19); // fewer segments than a natural merge takes
    long cap = 2 * MIB;
    long burst = cap / 20;
    cap("2mb");
    try {
      long before = charged();
      long start = System.nanoTime();
      server.get("/capped/update?optimize=true&maxSegments=1");
      double seconds = (System.nanoTime() - start) / 1e9;

      JsonNode forced = core("capped").at("/merges/forced");
      long written = forced.get("written_bytes").asLong();
      assertEquals(1, forced.get("done").asInt(), forced::toString);
      assertEquals(1, core("capped").at("/warmed/segments").asInt());
      assertWrittenFor(segmentBytes("capped"), written);
      assertEquals(written, charged() - before);
      assertTrue(written <= cap * seconds + burst, written + " bytes in " + seconds + " s");
      // A busy machine may use less of it.
      assertTrue(written >= cap * seconds * 0.6, written + " bytes in " + seconds + " s");
    } finally {
      cap("-1");
    }
  }

  @Test
  void countReads_turnedOnLive_chargesWhatAnOptimiseReads() throws Exception {
    SolrDocuments documents = create("counted", "weir").fill(6, 2 << 20);
    long bytes = ColdFiles.drop(server.home().resolve("counted/data/index"), 0.25);
    server.get("/counted/weir?count_reads=true");
    try {
      long before = charged();

      server.get("/counted/update?optimize=true&maxSegments=1");

      assertTrue(server.get("/counted/weir").at("/node/merge/count_reads").asBoolean());
      long written = core("counted").at("/merges/forced/written_bytes").asLong();
      long read = charged() - before - written;
      assertTrue(written > bytes / 2, () -> written + " of " + bytes);
      assertTrue(read > bytes / 2, () -> read + " of " + bytes);
    } finally {
      server.get("/counted/weir?count_reads=false");
    }
    assertRefused("/counted/weir?count_reads=perhaps", "count_reads must be true or false");
    assertEquals(documents.expected(), documents.found());
  }

  @Test
  void schedule_changedLive_isTheCapInItsHours() throws Exception {
    create("scheduled", "weir");
    server.get("/scheduled/weir?schedule=00:00-24:00%2010mb");
    try {
      JsonNode merge = server.get("/scheduled/weir").at("/node/merge");
      assertEquals(10 << 20, merge.get("max_bytes_per_sec").asLong());
      assertEquals("00:00-24:00 10mb", merge.get("schedule").asText());
    } finally {
      server.get("/scheduled/weir?schedule=");
    }
    JsonNode merge = server.get("/scheduled/weir").at("/node/merge");
    assertEquals(-1, merge.get("max_bytes_per_sec").asLong());
    assertEquals("", merge.get("schedule").asText());
    assertRefused("/scheduled/weir?schedule=nights", "schedule must be windows");
  }

  @Test
  void cap_ofTheNode_isSharedByTwoCoresAndShownOnce() throws Exception {
    create("first", "weir").fill(4, 2 << 20); // above what Solr merges in memory
    create("second", "weir").fill(4, 2 << 20);
    cap("3mb");
    try {
      long before = charged();
      long start = System.nanoTime();
      CompletableFuture<Answer> other = optimise("second");
      server.get("/first/update?optimize=true&maxSegments=1");
      other.get(60, TimeUnit.SECONDS);
      double seconds = (System.nanoTime() - start) / 1e9;

      long written = charged() - before;
      assertWrittenFor(segmentBytes("first") + segmentBytes("second"), written);
      assertTrue(
          written <= 3 * MIB * seconds + 3 * MIB / 20, written + " bytes in " + seconds + " s");
      List<String> metrics = SolrServer.text(METRICS_PORT, "/metrics").lines().toList();
      assertEquals(
          1, metrics.stream().filter(line -> line.startsWith("lucene_merge_rate_limit")).count());
      for (String core : List.of("first", "second")) {
        assertTrue(
            metrics.stream()
                .anyMatch(
                    line ->
                        line.startsWith("lucene_merge_written_bytes_total{")
                            && line.contains("index=\"" + core + "\"")
                            && line.contains("kind=\"forced\"")
                            && !line.endsWith(" 0.0")),
            () -> String.join("\n", metrics));
      }
    } finally {
      cap("-1");
    }
  }

  @Test
  void cancel_ofAnOptimise_endsItAndKeepsTheIndex() throws Exception {
    SolrDocuments documents = create("cancelled", "weir").fill(6, 1 << 20);
    cap("1kb");
    try {
      CompletableFuture<Answer> optimise = optimise("cancelled");
      awaitForcedMerge("cancelled");

      JsonNode answer = server.get("/cancelled/weir?action=cancel");
      optimise.get(30, TimeUnit.SECONDS);

      assertEquals(1, answer.get("cancelled").asInt(), answer::toString);
    } finally {
      cap("-1");
    }
    documents.change(new Random(6));
    assertEquals(documents.expected(), documents.found());
    assertEquals(1, core("cancelled").at("/merges/forced/aborted").asInt());
  }

  /** As without Weir, a reload waits for an optimise; so the cap would delay it. */
  @Test
  void reload_behindACappedOptimise_goesOnWhenThatIsCancelled() throws Exception {
    SolrDocuments documents = create("reloaded", "weir").fill(6, 1 << 20);
    cap("1kb");
    try {
      CompletableFuture<Answer> optimise = optimise("reloaded");
      awaitForcedMerge("reloaded");
      CompletableFuture<Answer> reload = call("/admin/cores?action=RELOAD&core=reloaded");

      server.get("/reloaded/weir?action=cancel");

      assertEquals(200, reload.get(20, TimeUnit.SECONDS).status());
      optimise.get(20, TimeUnit.SECONDS);
    } finally {
      cap("-1");
    }
    documents.change(new Random(7));

    assertEquals(documents.expected(), documents.found());
    JsonNode core = core("reloaded");
    assertTrue(core.at("/refresh/changed").asInt() >= 5, core::toString);
    assertEquals(9, core.get("layers").size());
    String metrics = SolrServer.text(METRICS_PORT, "/metrics");
    assertTrue(metrics.contains("index=\"reloaded\""), metrics);
    server.get("/reloaded/update?optimize=true&maxSegments=1");
    assertEquals(1, core("reloaded").at("/merges/forced/done").asInt());
  }

  @Test
  void unload_ofACore_removesItsMeters() throws Exception {
    create("gone", "weir").change(new Random(8));
    assertTrue(SolrServer.text(METRICS_PORT, "/metrics").contains("index=\"gone\""));

    server.get("/admin/cores?action=UNLOAD&core=gone&deleteInstanceDir=true");

    assertFalse(SolrServer.text(METRICS_PORT, "/metrics").contains("index=\"gone\""));
    assertFalse(Files.exists(server.home().resolve("gone")));
  }

  @Test
  @Order(Integer.MAX_VALUE - 1)
  void kill_duringACappedOptimise_losesNothing() throws Exception {
    SolrDocuments documents = create("killed", "weir").fill(6, 1 << 20);
    cap("1kb");
    optimise("killed");
    awaitForcedMerge("killed");
    documents.change(new Random(9)); // refreshed, not committed
    server.kill();

    server.start("-Dweir.merge.idle_class=true", "-Dweir.merge.cpu=1.5");

    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!documents.found().equals(documents.expected()) && System.nanoTime() < end) {
      Thread.onSpinWait(); // Solr replays its log of updates beside
    }
    assertEquals(documents.expected(), documents.found());
    end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    do { // until Solr has done with its log, it accepts this and ignores it
      server.get("/killed/update?optimize=true&maxSegments=1");
    } while (core("killed").at("/merges/forced/done").asInt() == 0 && System.nanoTime() < end);
    assertEquals(documents.expected(), documents.found());
    assertEquals(1, core("killed").at("/merges/forced/done").asInt());
    awaitIdleClass();
    JsonNode processors = server.get("/killed/weir").at("/node/processors");
    assertEquals(1.5, processors.get("max_cores").asDouble());
    assertTrue(processors.get("paid_millis").asLong() > 0, processors::toString);
  }

  /** Since its first merge the node knows whether merges may compute in the idle class. */
  private void awaitIdleClass() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    JsonNode idle;
    do {
      idle = server.get("/killed/weir").at("/node/idle_class");
    } while (idle.get("reason").asText().contains("asked") && System.nanoTime() < end);
    boolean isDenied = !IdleThreads.isGiven() || idle.get("reason").asText().contains("Java 22");
    assertEquals(!isDenied, idle.get("active").asBoolean(), idle::toString);
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void removal_ofThePlugIn_leavesIndexesThatStockOpens() throws Exception {
    SolrDocuments documents = create("left", "weir").fill(2, 3 << 20);
    documents.change(new Random(10));
    server.stop();
    Files.delete(server.home().resolve("lib/weir.jar"));
    Path properties = server.home().resolve("left/core.properties");
    Files.writeString(
        properties, Files.readString(properties).replace("configSet=weir", "configSet=stock"));

    server.start();

    assertEquals(documents.expected(), documents.found());
    documents.change(new Random(11));
    assertEquals(documents.expected(), documents.found());
  }

  private SolrDocuments create(String core, String configSet) throws IOException {
    server.get("/admin/cores?action=CREATE&name=" + core + "&configSet=" + configSet);
    return new SolrDocuments(server, core);
  }

  private void cap(String cap) throws IOException {
    create();
    server.get("/caps/weir?max_bytes_per_sec=" + cap);
  }

  /** A core whose handler sets the cap of the node. */
  private void create() throws IOException {
    if (!Files.exists(server.home().resolve("caps"))) {
      create("caps", "weir");
    }
  }

  private CompletableFuture<Answer> optimise(String core) {
    return call("/" + core + "/update?optimize=true&maxSegments=1");
  }

  private CompletableFuture<Answer> call(String path) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return server.call("GET", path, null);
          } catch (IOException e) {
            return new Answer(0, null); // it was killed
          }
        });
  }

  private void awaitForcedMerge(String core) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (core(core).at("/merges/forced/running").asInt() == 0) {
      assertTrue(System.nanoTime() < end, "no forced merge runs");
    }
  }

  private long charged() throws IOException {
    create();
    return server.get("/caps/weir").at("/node/merge/charged_bytes").asLong();
  }

  private JsonNode core(String core) throws IOException {
    return server.get("/" + core + "/weir").get("core");
  }

  /** What the files of a core's segments have; after an optimise there is one segment. */
  private long segmentBytes(String core) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(server.home().resolve(core + "/data/index"))) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith("_")) {
          bytes += Files.size(file);
        }
      }
    }
    return bytes;
  }

  /** The temporary files of stored fields are written and charged too; they are short. */
  private static void assertWrittenFor(long segmentBytes, long written) {
    assertTrue(
        written >= segmentBytes && written < segmentBytes + (8 << 10),
        written + " bytes written for " + segmentBytes);
  }

  private void assertRefused(String path, String reason) throws IOException {
    Answer answer = server.call("GET", path, null);
    assertEquals(400, answer.status(), answer::toString);
    assertTrue(answer.body().toString().contains(reason), answer::toString);
  }
}
