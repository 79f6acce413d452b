package io.weir.examples;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.Weir;
import io.weir.fakes.CapturedLog;
import io.weir.merge.MergeLab;
import io.weir.nrt.ReopenMonitor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.ThrowingSupplier;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

/** The examples do what they say, and Weir has nothing to warn them of. */
@Timeout(60)
class ExamplesTest {

  @TempDir Path temp;

  @AfterEach
  void leaveTheLogToTheTests() {
    System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
  }

  @Test
  void plainLucene_keepsTheLastVersionOfEach() throws Exception {
    String said = saidWithoutWarning(() -> PlainLucene.run(temp));
    assertTrue(
        said.matches("3000 documents, 1 of version 9999, [1-9]\\d* bytes merged, \\d+ reopens"),
        said);
  }

  @Test
  void controlledReopens_waitForTheDocument() {
    assertEquals("1 found, 1 reopen", saidWithoutWarning(() -> ControlledReopens.run(temp)));
  }

  @Test
  void lastingSearchers_showTheSameIndexOnEachPage() {
    assertEquals(
        "1 document on the second page, 2 in the index",
        saidWithoutWarning(() -> LastingSearchers.run(temp)));
  }

  @Test
  void cachedFlushes_reachTheDisk() throws Exception {
    assertEquals("3 documents, 3 reopens", saidWithoutWarning(() -> CachedFlushes.run(temp)));
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, 3);
    }
  }

  @Test
  void facetedIndex_mergesBoth() {
    assertEquals(
        "4 documents, 4 categories, merged: true",
        saidWithoutWarning(() -> FacetedIndex.run(temp)));
  }

  @Test
  void replicatedIndex_isFoundOnTheReplica() {
    assertEquals(
        "3 documents on the replica, 3 reopens",
        saidWithoutWarning(() -> ReplicatedIndex.run(temp)));
  }

  @Test
  void springBootSearch_bindsAllMeters_andClosesTheIndexLast() throws Exception {
    System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    MeterRegistry registry;
    IndexWriter writer;
    Weir products;
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage());
        ConfigurableApplicationContext application =
            new SpringApplicationBuilder(SpringBootSearch.class)
                .web(WebApplicationType.NONE)
                .properties(
                    Map.of(
                        "index.path", temp.toString(),
                        "spring.main.banner-mode", "off",
                        "management.otlp.metrics.export.enabled", "false"))
                .run()) {
      registry = application.getBean(MeterRegistry.class);
      writer = application.getBean(IndexWriter.class);
      products = application.getBean(Weir.class);
      writer.addDocument(MergeLab.document(1));
      application.getBean(ReopenMonitor.class).maybeRefreshBlocking();
      assertEquals(
          1,
          registry
              .get("lucene.refresh")
              .tags("index", "products", "result", "changed")
              .timer()
              .count());
      assertFalse(
          registry.get("lucene.merge.throttle.granted").tag("budget", "disk").meters().isEmpty());
      assertEquals(List.of(), warnings(log));
    }
    assertFalse(writer.isOpen());
    assertEquals(1, products.reopens().orElseThrow().snapshot().changed());
    assertThrows(AlreadyClosedException.class, products::directory);
    assertEquals(
        List.of(),
        registry.getMeters().stream()
            .map(meter -> meter.getId().getName())
            .filter(name -> name.startsWith("lucene."))
            .toList());
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, 1);
    }
  }

  private static String saidWithoutWarning(ThrowingSupplier<String> example) {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage())) {
      String said = assertDoesNotThrow(example);
      assertEquals(List.of(), warnings(log));
      return said;
    }
  }

  private static List<String> warnings(CapturedLog log) {
    return log.records().stream()
        .filter(record -> record.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogRecord::getMessage)
        .toList();
  }
}
