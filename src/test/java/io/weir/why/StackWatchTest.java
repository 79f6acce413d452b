package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nrt.ReopenCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pace and weights, from looks that a test makes; times are those of no clock. */
class StackWatchTest {

  private static final long MILLI = 1_000_000;
  private static final String REFRESH = "org.apache.lucene.search.ReferenceManager.doMaybeRefresh";
  private static final String BLOCKING =
      "org.apache.lucene.search.ReferenceManager.maybeRefreshBlocking";
  private static final String WARM = "org.apache.lucene.search.SearcherManager.getSearcher";
  private static final String SYNC = "sun.nio.ch.FileChannelImpl.force";
  private static final String PARK = "jdk.internal.misc.Unsafe.park";

  private final StackWatch watch = new StackWatch(0);

  private static ThreadDump.Thread thread(String name, String... frames) {
    return new ThreadDump.Thread(
        name,
        OptionalLong.of(name.hashCode()),
        OptionalLong.empty(),
        false,
        Stream.of(frames)
            .map(
                frame -> {
                  int dot = frame.lastIndexOf('.');
                  return new StackTraceElement(
                      frame.substring(0, dot), frame.substring(dot + 1), null, 1);
                })
            .toList());
  }

  private void look(long atMillis, ThreadDump.Thread... threads) {
    watch.add((atMillis - 1) * MILLI, atMillis * MILLI, List.of(threads));
  }

  private static final ThreadDump.Thread IDLE = thread("idle", PARK, "com.shop.Shop.run");

  @Test
  void facts_ofRefreshesInAQuarterOfTheTime_haveTheirShare() {
    for (int i = 1; i <= 40; i++) {
      look(i * 300L, i % 4 == 0 ? thread("refresh", WARM, REFRESH) : IDLE);
    }
    watch.end();

    Map<Fact, Double> facts = watch.facts();
    assertEquals(40, facts.get(Fact.STACKS));
    assertEquals(25, facts.get(Fact.REFRESH_SHARE), 1e-9);
    assertEquals(100, facts.get(Fact.of(ReopenCause.WARM)), 1e-9);
  }

  /** Or the looks that follow a refresh, which are many, would outweigh it. */
  @Test
  void facts_ofARefreshThatIsFollowed_weighAsTheTimeThatItStandsFor() {
    look(300, IDLE);
    look(600, thread("refresh", WARM, REFRESH)); // stands for 300 ms
    look(620, thread("refresh", WARM, REFRESH));
    look(640, thread("refresh", SYNC, REFRESH));
    look(660, thread("refresh", SYNC, REFRESH));
    look(680, IDLE);
    watch.end();

    Map<Fact, Double> facts = watch.facts();
    assertEquals(61, facts.get(Fact.REFRESH_LONGEST), 1e-9);
    assertEquals(50, facts.get(Fact.of(ReopenCause.WARM)), 1e-9);
    assertEquals(50, facts.get(Fact.of(ReopenCause.FILE_SYNC)), 1e-9);
    assertEquals(100 * 360.0 / 680, facts.get(Fact.REFRESH_SHARE), 1e-9);
  }

  @Test
  void facts_ofRefreshesFarApart_takeThemForTwo() {
    look(300, thread("refresh", WARM, REFRESH));
    look(600, thread("refresh", WARM, REFRESH));
    watch.end();

    assertEquals(1, watch.facts().get(Fact.REFRESH_LONGEST), 1e-9);
  }

  /** Looks that follow a refresh are no samples of how much of the time one runs. */
  @Test
  void facts_ofLooks_countThoseByTheClock_andHowOftenARefreshBegan() {
    look(300, IDLE);
    look(600, thread("refresh", WARM, REFRESH));
    look(620, thread("refresh", WARM, REFRESH));
    look(640, IDLE);
    look(940, thread("refresh", WARM, REFRESH));
    look(1240, thread("refresh", SYNC, REFRESH));
    watch.end();

    Map<Fact, Double> facts = watch.facts();
    assertEquals(6, facts.get(Fact.STACKS));
    assertEquals(4, facts.get(Fact.REGULAR_LOOKS));
    assertEquals(2, facts.get(Fact.REFRESH_RUNS));
  }

  @Test
  void facts_ofAThreadThatAwaitsARefresh_areNoRefresh() {
    look(
        300,
        thread("a", WARM, REFRESH, BLOCKING),
        thread("b", PARK, "java.util.concurrent.locks.ReentrantLock.lock", BLOCKING),
        thread("c", PARK, "java.util.concurrent.locks.ReentrantLock.lock", BLOCKING));
    watch.end();

    Map<Fact, Double> facts = watch.facts();
    assertEquals(2, facts.get(Fact.REFRESH_AWAITED), 1e-9);
    assertEquals(100, facts.get(Fact.of(ReopenCause.WARM)), 1e-9);
  }

  /** Few threads of an engine write, so few wait for a refresh that a client asked for. */
  @Test
  void facts_ofARefreshThatAClientAskedFor_countIt_andNoOther() {
    String scheduled = "org.opensearch.index.IndexService$AsyncRefreshTask.runInternal";
    String requested =
        "org.opensearch.action.support.replication.TransportWriteAction$AsyncAfterWriteAction.run";
    String memory =
        "org.elasticsearch.action.bulk.TransportShardBulkAction.shardOperationOnPrimary";
    look(300, thread("refresh", WARM, REFRESH, scheduled));
    look(600, thread("write", WARM, REFRESH, requested));
    look(
        900, thread("write", WARM, REFRESH, requested), thread("other", PARK, BLOCKING, requested));
    watch.end();

    assertEquals(1, watch.facts().get(Fact.REFRESH_AWAITED), 1e-9);
  }

  @Test
  void facts_withoutALook_saySo() {
    watch.end();

    assertEquals(Map.of(Fact.STACKS, 0.0), watch.facts());
  }

  /** However long refreshes are, looks take a hundredth of the time. */
  @Test
  void nextDue_whateverALookTakes_keepsToItsShareOfTheTime() {
    for (long costMillis : List.of(1L, 3L, 14L, 150L)) {
      StackWatch paced = new StackWatch(0);
      long now = 0;
      List<Long> costs = new ArrayList<>();
      while (now < 600_000 * MILLI) {
        now = Math.max(now, paced.nextDueNanos());
        costs.add(costMillis * MILLI);
        paced.add(now, now + costMillis * MILLI, List.of(thread("r", WARM, REFRESH)));
        now += costMillis * MILLI;
      }
      double share = (double) paced.costNanos() / now;
      assertEquals(costs.stream().mapToLong(Long::longValue).sum(), paced.costNanos());
      assertTrue(share <= 0.0105, costMillis + " ms: " + share);
      assertTrue(share >= 0.003, costMillis + " ms: " + share);
    }
  }

  /** Or too little would be seen where processors are scarce. */
  @Test
  void nextDue_afterALookThatWaitedForAProcessor_isNoLaterThanTwoSeconds() {
    watch.add(0, MILLI, List.of(IDLE));
    watch.add(300 * MILLI, 390 * MILLI, List.of(IDLE));
    assertEquals(390 * MILLI + StackWatch.SPARSE_NANOS, watch.nextDueNanos());

    watch.add(3000 * MILLI, 3200 * MILLI, List.of(IDLE));
    assertTrue(watch.nextDueNanos() > 20_000 * MILLI, "due: " + watch.nextDueNanos());
  }

  @Test
  void nextDue_whileARefreshRuns_isSoon() {
    for (int i = 1; i <= 20; i++) {
      look(i * 300L, IDLE);
    }
    look(6300, thread("refresh", WARM, REFRESH));

    assertEquals(6300 * MILLI + StackWatch.FOLLOWING_NANOS, watch.nextDueNanos());
  }

  private static final String COMMIT = "org.apache.lucene.index.IndexWriter.commitInternal";

  /** Threads that commit, sync in half of the time; and a refresh syncs in another quarter. */
  @Test
  void facts_ofCommits_haveTheirTimeInSyncs_andThatOfFilesInAll() {
    for (int i = 1; i <= 40; i++) {
      look(
          i * 300L,
          switch (i % 4) {
            case 0 -> thread("refresh", SYNC, REFRESH);
            case 1 -> thread("commit", SYNC, COMMIT);
            case 2 -> thread("commit", "org.apache.lucene.index.FieldInfos.read", COMMIT);
            default -> IDLE;
          });
    }
    watch.end();

    Map<Fact, Double> facts = watch.facts();
    assertEquals(50, facts.get(Fact.COMMIT_SHARE), 1e-9);
    assertEquals(50, facts.get(Fact.COMMIT_SYNC), 1e-9);
    assertEquals(50, facts.get(Fact.FILES_WAIT), 1e-9);
    assertTrue(!facts.containsKey(Fact.DIRTY_STOPPED), "the kernel was not asked");
  }

  /** A merge that is held up is what the kernel means; a refresh that is, is not. */
  @Test
  void facts_ofWritersThatTheKernelHoldsUp_areOfThoseThatWereSeen_withoutMerges() {
    String merge = "org.apache.lucene.index.IndexWriter.mergeMiddle";
    look(
        300,
        thread("merge", merge),
        thread("search", "org.apache.lucene.search.IndexSearcher.search"));
    watch.askAboutWriters(number -> true);
    look(600, thread("refresh", WARM, REFRESH), thread("merge", merge));
    watch.askAboutWriters(number -> number == "refresh".hashCode());
    look(1200, thread("backup", "sun.nio.ch.FileDispatcherImpl.write0", "com.shop.Backup.run"));
    watch.askAboutWriters(number -> number == "backup".hashCode());
    look(1500, IDLE);
    watch.askAboutWriters(number -> true);
    look(1800, IDLE);
    watch.end();

    assertEquals(50, watch.facts().get(Fact.DIRTY_STOPPED), 1e-9);
  }

  @Test
  void facts_ofMergesThatWaitForTheDisk_areAskedOfThoseThatWereSeen() {
    look(300, thread("merge", "org.apache.lucene.index.IndexWriter.mergeMiddle"));
    watch.askAboutMerges(number -> number == "merge".hashCode());
    look(600, IDLE);
    watch.askAboutMerges(number -> true);
    watch.end();

    assertEquals(100, watch.facts().get(Fact.MERGE_DISK), 1e-9);
    assertEquals(50, watch.facts().get(Fact.MERGE_SHARE), 1e-9);
  }
}
