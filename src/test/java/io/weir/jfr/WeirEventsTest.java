package io.weir.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.control.GoalOptions;
import io.weir.control.LatencyGoal;
import io.weir.control.MergeDeadline;
import io.weir.control.Percentile;
import io.weir.jfr.WeirEvents.DirtyEvent;
import io.weir.jfr.WeirEvents.MergeStartEvent;
import io.weir.jfr.WeirEvents.RateEvent;
import io.weir.jfr.WeirEvents.ReopenEvent;
import io.weir.jfr.WeirEvents.WaitEvent;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.MergeTracker;
import io.weir.nrt.Reopen;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenPhase;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real recording of a real merge, read back from its file. */
@Timeout(120)
class WeirEventsTest {

  @TempDir Path temp;

  private final ByteBudget budget = new ByteBudget(BudgetOptions.named("disk"));

  @Test
  void recording_ofAMerge_tellsWhatTheSchedulerAndTheMonitorTell() throws Exception {
    List<RecordedEvent> events;
    MergeKindTotals merged;
    Reopen reopened;
    try (Recording recording = new Recording();
        WeirEvents weirEvents = new WeirEvents()) {
      for (Class<? extends jdk.jfr.Event> event : EVENTS) {
        recording.enable(event);
      }
      recording.start();
      Weir weir = Weir.builder().budget(budget).open(temp.resolve("index"));
      weirEvents.add(budget);
      weirEvents.add("products", weir.scheduler());
      try (Directory directory = weir.directory();
          IndexWriter writer =
              new IndexWriter(
                  directory,
                  weir.configure(new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE)));
          SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory());
          ReopenMonitor reopens = weir.attach(searchers)) {
        weirEvents.add("products", reopens);
        for (int segment = 0; segment < 3; segment++) {
          for (int i = 0; i < 1000; i++) {
            Document document = new Document();
            document.add(new StringField("id", "" + segment + i, Field.Store.YES));
            document.add(new StoredField("text", "text of the document ".repeat(20) + i));
            writer.addDocument(document);
          }
          reopens.maybeRefreshBlocking();
        }
        reopened = reopens.recent().get(2);
        budget.setBytesPerSecond(2_000_000);
        writer.getConfig().setMergePolicy(new TieredMergePolicy());
        writer.forceMerge(1);
        merged = weir.scheduler().totals(MergeKind.FORCED);
      }
      recording.stop();
      Path file = temp.resolve("weir.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }

    RecordedEvent merge = only(events, "io.weir.Merge");
    assertEquals("products", merge.getString("index"));
    assertEquals("forced", merge.getString("kind"));
    assertEquals("done", merge.getString("outcome"));
    assertEquals(merged.writtenBytes(), merge.getLong("writtenBytes"));
    assertEquals(merged.pauses().count(), merge.getLong("pauses"));
    assertTrue(merge.getDuration().toNanos() >= merged.pauses().totalNanos(), merge::toString);
    RecordedEvent start = only(events, "io.weir.MergeStart");
    assertEquals(merge.getLong("number"), start.getLong("number"));
    assertTrue(!merge.getStartTime().isBefore(start.getStartTime()));

    List<RecordedEvent> waits = of(events, "io.weir.BudgetWait");
    assertEquals(merged.pauses().count(), waits.size());
    assertEquals(
        budget.snapshot().delayedRequests(),
        waits.stream().filter(wait -> wait.getLong("grantedBytes") > 0).count());
    RecordedEvent rate = only(events, "io.weir.RateChange");
    assertEquals("unlimited", rate.getString("before"));
    assertEquals("2000000 bytes/s", rate.getString("after"));

    RecordedEvent reopen = of(events, "io.weir.Reopen").get(2);
    assertEquals("changed", reopen.getString("result"));
    assertEquals(reopened.totalNanos(), reopen.getLong("totalNanos"));
    assertEquals(reopened.phaseNanos().get(ReopenPhase.FLUSH), reopen.getLong("flushNanos"));
    assertEquals(reopened.phaseNanos().get(ReopenPhase.WARM), reopen.getLong("warmNanos"));
  }

  @Test
  void dirtyPages_areSampledAsOftenAsIsAsked() throws Exception {
    Files.createDirectories(temp.resolve("proc"));
    Files.writeString(temp.resolve("proc/meminfo"), "Dirty: 100 kB\nWriteback: 7 kB\n");
    BlockingQueue<RecordedEvent> seen = new LinkedBlockingQueue<>();
    try (RecordingStream stream = new RecordingStream();
        WeirEvents weirEvents = new WeirEvents()) {
      stream.enable(DirtyEvent.class).withPeriod(Duration.ofMillis(100));
      stream.setReuse(false);
      stream.onEvent("io.weir.DirtyPages", seen::add);
      weirEvents.addDirtyPages(new Procfs(temp));
      stream.startAsync();
      RecordedEvent first = seen.take();
      assertEquals(100 * 1024, first.getLong("dirtyBytes"));
      assertEquals(7 * 1024, first.getLong("writebackBytes"));
      assertEquals(-1, first.getLong("thresholdBytes"), "not told");
      assertTrue(seen.take().getStartTime().isAfter(first.getStartTime()));
    }
  }

  @Test
  void goal_recordsItsDecisions() throws Exception {
    BlockingQueue<RecordedEvent> seen = new LinkedBlockingQueue<>();
    try (RecordingStream stream = new RecordingStream();
        WeirEvents weirEvents = new WeirEvents();
        LatencyGoal goal = new LatencyGoal(budget, List.of(), GoalOptions.DEFAULT)) {
      stream.enable(WeirEvents.GOAL.type());
      stream.setReuse(false);
      stream.onEvent("io.weir.LatencyGoal", seen::add);
      stream.startAsync();
      weirEvents.add(goal);
      goal.hold("search", Percentile.P99, Duration.ofMillis(100));
      RecordedEvent first = seen.take();
      assertEquals("disk", first.getString("budget"));
      assertEquals("search.p99 < 100 ms", first.getString("target"));
      assertEquals(10_000_000, first.getLong("afterRateBytes"));
      assertEquals(1_000_000, first.getLong("floorRateBytes"));
      assertEquals(-1, first.getLong("seenNanos"));
    }
  }

  @Test
  void deadline_isSampled() throws Exception {
    List<RecordedEvent> events = sampledDeadlines(2);
    RecordedEvent first = events.get(0);
    assertEquals("products", first.getString("index"));
    assertEquals("no-merge", first.getString("outlook"));
    assertEquals(-1, first.getDouble("done"));
    assertEquals(-1, first.getLong("neededNanos"));
    assertTrue(first.getLong("leftNanos") > 0, first::toString);
    assertTrue(events.get(1).getStartTime().isAfter(first.getStartTime()));
  }

  /** A stream loses its first chunk if any kind of event left the recorder before it. */
  @Test
  void close_beforeAStreamStarts_takesNothingFromTheStream() throws Exception {
    WeirEvents closed = new WeirEvents();
    closed.add("a", new MergeTracker(ByteBudget.unlimited()));
    closed.close();
    assertEquals(1, sampledDeadlines(1).size());
  }

  private List<RecordedEvent> sampledDeadlines(int count) throws Exception {
    BlockingQueue<RecordedEvent> seen = new LinkedBlockingQueue<>();
    Weir weir = Weir.builder().budget(budget).open(new ByteBuffersDirectory());
    try (RecordingStream stream = new RecordingStream();
        WeirEvents weirEvents = new WeirEvents();
        MergeDeadline deadline = MergeDeadline.within(Duration.ofHours(1), weir.scheduler())) {
      weirEvents.add("products", deadline);
      stream.enable(WeirEvents.DEADLINE.type()).withPeriod(Duration.ofMillis(10));
      stream.setReuse(false);
      stream.onEvent("io.weir.MergeDeadline", seen::add);
      stream.startAsync();
      List<RecordedEvent> taken = new ArrayList<>();
      while (taken.size() < count) {
        taken.add(seen.take());
      }
      return taken;
    }
  }

  @Test
  void events_haveNamesAndUnits() {
    for (Class<? extends jdk.jfr.Event> event : EVENTS) {
      EventType type = EventType.getEventType(event);
      assertTrue(type.getName().startsWith("io.weir."), type.getName());
      assertEquals("Weir", type.getCategoryNames().get(0));
      assertNotNull(type.getDescription(), type.getName());
      for (ValueDescriptor field : type.getFields()) {
        if (field.getName().endsWith("Bytes")) {
          assertEquals("jdk.jfr.DataAmount", field.getContentType(), field.getName());
        }
        if (field.getName().endsWith("Nanos")) {
          assertEquals(
              Timespan.NANOSECONDS, field.getAnnotation(Timespan.class).value(), field.getName());
        }
        assertNotNull(field.getLabel(), field.getName());
      }
    }
  }

  @Test
  void close_listensNoMore() throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable(RateEvent.class);
      recording.start();
      WeirEvents weirEvents = new WeirEvents();
      weirEvents.add(budget);
      budget.setBytesPerSecond(1);
      weirEvents.close();
      budget.setBytesPerSecond(2);
      recording.stop();
      Path file = temp.resolve("weir.jfr");
      recording.dump(file);
      assertEquals(
          "1 bytes/s",
          only(RecordingFile.readAllEvents(file), "io.weir.RateChange").getString("after"));
    }
  }

  private static final List<Class<? extends jdk.jfr.Event>> EVENTS =
      List.of(
          MergeStartEvent.class,
          WeirEvents.MERGE.type(),
          WaitEvent.class,
          RateEvent.class,
          WeirEvents.GOAL.type(),
          WeirEvents.DEADLINE.type(),
          ReopenEvent.class,
          DirtyEvent.class);

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
  }

  private static RecordedEvent only(List<RecordedEvent> events, String name) {
    List<RecordedEvent> found = of(events, name);
    assertEquals(1, found.size(), name);
    return found.get(0);
  }
}
