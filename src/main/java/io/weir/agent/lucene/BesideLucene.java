package io.weir.agent.lucene;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.weir.agent.AgentLog;
import io.weir.agent.process.LuceneSide;
import io.weir.agent.process.Setup;
import io.weir.jmx.MergesBean;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeTotals;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.metrics.DirectoryMetrics;
import io.weir.metrics.MergeMetrics;
import io.weir.nrt.SlowReopenOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.store.Directory;

/**
 * The agent's part beside one loader of Lucene: the writers, managers and direct reopens of that
 * Lucene.
 *
 * <p>Each writer and each manager is held until the application closes it, and figures of direct
 * reopens until the readers and the writer of their index are. At most {@value #MAX_REOPENS}
 * managers and indexes are measured, those that come first: each has a thread for the causes of
 * slow reopens.
 *
 * <p><b>Threads:</b> any.
 */
public final class BesideLucene implements LuceneSide {

  private static final int MAX_REOPENS = 64;

  private static final StackWalker STACK = StackWalker.getInstance();
  private static final String MANAGER = ReferenceManager.class.getName();

  private final Setup setup;
  private final WriterSetup writerSetup;
  private final Map<IndexWriter, MeasuredWriter> writers =
      new IdentityHashMap<>(); // guarded by this
  private final Set<String> writerNames = new HashSet<>(); // guarded by this
  private final Map<ReferenceManager<?>, MeasuredReopens> reopens =
      new IdentityHashMap<>(); // guarded by this
  private final Set<String> reopenNames = new HashSet<>(); // guarded by this
  private final Map<String, DirectReopens> direct = new ConcurrentHashMap<>();

  /** For a process with this setup. */
  public BesideLucene(Setup setup) {
    this.setup = setup;
    this.writerSetup = new WriterSetup(setup);
  }

  @Override
  public Object writerOpening(Class<?> lucene, Object directory, Object config) {
    return writerSetup.prepare((Directory) directory, (IndexWriterConfig) config);
  }

  @Override
  public void writerOpened(Class<?> lucene, Object opened) {
    IndexWriter writer = (IndexWriter) opened;
    if (writer.getConfig().getMergeScheduler() instanceof RateLimitedMergeScheduler scheduler) {
      synchronized (this) {
        String name = unique(IndexName.of(writer.getDirectory()), writerNames);
        writers.put(
            writer, new MeasuredWriter(name, scheduler, writer.getDirectory(), setup.registry()));
      }
    }
  }

  @Override
  public void writerClosed(Class<?> lucene, Object closed) {
    IndexWriter writer = (IndexWriter) closed;
    if (writer.isOpen()) {
      return; // close was refused
    }
    synchronized (this) {
      MeasuredWriter measured = writers.remove(writer);
      if (measured != null) {
        measured.close();
        writerNames.remove(measured.name);
      }
    }
    DirectReopens ofIndex = direct.get(IndexName.of(writer.getDirectory()));
    if (ofIndex != null) {
      ofIndex.writerClosed();
    }
  }

  @Override
  public void managerOpened(Class<?> lucene, Object opened) {
    if (!(opened instanceof DirectReopens)) {
      new MeasuredReopens((ReferenceManager<?>) opened, this); // the manager knows it
    }
  }

  @Override
  public void managerClosed(Class<?> lucene, Object closed) {
    MeasuredReopens measured;
    synchronized (this) {
      measured = reopens.remove((ReferenceManager<?>) closed);
    }
    if (measured != null) {
      measured.close(); // outside the lock: it may wait for a reopen
    }
  }

  @Override
  public Object reopenBegun(Class<?> lucene, Object opened) {
    DirectoryReader reader = (DirectoryReader) opened;
    if (STACK.walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(MANAGER)))) {
      return null; // a manager's, which is measured as such
    }
    String index = IndexName.of(reader.directory());
    if (!direct.containsKey(index) && direct.size() >= MAX_REOPENS) {
      return null;
    }
    DirectReopens ofIndex = direct.computeIfAbsent(index, this::newDirect);
    ofIndex.opened(reader);
    try {
      return ofIndex.begin(reader) ? ofIndex : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void reopenEnded(Class<?> lucene, Object begun, Object result, Throwable failure) {
    try {
      DirectReopens ofIndex = (DirectReopens) begun;
      ofIndex.end(result != null, failure != null);
      if (result != null) {
        ofIndex.opened((DirectoryReader) result);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DirectReopens newDirect(String index) {
    DirectReopens[] made = new DirectReopens[1];
    made[0] = new DirectReopens(() -> ended(index, made[0]));
    new MeasuredReopens(made[0], this);
    return made[0];
  }

  /** Nothing of the index is open any more. */
  private void ended(String index, DirectReopens ofIndex) {
    direct.remove(index, ofIndex);
    managerClosed(DirectoryReader.class, ofIndex);
  }

  /**
   * Remembers these reopens until {@code manager} is closed.
   *
   * @return a name like {@code index} that no others have; empty if there are too many
   */
  synchronized Optional<String> admit(
      ReferenceManager<?> manager, MeasuredReopens measured, String index) {
    if (reopens.size() >= MAX_REOPENS) {
      AgentLog.say("the reopens of " + MAX_REOPENS + " indexes are measured, and of no more");
      return Optional.empty();
    }
    reopens.put(manager, measured);
    return Optional.of(unique(index, reopenNames));
  }

  /** Gives the name of reopens back. */
  synchronized void release(String name) {
    reopenNames.remove(name);
  }

  MeterRegistry registry() {
    return setup.registry();
  }

  /** From when on a reopen is slow, and which merges run. */
  SlowReopenOptions slowReopens() {
    return SlowReopenOptions.defaults().withThreshold(setup.slow()).withMerges(this::running);
  }

  /** The merges of all writers: they share the disk. */
  private synchronized List<String> running() {
    List<String> running = new ArrayList<>();
    writers.values().forEach(measured -> running.addAll(measured.running()));
    return running;
  }

  private static String unique(String name, Set<String> names) {
    String candidate = name;
    for (int i = 2; !names.add(candidate); i++) {
      candidate = name + "#" + i;
    }
    return candidate;
  }

  @Override
  public void close() {
    List<AutoCloseable> all = new ArrayList<>();
    synchronized (this) {
      all.addAll(writers.values());
      all.addAll(reopens.values());
      writers.clear();
      reopens.clear();
    }
    for (AutoCloseable measured : all) {
      try {
        measured.close();
      } catch (Exception e) {
        AgentLog.say("meters or beans could not be removed: " + e);
      }
    }
  }

  /**
   * The meters and the bean of one open writer.
   *
   * <p><b>Ownership:</b> owns both, and not the writer.
   */
  static final class MeasuredWriter implements AutoCloseable {

    private final String name;
    private final MergeActivity merges;
    private final MergeMetrics mergeMetrics;
    private final DirectoryMetrics directoryMetrics;
    private final Optional<MergesBean> bean;

    /** With {@code name}, which no other open writer has. */
    MeasuredWriter(String name, MergeActivity merges, Directory directory, MeterRegistry registry) {
      Tags tags = Tags.of("index", name);
      this.name = name;
      this.merges = merges;
      this.mergeMetrics = new MergeMetrics(merges, tags);
      this.directoryMetrics = new DirectoryMetrics(directory, tags);
      mergeMetrics.bindTo(registry);
      directoryMetrics.bindTo(registry);
      this.bean = bean(name, merges);
    }

    /** The running merges, for the causes of slow reopens. */
    List<String> running() {
      return merges.running().stream().map(MeasuredWriter::describe).toList();
    }

    private static String describe(MergeTotals merge) {
      return merge.kind() + " " + merge.segment().orElse("?");
    }

    private static Optional<MergesBean> bean(String name, MergeActivity merges) {
      try {
        return Optional.of(MergesBean.register(merges, name));
      } catch (RuntimeException | LinkageError e) {
        AgentLog.say("no JMX: " + AgentLog.rootOf(e));
        return Optional.empty();
      }
    }

    @Override
    public void close() {
      mergeMetrics.close();
      directoryMetrics.close();
      bean.ifPresent(MergesBean::close);
    }
  }
}
