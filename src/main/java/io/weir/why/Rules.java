package io.weir.why;

import static io.weir.nrt.ReopenCause.LISTENERS;
import static io.weir.nrt.ReopenCause.MERGE;
import static io.weir.nrt.ReopenCause.MERGE_STALL;
import static io.weir.nrt.ReopenCause.MERGE_WAIT;
import static io.weir.nrt.ReopenCause.WARM;
import static io.weir.why.Rule.Help.ENGINE;
import static io.weir.why.Rule.Help.KERNEL;
import static io.weir.why.Rule.Help.VERSION;
import static io.weir.why.Rule.Help.WEIR;
import static io.weir.why.Rule.Kind.COUNTED;
import static io.weir.why.Rule.Kind.OF_SLOW_REFRESHES;
import static io.weir.why.Rule.Kind.OF_THE_JVM;

import io.weir.nrt.ReopenCause;
import io.weir.why.Rule.Advice;
import io.weir.why.Rule.Need;
import java.util.List;
import java.util.stream.Stream;

/**
 * All rules. Each is tested against a situation that was recorded from a stock application with
 * that one thing wrong; one without such a record does not belong here, unless a test cannot bring
 * it about and says so. Those of disks and processors are {@link MachineRules}.
 */
final class Rules {

  /** A cause with less of the time of refreshes does not answer why they are slow. */
  private static final double MUCH = 30;

  /** With refreshes by time this is near 0; a small engine has two threads for writes, or one. */
  private static final double AWAITED = 0.5;

  /**
   * The policies of Lucene leave some tens in an index, and a few hundred of one of a terabyte.
   * More are kept by a policy that does not merge, or by merges that do not keep up.
   */
  private static final double MANY_SEGMENTS = 500;

  /** Many segments are no harm to refreshes that have less of the time. */
  private static final double FELT = 10;

  /** Against a merge that keeps a disk busy. */
  private static final List<Advice> GENTLER_MERGES =
      List.of(
          new Advice(
              ENGINE,
              "Limit what forced merges write: ConcurrentMergeScheduler.setForceMergeMBPerSec."
                  + " They take longer, and what they read has no limit.",
              "Javadoc of ConcurrentMergeScheduler"),
          new Advice(
              KERNEL,
              "Give the volume more operations and bytes a second, or the page cache more"
                  + " memory, so that less of the index is read from disk.",
              "the figures above"),
          new Advice(
              VERSION,
              "Lucene 10.6 reads stored fields and term vectors of a merge ahead, so its"
                  + " threads wait in fewer page faults.",
              "lucene#16684"),
          new Advice(
              WEIR,
              "It writes what merges write early and evenly, unmaps off the refresh, and can cap"
                  + " them: Weir.builder().open(path) in your application, or java"
                  + " -javaagent:weir-agent.jar=cap=40MB/s -jar application.jar.",
              "Weir, docs/EMBEDDING.md and docs/AGENT.md"));

  private static final List<Rule> OF_LUCENE =
      List.of(
          ofCause(
              "merge-wait",
              MERGE_WAIT,
              "Refreshes wait {refresh.cause.merge-wait} of their time for merges of small segments to"
                  + " end.",
              List.of(Fact.of(MERGE_WAIT), Fact.MERGE_SHARE, Fact.REFRESH_LONGEST),
              List.of(
                  new Advice(
                      ENGINE,
                      "Let no refresh wait for merges:"
                          + " IndexWriterConfig.setMaxFullFlushMergeWaitMillis(0); in OpenSearch"
                          + " index.merge_on_flush.enabled: false, and open the index again.",
                      "Javadoc of IndexWriterConfig; OpenSearch, IndexSettings")),
              "IndexWriter.getReader waits in MergeSpecification.await for"
                  + " setMaxFullFlushMergeWaitMillis"),
          ofCause(
              "merge-stall",
              MERGE_STALL,
              "Refreshes stand still {refresh.cause.merge-stall} of their time, because more merges are"
                  + " pending than the merge scheduler allows.",
              List.of(Fact.of(MERGE_STALL), Fact.MERGES, Fact.MERGE_DISK),
              List.of(
                  new Advice(
                      ENGINE,
                      "Allow more merges: ConcurrentMergeScheduler.setMaxMergesAndThreads; in"
                          + " OpenSearch and Elasticsearch index.merge.scheduler.max_merge_count.",
                      "Javadoc of ConcurrentMergeScheduler"),
                  new Advice(
                      KERNEL,
                      "If merges wait for the disk most of their time, give the volume more bytes or"
                          + " operations a second.",
                      "the figure above")),
              "ConcurrentMergeScheduler.maybeStall waits on the thread that asks for a merge"),
          ofCause(
              "serial-merges",
              MERGE,
              "Refreshes merge segments themselves, {refresh.cause.merge} of their time.",
              List.of(Fact.of(MERGE), Fact.REFRESH_SHARE, Fact.REFRESH_LONGEST),
              List.of(
                  new Advice(
                      ENGINE,
                      "Let merges have threads of their own: set a ConcurrentMergeScheduler, Lucene's"
                          + " default, in place of the SerialMergeScheduler.",
                      "Javadoc of SerialMergeScheduler"),
                  new Advice(
                      WEIR,
                      "Its RateLimitedMergeScheduler has threads of its own, and a cap for what they"
                          + " write: Weir.configure(config) sets it.",
                      "Weir, docs/EMBEDDING.md")),
              "SerialMergeScheduler.merge runs on the thread that flushes"),
          ofCause(
              "warming",
              WARM,
              "Refreshes spend {refresh.cause.warm} of their time in the application's own searcher"
                  + " factory, which warms new searchers.",
              List.of(Fact.of(WARM), Fact.REFRESH_SHARE, Fact.REFRESH_LONGEST),
              List.of(
                  new Advice(
                      ENGINE,
                      "Do less in SearcherFactory.newSearcher, and warm merged segments before they"
                          + " are seen: IndexWriterConfig.setMergedSegmentWarmer.",
                      "Javadoc of SearcherFactory"),
                  new Advice(
                      WEIR,
                      "Its MergedSegmentWarmer does that: config.setMergedSegmentWarmer(new"
                          + " MergedSegmentWarmer()).",
                      "Weir, docs/EMBEDDING.md")),
              "SearcherManager.getSearcher only calls SearcherFactory.newSearcher"),
          ofCause(
              "listeners",
              LISTENERS,
              "Refreshes spend {refresh.cause.listeners} of their time in the application's refresh"
                  + " listeners.",
              List.of(Fact.of(LISTENERS), Fact.REFRESH_SHARE, Fact.REFRESH_LONGEST),
              List.of(
                  new Advice(
                      ENGINE,
                      "Do the work of ReferenceManager.RefreshListener on another thread: it is called"
                          + " under the lock of the refresh.",
                      "Javadoc of ReferenceManager")),
              "ReferenceManager.doMaybeRefresh calls listeners under its lock"),
          new Rule(
              "refresh-by-request",
              OF_THE_JVM,
              Fact.REFRESH_SHARE,
              List.of(new Need(Fact.REFRESH_AWAITED, AWAITED), new Need(Fact.REFRESH_SHARE, 50)),
              List.of(),
              "Every request refreshes: a refresh runs {refresh.share} of the time, and"
                  + " {refresh.awaited} threads wait for one or run a client's.",
              List.of(Fact.REFRESH_AWAITED, Fact.REFRESH_SHARE, Fact.REFRESH_LONGEST),
              List.of(
                  new Advice(
                      ENGINE,
                      "Refresh by time and let writes wait for it: ControlledRealTimeReopenThread; in"
                          + " OpenSearch and Elasticsearch ?refresh=wait_for in place of"
                          + " ?refresh=true.",
                      "Javadoc of ControlledRealTimeReopenThread; documentation of ?refresh")),
              "a thread waits in ReferenceManager.maybeRefreshBlocking while another refreshes, or"
                  + " refreshes while it serves a request of the engine"),
          new Rule(
              "refresh-interval",
              OF_THE_JVM,
              Fact.REFRESH_SHARE,
              List.of(
                  new Need(Fact.REFRESH_FAST, 1),
                  new Need(Fact.REFRESH_RATE, 5),
                  new Need(Fact.REFRESH_SHARE, Answer.SLOW_SHARE_PERCENT)),
              List.of(),
              "Indexes whose refresh_interval is below a second: {index.refresh.fast}. Refreshes come at"
                  + " {refresh.rate}, and one runs {refresh.share} of the time.",
              List.of(Fact.REFRESH_FAST, Fact.REFRESH_RATE, Fact.REFRESH_SHARE),
              List.of(
                  new Advice(
                      ENGINE,
                      "Set index.refresh_interval to 1s or more on these indexes, and to -1 while one"
                          + " is filled.",
                      "OpenSearch and Elasticsearch, settings of an index")),
              "the setting of the indexes, and the engine's counter of refreshes"),
          new Rule(
              "indexing-throttled",
              OF_THE_JVM,
              Fact.INDEXING_THROTTLED,
              List.of(new Need(Fact.INDEXING_THROTTLED, 10)),
              List.of(),
              "Merges fall behind, so the engine let only one thread index, {indexing.throttled} of the"
                  + " time.",
              List.of(Fact.INDEXING_THROTTLED, Fact.MERGES, Fact.MERGE_SHARE),
              List.of(
                  new Advice(
                      ENGINE,
                      "Allow more merges: index.merge.scheduler.max_thread_count and max_merge_count;"
                          + " or refresh less often, which makes fewer segments to merge.",
                      "OpenSearch and Elasticsearch, settings of the merge scheduler"),
                  new Advice(
                      KERNEL,
                      "If merges wait for the disk, give the volume more bytes or operations a second.",
                      "weir why PID on the node")),
              "throttle_time of indexing grows while more merges are pending than max_merge_count"),
          new Rule(
              "merge-on-busy-disk",
              OF_THE_JVM,
              Fact.REFRESH_DISK,
              List.of(
                  new Need(Fact.REFRESH_DISK, 50),
                  new Need(Fact.REFRESH_SHARE, 10),
                  new Need(Fact.MERGE_SHARE, 30),
                  new Need(Fact.MERGE_DISK, 20),
                  new Need(Fact.IO_PRESSURE, 20)),
              List.of(new Need(Fact.DISK_OTHERS, MachineRules.MOST_OF_THE_DISK)),
              "A merge keeps the disk busy, and refreshes wait for it: {refresh.disk} of their time goes"
                  + " to files, while merges wait {merge.disk} of theirs for the disk.",
              List.of(Fact.REFRESH_DISK, Fact.MERGE_DISK, Fact.IO_PRESSURE),
              GENTLER_MERGES,
              "unmapping waits for threads in page faults (lucene#13325); opening, writing and reading"
                  + " files queue behind the merge"),
          new Rule(
              "merge-in-page-faults",
              OF_THE_JVM,
              Fact.MERGE_DISK,
              List.of(
                  new Need(Fact.MERGE_DISK, 40),
                  new Need(Fact.MERGE_SHARE, 30),
                  new Need(Fact.IO_PRESSURE, 20),
                  new Need(Fact.LOOKS_LATE, 2),
                  new Need(Fact.LOOKS_LATEST, 30)),
              List.of(),
              "A merge waits for the disk {merge.disk} of its time, in page faults: each unmapping and each"
                  + " collection waits until it answers, up to {looks.late.longest}.",
              List.of(Fact.MERGE_DISK, Fact.LOOKS_LATEST, Fact.IO_PRESSURE),
              GENTLER_MERGES,
              "the JVM stops a thread in a page fault only when its page is read (lucene#13325); looks at"
                  + " stacks waited so"),
          new Rule(
              "cold-searches",
              COUNTED,
              Fact.HANDSHAKE_SHARE,
              List.of(
                  new Need(Fact.HANDSHAKE_SHARE, 20),
                  new Need(Fact.HANDSHAKE_LONGEST, 100),
                  new Need(Fact.LOOKS_LATE, 2),
                  new Need(Fact.heldBy(Activity.SEARCH), 50)),
              List.of(),
              "Unmapping a file waits for an answer of each thread, and searches that wait for pages of"
                  + " mapped files answer late: that took {handshake.share} of the time, and up to"
                  + " {handshake.longest}.",
              List.of(Fact.HANDSHAKE_SHARE, Fact.heldBy(Activity.SEARCH), Fact.REFRESH_SHARE),
              List.of(
                  new Advice(
                      ENGINE,
                      "Merge less often, so that fewer files are unmapped, or read without mapping what"
                          + " searches find cold: NIOFSDirectory; in OpenSearch and Elasticsearch"
                          + " index.store.type: niofs.",
                      "lucene#13325; Javadoc of NIOFSDirectory"),
                  new Advice(
                      KERNEL,
                      "Give the page cache more memory, so that fewer searches wait for a page, or the"
                          + " volume more operations a second.",
                      "the figures above"),
                  new Advice(
                      WEIR,
                      "It unmaps on a thread of its own, so no refresh waits:"
                          + " Weir.builder().open(path).",
                      "Weir, docs/EMBEDDING.md")),
              "closing a shared Arena is a handshake with all threads, and a thread in a page fault"
                  + " answers when its page is read (lucene#13325)"),
          new Rule(
              "small-heap",
              OF_THE_JVM,
              Fact.GC_SHARE,
              List.of(new Need(Fact.GC_SHARE, 40)),
              List.of(),
              "The heap is too small or garbage is made too fast: collections take {gc.share} of a"
                  + " processor's time.",
              List.of(Fact.GC_SHARE, Fact.CPU_BUSY, Fact.REFRESH_SHARE),
              List.of(
                  new Advice(
                      ENGINE,
                      "Give the heap more, with -Xmx, or look for what fills it: jcmd PID"
                          + " GC.class_histogram.",
                      "JDK, garbage collection tuning guide")),
              "processor time of the collector's threads, as the JVM says it"),
          new Rule(
              "many-segments",
              OF_THE_JVM,
              Fact.REFRESH_SHARE,
              List.of(new Need(Fact.SEGMENTS, MANY_SEGMENTS), new Need(Fact.REFRESH_SHARE, FELT)),
              List.of(),
              "An index has too many segments, {index.segments}, and a refresh runs {refresh.share} of"
                  + " the time.",
              List.of(Fact.SEGMENTS, Fact.REFRESH_SHARE, Fact.REFRESH_LONGEST),
              List.of(
                  new Advice(
                      ENGINE,
                      "Let them be merged: a TieredMergePolicy with its own segmentsPerTier, in"
                          + " OpenSearch and Elasticsearch index.merge.policy.segments_per_tier."
                          + " Flush and refresh less often while merges do not keep up.",
                      "Javadoc of TieredMergePolicy and NoMergePolicy")),
              "a refresh looks each deleted term up in every segment, and a search visits all"));

  static final List<Rule> ALL =
      Stream.concat(OF_LUCENE.stream(), MachineRules.ALL.stream()).toList();

  private Rules() {}

  /** The shape of most: one cause has much of the time of slow refreshes. */
  private static Rule ofCause(
      String id,
      ReopenCause cause,
      String answer,
      List<Fact> figures,
      List<Advice> advice,
      String source) {
    return new Rule(
        id,
        OF_SLOW_REFRESHES,
        Fact.of(cause),
        List.of(new Need(Fact.of(cause), MUCH)),
        List.of(),
        answer,
        figures,
        advice,
        source);
  }
}
