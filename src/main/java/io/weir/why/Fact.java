package io.weir.why;

import io.weir.nrt.ReopenCause;
import io.weir.why.FlightRecord.FileOperation;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Something that can be seen of an application, as a name for a value. Where it comes from, stacks,
 * the kernel or an engine, does not matter to a rule.
 *
 * @param id its name in JSON and in the sentences of rules
 * @param unit of its values; blank for counts
 * @param label what it is, for a table
 */
public record Fact(String id, String unit, String label) {

  static final String PERCENT = "%";

  static final Fact STACKS = new Fact("stacks", "", "looks at all threads");
  static final Fact REGULAR_LOOKS =
      new Fact("stacks.regular", "", "looks by the clock, without those that follow a refresh");
  static final Fact REFRESH_STACKS = new Fact("refresh.stacks", "", "stacks of refreshes");
  static final Fact REFRESH_RUNS =
      new Fact("refresh.runs", "", "times a refresh was seen to begin, at least");
  static final Fact REFRESH_SHARE =
      new Fact("refresh.share", PERCENT, "time in which a refresh ran");
  static final Fact REFRESH_LONGEST =
      new Fact("refresh.longest", "ms", "longest refresh seen, at least");
  static final Fact REFRESH_RATE = new Fact("refresh.rate", "/s", "refreshes of all shards");
  static final Fact REFRESH_MEAN = new Fact("refresh.mean", "ms", "mean time of a refresh");
  static final Fact REFRESH_RUNNING =
      new Fact("refresh.running", "", "refreshes running, mean of all shards");
  static final Fact REFRESH_FAST =
      new Fact("index.refresh.fast", "", "indexes that refresh more than once a second");
  static final Fact REFRESH_DISK =
      new Fact(
          "refresh.disk", PERCENT, "time of refreshes with files: all causes that need a disk");
  static final Fact REFRESH_PROCESSOR =
      new Fact("refresh.processor", PERCENT, "time of refreshes: waiting for a processor, at most");
  static final Fact REFRESH_AWAITED =
      new Fact("refresh.awaited", "", "threads that wait for a refresh or run a client's, mean");
  static final Fact MERGE_SHARE = new Fact("merge.share", PERCENT, "time in which a merge ran");
  static final Fact MERGES = new Fact("merge.running", "", "merges running, mean");
  static final Fact MERGE_DISK =
      new Fact("merge.disk", PERCENT, "of their time, merges waited for the disk");
  static final Fact MERGE_THROTTLED =
      new Fact("merge.throttled", PERCENT, "of the time of merges that ended, held back");
  static final Fact FORCED_MERGES = new Fact("merge.forced", "", "forced merges running, mean");
  static final Fact COMMIT_SHARE = new Fact("commit.share", PERCENT, "time in which a commit ran");
  static final Fact COMMIT_SYNC =
      new Fact("commit.sync", PERCENT, "of their time, commits waited for files to be synced");
  static final Fact FILES_WAIT =
      new Fact("wait.files", PERCENT, "time in which a refresh or a commit waited for files");
  static final Fact FLUSH_SHARE = new Fact("flush.share", PERCENT, "time in which a flush ran");
  static final Fact SEARCHES = new Fact("search.running", "", "searches running, mean");
  static final Fact INDEXING = new Fact("indexing.running", "", "threads indexing, mean");
  static final Fact INDEXING_THROTTLED =
      new Fact("indexing.throttled", PERCENT, "time in which the engine let one thread index");
  static final Fact GC_SHARE =
      new Fact("gc.share", PERCENT, "a processor's time that collections took");
  static final Fact CPU_BUSY = new Fact("cpu.busy", PERCENT, "processors busy");
  static final Fact CPU_WAIT =
      new Fact("cpu.wait", PERCENT, "refresh threads ready to run, but without a processor");
  static final Fact CPU_STEAL =
      new Fact("cpu.steal", PERCENT, "processor time taken by the hypervisor");
  static final Fact CPU_OTHERS =
      new Fact("cpu.others", PERCENT, "processor time of other processes");
  static final Fact CPU_THROTTLED =
      new Fact(
          "cpu.throttled", PERCENT, "periods in which the quota of its control group stopped it");
  static final Fact IO_PRESSURE =
      new Fact("io.pressure", PERCENT, "time in which some thread stalled on a disk");
  static final Fact DIRTY_PEAK = new Fact("dirty.peak", "MB", "dirty pages, peak");
  static final Fact DIRTY_OF_THRESHOLD =
      new Fact("dirty.threshold.share", PERCENT, "dirty pages, peak, of the threshold for writers");
  static final Fact DIRTY_ABOVE =
      new Fact(
          "dirty.above", PERCENT, "seconds with more dirty pages than the kernel leaves alone");
  static final Fact DIRTY_STOPPED =
      new Fact(
          "dirty.stopped", PERCENT, "time in which the kernel held a writer up for dirty pages");
  static final Fact DISK_OPERATIONS =
      new Fact("disk.operations", "/s", "reads and writes of the disk");
  static final Fact DISK_RATE = new Fact("disk.rate", "MB/s", "bytes of the disk");
  static final Fact DISK_BUSY =
      new Fact("disk.busy", PERCENT, "time in which the disk had a request");
  static final Fact DISK_QUEUE = new Fact("disk.queue", "", "requests at the disk, mean");
  static final Fact DISK_EVEN =
      new Fact(
          "disk.even", PERCENT, "seconds in which the disk was full and gave what it mostly gives");
  static final Fact DISK_DROP =
      new Fact("disk.drop", PERCENT, "less from the full disk than when the look began");
  static final Fact DISK_OTHERS =
      new Fact("disk.others", PERCENT, "of the bytes of the disk, other processes read and wrote");
  static final Fact DISK_LIMIT =
      new Fact("disk.limit.share", PERCENT, "of what io.max allows, used by the whole disk");
  static final Fact SEGMENTS = new Fact("index.segments", "", "segments, largest index or shard");
  static final Fact NODE_SEGMENTS = new Fact("node.segments", "", "segments of all shards");
  static final Fact DELETED =
      new Fact("index.deleted", PERCENT, "documents that are deleted and not merged away");
  static final Fact CLUSTER_INDEXES = new Fact("cluster.indexes", "", "indexes of the cluster");
  static final Fact CLUSTER_SHARDS =
      new Fact("cluster.shards", "", "shards of the cluster, with replicas");
  static final Fact INDEXES = new Fact("index.count", "", "indexes with open files");
  static final Fact INDEX_BYTES = new Fact("index.size", "MB", "indexes on disk");
  static final Fact INDEX_CACHED =
      new Fact("index.cached", PERCENT, "indexes in the page cache, at the end");
  static final Fact MAPPED_RANDOM =
      new Fact("index.mapped.random", PERCENT, "mapped bytes of the index with the advice RANDOM");
  static final Fact MAPPED_OF_MOST =
      new Fact("mappings.share", PERCENT, "mapped files, of vm.max_map_count");

  static final Fact LOOKS_LATE =
      new Fact("looks.late", "", "looks for which the JVM waited for threads in page faults");
  static final Fact LOOKS_LATEST =
      new Fact("looks.late.longest", "ms", "longest wait for a thread in a page fault, at least");
  static final Fact SAFEPOINT_WAIT =
      new Fact("safepoint.wait", "ms", "longest wait until all threads stopped");
  static final Fact SAFEPOINT_LONGEST =
      new Fact("safepoint.longest", "ms", "longest stop of all threads, without those of looks");
  static final Fact SAFEPOINT_SHARE =
      new Fact("safepoint.share", PERCENT, "time in which all threads were stopped, likewise");
  static final Fact HANDSHAKE_LONGEST =
      new Fact("handshake.longest", "ms", "longest handshake with all threads, as unmapping needs");
  static final Fact HANDSHAKE_SHARE =
      new Fact("handshake.share", PERCENT, "time in which such a handshake ran");
  static final Fact PAUSE_LONGEST =
      new Fact("gc.pause.longest", "ms", "longest pause of a collection");
  static final Fact PAUSE_SHARE =
      new Fact("gc.pause.share", PERCENT, "time in which a collection paused the application");
  static final Fact FILES_SLOW =
      new Fact("file.slow", "", "reads, writes and syncs of files that took 20 ms or longer");

  /** The fact with this id and unit; one that this version does not know has its id for a label. */
  static Fact named(String id, String unit) {
    return Stream.of(constants(), Arrays.stream(ReopenCause.values()).map(Fact::of), ofActivities())
        .flatMap(facts -> facts)
        .filter(fact -> fact.id().equals(id) && fact.unit().equals(unit))
        .findFirst()
        .orElseGet(() -> new Fact(id, unit, id));
  }

  private static Stream<Fact> constants() {
    return Arrays.stream(Fact.class.getDeclaredFields())
        .filter(field -> field.getType() == Fact.class)
        .map(
            field -> {
              try {
                return (Fact) field.get(null);
              } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  /** The share of a cause in the time of refreshes. */
  static Fact of(ReopenCause cause) {
    return new Fact(
        "refresh.cause." + WhyReport.id(cause), PERCENT, "time of refreshes: " + cause.label());
  }

  private static Stream<Fact> ofActivities() {
    return Arrays.stream(Activity.values())
        .flatMap(
            work ->
                Stream.concat(
                    Stream.of(heldBy(work)),
                    Arrays.stream(FileOperation.values())
                        .flatMap(
                            operation ->
                                Stream.of(slow(operation, work), longest(operation, work)))));
  }

  /** The share of an activity in the time in which looks waited for threads in page faults. */
  static Fact heldBy(Activity work) {
    return new Fact(
        "looks.late.for." + WhyReport.id(work),
        PERCENT,
        "of the time in which looks waited for page faults: of " + work.label());
  }

  /** How many operations of this kind an activity had to wait for. */
  static Fact slow(FileOperation operation, Activity work) {
    return new Fact(
        "file.%s.%s".formatted(WhyReport.id(operation), WhyReport.id(work)),
        "",
        "%ss of files that took 20 ms or longer: of %s"
            .formatted(WhyReport.id(operation), work.label()));
  }

  /** The longest of these. */
  static Fact longest(FileOperation operation, Activity work) {
    return new Fact(
        "file.%s.%s.longest".formatted(WhyReport.id(operation), WhyReport.id(work)),
        "ms",
        "longest %s of a file: of %s".formatted(WhyReport.id(operation), work.label()));
  }
}
