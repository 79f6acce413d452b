package io.weir.stress.arm.meters;

import io.weir.lucene.SegmentFiles;
import io.weir.procfs.Procfs;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Counts what merges read, and what they really write, independently of what Weir's directory
 * charges: the merge policy knows which segments are merged, and a directory below everything else
 * counts the bytes of their files.
 *
 * <p>It serves arms with and without Weir alike, so that both are measured by the same rule, and it
 * lets a run check that charged equals written. What is written later to change a merged segment,
 * its live documents and doc-values updates, is not counted. What they read is {@link MergeReads}.
 *
 * <p><b>Threads:</b> any.
 */
public final class MergeMeter {

  /** What Lucene says of a natural merge where a forced one says how many segments to leave. */
  private static final int NOT_FORCED = -1;

  private final Set<String> mergedSegments = ConcurrentHashMap.newKeySet();
  private final Set<String> forcedSegments = ConcurrentHashMap.newKeySet();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final AtomicLong forcedBytes = new AtomicLong();
  private final MergeReads reads;
  private final ProcessorTime processors = new ProcessorTime();
  private final Set<String> runningMerges = ConcurrentHashMap.newKeySet();

  /** A meter that has seen nothing yet. */
  public MergeMeter(Procfs procfs, NanoClock clock) {
    this.reads = new MergeReads(procfs, clock);
  }

  /** What merges read from storage; {@link Sampler} samples it. */
  MergeReads reads() {
    return reads;
  }

  /** Bytes of merged segments' files that were passed to the directory below. */
  public long writtenBytes() {
    return writtenBytes.get();
  }

  /** Those of them that forced merges wrote. */
  public long forcedBytes() {
    return forcedBytes.get();
  }

  /** Processor time of the threads that merge; empty where the JVM does not measure it. */
  OptionalLong processorNanos() {
    return processors.nanos();
  }

  /** Merges in flight. */
  public int running() {
    return runningMerges.size();
  }

  /** The segments they write, with a word at those of forced merges. */
  public List<String> runningMerges() {
    return runningMerges.stream()
        .sorted()
        .map(segment -> forcedSegments.contains(segment) ? segment + ":forced" : segment)
        .toList();
  }

  /** {@code in}, whose merges are watched, whatever schedules them. */
  public MergePolicy policy(MergePolicy in) {
    return new OneMergeWrappingMergePolicy(in, WatchedMerge::new);
  }

  /** {@code in}, counted. */
  public Directory directory(Directory in) {
    return new FilterDirectory(in) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        return counted(in.createOutput(name, context));
      }

      @Override
      public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
          throws IOException {
        return counted(in.createTempOutput(prefix, suffix, context));
      }
    };
  }

  private IndexOutput counted(IndexOutput output) {
    String name = output.getName();
    String segment = SegmentFiles.segmentOf(name);
    if (!mergedSegments.contains(segment) || SegmentFiles.isChange(name)) {
      return output;
    }
    return forcedSegments.contains(segment)
        ? new CountingOutput(
            output,
            bytes -> {
              writtenBytes.addAndGet(bytes);
              forcedBytes.addAndGet(bytes);
            })
        : new CountingOutput(output, writtenBytes::addAndGet);
  }

  /**
   * Registers its segment before the first byte is written. The writer may put it into a merge of
   * its own (one that a reopen or a commit waits for), which passes on what is overridden here.
   */
  private final class WatchedMerge extends MergePolicy.OneMerge {

    private final MergePolicy.OneMerge watched;
    private final AtomicBoolean inFlight = new AtomicBoolean();
    private volatile String segment;

    WatchedMerge(MergePolicy.OneMerge watched) {
      super(watched);
      this.watched = watched;
    }

    @Override
    public void setMergeInfo(SegmentCommitInfo info) {
      super.setMergeInfo(info);
      if (getStoreMergeInfo().mergeMaxNumSegments() != NOT_FORCED) {
        forcedSegments.add(info.info.name);
      }
      mergedSegments.add(info.info.name);
      if (inFlight.compareAndSet(false, true)) {
        segment = info.info.name;
        runningMerges.add(segment);
        reads.begin();
        processors.begins(this);
      }
    }

    @Override
    public void mergeFinished(boolean success, boolean segmentDropped) throws IOException {
      if (inFlight.compareAndSet(true, false)) {
        runningMerges.remove(segment);
        reads.end();
        processors.ends(this);
      }
      watched.mergeFinished(success, segmentDropped);
    }

    /** From Lucene 10.5 on, each thread that builds a graph asks before each vector. */
    @Override
    public void checkAborted() throws MergePolicy.MergeAbortedException {
      if (inFlight.get()) {
        processors.begins(this);
      }
      super.checkAborted();
    }

    @Override
    public CodecReader wrapForMerge(CodecReader reader) throws IOException {
      return watched.wrapForMerge(reader);
    }

    @Override
    public Sorter.DocMap reorder(CodecReader reader, Directory dir, Executor executor)
        throws IOException {
      return watched.reorder(reader, dir, executor);
    }
  }

  /**
   * What threads use of the processors from when they begin to work for a merge until it ends.
   *
   * <p><b>Threads:</b> any. A thread works for one merge at a time, whose end it may not show.
   */
  private static final class ProcessorTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Of a thread, what it had used when it was looked at last. */
    private record Look(Object merge, long nanos) {}

    private final Map<Thread, Look> merging = new ConcurrentHashMap<>(); // changed under this
    private long totalNanos; // guarded by this

    /** The calling thread works for this merge from now on, if not already. */
    void begins(Object merge) {
      Look seen = merging.get(Thread.currentThread());
      if (seen == null || seen.merge != merge) {
        synchronized (this) {
          look(Thread.currentThread());
          merging.put(Thread.currentThread(), new Look(merge, nanosOf(Thread.currentThread())));
        }
      }
    }

    /** No thread works for this merge any more. */
    synchronized void ends(Object merge) {
      for (Map.Entry<Thread, Look> each : merging.entrySet()) {
        if (each.getValue().merge == merge) {
          look(each.getKey());
          merging.remove(each.getKey());
        }
      }
    }

    synchronized OptionalLong nanos() {
      merging.keySet().forEach(this::look);
      return THREADS.isThreadCpuTimeSupported()
          ? OptionalLong.of(totalNanos)
          : OptionalLong.empty();
    }

    private void look(Thread thread) {
      Look seen = merging.get(thread);
      long nanos = nanosOf(thread);
      if (seen != null && nanos > seen.nanos) { // negative once it has died
        totalNanos += nanos - seen.nanos;
        merging.put(thread, new Look(seen.merge, nanos));
      }
    }

    private static long nanosOf(Thread thread) {
      return THREADS.isThreadCpuTimeSupported() ? THREADS.getThreadCpuTime(thread.threadId()) : -1;
    }
  }
}
