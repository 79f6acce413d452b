package io.weir.why;

import static io.weir.why.Rule.Help.ENGINE;
import static io.weir.why.Rule.Help.KERNEL;
import static io.weir.why.Rule.Help.WEIR;
import static io.weir.why.Rule.Kind.COUNTED;
import static io.weir.why.Rule.Kind.COUNTED_OF_REFRESHES;
import static io.weir.why.Rule.Kind.OF_THE_JVM;

import io.weir.why.Rule.Advice;
import io.weir.why.Rule.Need;
import java.util.List;

/**
 * Rules of disks, dirty pages and processors; a part of {@link Rules}.
 *
 * <p><b>What tells causes of a busy disk apart.</b> Whose bytes they are: if most are of other
 * processes, it is a neighbour, and neither a merge nor a limit of this one's load. How many pages
 * are dirty: above a point the kernel holds up all that write, however the disk does. Whether a
 * merge runs: then the merge is named, not the limit that it meets. And whether the disk gives the
 * same in each second while requests queue: only one at a limit does.
 */
final class MachineRules {

  /** With this of the bytes of other processes, what this one does is the smaller part. */
  static final double MOST_OF_THE_DISK = 60;

  /** Below that refreshes and commits hardly feel files, whatever the disk does. */
  private static final double FELT = 10;

  /** As much of a commit's time in syncs leaves little for anything else. */
  private static final double MOSTLY = 50;

  /** A commit that runs for less leaves time for the next; one that does not is always late. */
  private static final double COMMIT_RUNS = 40;

  /** Some thread stalled for that share of the time: less is the usual wait for a disk. */
  private static final double PRESSURE = 20;

  /** For less of the time a write of a large file was too fast once, and is over. */
  private static final double ABOVE = 50;

  /** As for a merge on a busy disk: that rule begins where these end. */
  private static final double MERGES_RUN = 30;

  /** Most seconds, with room for some that differ. */
  private static final double EVEN = 70;

  /** Bursts are 1.5 to 10 times the limit (docs/CLOUD-VOLUMES.md); less may be another load. */
  private static final double DROP = 30;

  /** Most of the time, of refreshes and of what their threads could run. */
  private static final double WAITS = 50;

  /** Others with as much leave this process less; a quota for so many periods is the usual case. */
  private static final double HALF = 50;

  /** A hypervisor that takes a fifth makes a fifth of all work late. */
  private static final double FIFTH = 20;

  private static final Advice MORE_DISK =
      new Advice(
          KERNEL,
          "Raise what the volume may do, and see that the machine may as much: general-purpose"
              + " volumes of clouds have limits of operations and of bytes a second. Or give the page"
              + " cache more memory, so that less is read.",
          "Weir, docs/CLOUD-VOLUMES.md");

  static final List<Rule> ALL =
      List.of(
          new Rule(
              "slow-commit",
              OF_THE_JVM,
              Fact.COMMIT_SHARE,
              List.of(new Need(Fact.COMMIT_SHARE, COMMIT_RUNS), new Need(Fact.COMMIT_SYNC, MOSTLY)),
              List.of(
                  new Need(Fact.DISK_OTHERS, MOST_OF_THE_DISK),
                  new Need(Fact.DISK_EVEN, EVEN),
                  new Need(Fact.DISK_DROP, DROP),
                  new Need(Fact.DIRTY_ABOVE, ABOVE)),
              "A commit runs {commit.share} of the time, and waits {commit.sync} of its own for the"
                  + " disk to sync files.",
              List.of(Fact.COMMIT_SHARE, Fact.COMMIT_SYNC, Fact.IO_PRESSURE),
              List.of(
                  new Advice(
                      ENGINE,
                      "Commit less often, since refreshes need no commit: in OpenSearch and"
                          + " Elasticsearch raise index.translog.flush_threshold_size, in Solr the"
                          + " maxTime of autoCommit.",
                      "Javadoc of IndexWriter.commit; documentation of the translog and autoCommit"),
                  new Advice(
                      KERNEL,
                      "Put the index on a disk that syncs faster: one whose write cache survives a"
                          + " power cut, or a volume with a lower latency.",
                      "the figures above"),
                  new Advice(
                      WEIR,
                      "It writes what merges write early, so commits find less to sync, and syncs"
                          + " without the writer's lock.",
                      "Weir, docs/measurements/2026-11-25-commit-sync.md")),
              "IndexWriter.commit ends when FileChannel.force has returned for each new file"),
          new Rule(
              "dirty-throttling",
              OF_THE_JVM,
              Fact.DIRTY_ABOVE,
              List.of(new Need(Fact.DIRTY_ABOVE, ABOVE), new Need(Fact.FILES_WAIT, FELT)),
              List.of(),
              "Too many pages are dirty, so the kernel holds writers up {dirty.above} of the time, and"
                  + " refreshes or commits wait for files {wait.files} of it.",
              List.of(Fact.DIRTY_ABOVE, Fact.DIRTY_STOPPED, Fact.DIRTY_PEAK),
              List.of(
                  new Advice(
                      KERNEL,
                      "Find what dirties them, this process or another: pidstat -d 1. Let the kernel"
                          + " write earlier, with a low vm.dirty_background_bytes, and hold up later,"
                          + " with vm.dirty_bytes far above it.",
                      "Linux, admin-guide/sysctl/vm"),
                  new Advice(
                      WEIR,
                      "It writes what merges write early and evenly, so they leave few dirty pages.",
                      "Weir, docs/EMBEDDING.md and docs/AGENT.md")),
              "above half way between the background threshold and the threshold, balance_dirty_pages"
                  + " makes each writer sleep, whoever dirtied the pages (Linux, mm/page-writeback.c)"),
          new Rule(
              "neighbour",
              OF_THE_JVM,
              Fact.DISK_OTHERS,
              List.of(
                  new Need(Fact.DISK_OTHERS, MOST_OF_THE_DISK),
                  new Need(Fact.DISK_BUSY, MOSTLY),
                  new Need(Fact.IO_PRESSURE, PRESSURE),
                  new Need(Fact.FILES_WAIT, FELT)),
              List.of(),
              "Another process uses the disk of the index: {disk.others} of its bytes are of others, it"
                  + " is busy {disk.busy} of the time, and refreshes or commits wait for files"
                  + " {wait.files} of it.",
              List.of(Fact.DISK_OTHERS, Fact.DISK_BUSY, Fact.FILES_WAIT),
              List.of(
                  new Advice(
                      KERNEL,
                      "Find it: pidstat -d 1. Move it or the index, run it at another time, or limit it"
                          + " with io.max of its control group.",
                      "Linux, admin-guide/cgroup-v2")),
              "what the disk reads and writes, without read_bytes and write_bytes of /proc/PID/io and"
                  + " what was dirty before"),
          new Rule(
              "volume-credits",
              OF_THE_JVM,
              Fact.DISK_BUSY,
              List.of(
                  new Need(Fact.DISK_DROP, DROP),
                  new Need(Fact.DISK_BUSY, MOSTLY),
                  new Need(Fact.DISK_QUEUE, DiskLimit.FULL_QUEUE),
                  new Need(Fact.FILES_WAIT, FELT)),
              List.of(
                  new Need(Fact.DISK_OTHERS, MOST_OF_THE_DISK), new Need(Fact.DIRTY_ABOVE, ABOVE)),
              "The volume seems to have spent its credits: full all the time, it gave {disk.drop} less"
                  + " than when the look began, while {disk.queue} requests were there.",
              List.of(Fact.DISK_DROP, Fact.DISK_QUEUE, Fact.DISK_OPERATIONS),
              List.of(MORE_DISK),
              "a volume that bursts serves above its limit while it has credits, and at its limit after;"
                  + " requests queue before and after the step"),
          new Rule(
              "volume-limit",
              OF_THE_JVM,
              Fact.DISK_EVEN,
              List.of(
                  new Need(Fact.DISK_EVEN, EVEN),
                  new Need(Fact.DISK_OPERATIONS, 1),
                  new Need(Fact.DISK_QUEUE, DiskLimit.FULL_QUEUE),
                  new Need(Fact.FILES_WAIT, FELT)),
              List.of(
                  new Need(Fact.MERGE_SHARE, MERGES_RUN),
                  new Need(Fact.DISK_OTHERS, MOST_OF_THE_DISK),
                  new Need(Fact.DIRTY_ABOVE, ABOVE)),
              "The disk is at its limit, and no merge is why: it serves requests at {disk.operations},"
                  + " evenly in {disk.even} of the seconds, while {disk.queue} are there.",
              List.of(Fact.DISK_OPERATIONS, Fact.DISK_RATE, Fact.DISK_QUEUE),
              List.of(MORE_DISK),
              "a disk that is only slow gives less where requests are larger or further apart; one at a"
                  + " limit gives the same each second while requests queue"),
          new Rule(
              "processor-quota",
              COUNTED,
              Fact.CPU_THROTTLED,
              List.of(new Need(Fact.CPU_THROTTLED, HALF)),
              List.of(),
              "The quota of its control group is used up, and stops the process, in {cpu.throttled} of its"
                  + " periods.",
              List.of(Fact.CPU_THROTTLED, Fact.CPU_BUSY, Fact.REFRESH_SHARE),
              List.of(
                  new Advice(
                      KERNEL,
                      "Raise the quota: cpu.max of the control group, limits.cpu of Kubernetes, --cpus"
                          + " of a container.",
                      "Linux, scheduler/sched-bwc")),
              "nr_throttled of nr_periods in cpu.stat of its control group and those above; the time that"
                  + " threads stood grows with the number of processors"),
          new Rule(
              "no-processor",
              COUNTED_OF_REFRESHES,
              Fact.REFRESH_PROCESSOR,
              List.of(
                  new Need(Fact.REFRESH_PROCESSOR, WAITS),
                  new Need(Fact.CPU_WAIT, WAITS),
                  new Need(Fact.CPU_OTHERS, HALF)),
              List.of(),
              "Other processes take {cpu.others} of the processors, and threads that refresh are without"
                  + " one {cpu.wait} of the time in which they are ready to run.",
              List.of(Fact.CPU_WAIT, Fact.CPU_OTHERS, Fact.CPU_BUSY),
              List.of(
                  new Advice(
                      KERNEL,
                      "Find them: pidstat -u 1. Move them, give this process more weight, with"
                          + " cpu.weight of its control group, or give the machine more processors.",
                      "Linux, admin-guide/cgroup-v2")),
              "schedstat of the threads that refresh: how long they were ready and did not run"),
          new Rule(
              "processor-steal",
              COUNTED,
              Fact.CPU_STEAL,
              List.of(new Need(Fact.CPU_STEAL, FIFTH)),
              List.of(),
              "The hypervisor takes {cpu.steal} of the processors' time for other machines.",
              List.of(Fact.CPU_STEAL, Fact.CPU_WAIT, Fact.CPU_BUSY),
              List.of(
                  new Advice(
                      KERNEL,
                      "Run it on processors of its own: no type of machine with processor credits, and"
                          + " no host that runs more machines than it has processors for.",
                      "proc_stat(5): steal")),
              "steal in /proc/stat: the machine was ready to run and the hypervisor ran another"));

  private MachineRules() {}
}
