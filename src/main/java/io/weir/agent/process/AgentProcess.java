package io.weir.agent.process;

import io.weir.agent.AgentLog;
import io.weir.agent.Hooks;
import io.weir.agent.NestedLoader;
import io.weir.control.ScheduledRate;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import io.weir.rate.RateSchedule;
import java.lang.instrument.Instrumentation;
import java.net.InetSocketAddress;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The agent in one JVM: one budget, one port, one bean, however many loaders of Lucene there are.
 *
 * <p>Nothing but a class file transformer exists until the application constructs the first writer
 * or reader manager: a port, a bean or a logger at the start of the JVM would initialize parts of
 * the JDK before the application has configured them.
 *
 * <p><b>Threads:</b> any.
 */
public final class AgentProcess implements Hooks.Target, AgentMXBean {

  private static final String BESIDE_LUCENE = "io.weir.agent.lucene.BesideLucene";

  private final String optionText;
  private final AgentOptions options;
  private final ByteBudget budget;
  private final ProcessorShare processors;
  private final LuceneSides sides = new LuceneSides();
  private LuceneTransformer transformer; // null before it is installed
  private Telemetry telemetry; // null before the first side and after the end; guarded by this
  private Optional<ScheduledRate> scheduled = Optional.empty(); // guarded by this
  private volatile boolean detached;

  private AgentProcess(String optionText, AgentOptions options) {
    this.optionText = optionText;
    this.options = options;
    this.budget =
        new ByteBudget(
            BudgetOptions.named("agent")
                .withRate(options.cap().orElse(Rate.UNLIMITED))
                .counting(Counting.ofReads(options.countsReads())));
    this.processors = ProcessorShare.of(options.cores());
  }

  /** Starts the agent; called once by {@link NestedLoader} for each {@code -javaagent}. */
  public static void start(String optionText, Instrumentation instrumentation) {
    AgentProcess agent;
    try {
      agent = new AgentProcess(optionText, AgentOptions.parse(optionText));
    } catch (IllegalArgumentException e) {
      AgentLog.without(e.getMessage());
      return;
    }
    Optional<KnownEngine> engine = KnownEngine.in(ClassLoader.getSystemClassLoader());
    if (engine.isPresent()) {
      AgentLog.without(engine.get().refusal());
    } else if (Hooks.install(agent)) {
      try {
        agent.transformer = LuceneTransformer.install(instrumentation);
      } catch (RuntimeException | LinkageError e) {
        Hooks.remove(agent);
        AgentLog.without("Lucene's classes cannot be changed: " + AgentLog.rootOf(e));
      }
    } else {
      AgentLog.say("a Weir agent runs in this JVM; the second one does nothing: " + optionText);
    }
  }

  @Override
  public Object writerOpening(Class<?> lucene, Object directory, Object config) {
    Optional<LuceneSide> side = side(lucene);
    return side.isPresent() ? side.get().writerOpening(lucene, directory, config) : directory;
  }

  @Override
  public void writerOpened(Class<?> lucene, Object writer) {
    side(lucene).ifPresent(side -> side.writerOpened(lucene, writer));
  }

  @Override
  public void writerClosed(Class<?> lucene, Object writer) {
    side(lucene).ifPresent(side -> side.writerClosed(lucene, writer));
  }

  @Override
  public void managerOpened(Class<?> lucene, Object manager) {
    side(lucene).ifPresent(side -> side.managerOpened(lucene, manager));
  }

  @Override
  public void managerClosed(Class<?> lucene, Object manager) {
    side(lucene).ifPresent(side -> side.managerClosed(lucene, manager));
  }

  @Override
  public Object reopenBegun(Class<?> lucene, Object reader) {
    return side(lucene).map(side -> side.reopenBegun(lucene, reader)).orElse(null);
  }

  @Override
  public void reopenEnded(Class<?> lucene, Object begun, Object result, Throwable failure) {
    side(lucene).ifPresent(side -> side.reopenEnded(lucene, begun, result, failure));
  }

  /** The part beside the Lucene that has this class; empty if it is left alone. */
  private Optional<LuceneSide> side(Class<?> lucene) {
    if (detached) {
      return Optional.empty();
    }
    return sides.get(lucene);
  }

  /**
   * The parts beside each loader of Lucene. Lucene's classes hold them, and nothing else does: a
   * map here would hold the loaders of applications that have ended.
   */
  private final class LuceneSides extends ClassValue<Optional<LuceneSide>> {

    /** The only one of its classes that makes a part; the others ask it. */
    private static final String FIRST = "org.apache.lucene.index.IndexWriter";

    private final Set<Class<?>> known =
        Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    @Override
    protected Optional<LuceneSide> computeValue(Class<?> lucene) {
      known.add(lucene);
      if (lucene.getName().equals(FIRST)) {
        return newSide(lucene.getClassLoader());
      }
      try {
        return get(Class.forName(FIRST, false, lucene.getClassLoader()));
      } catch (ClassNotFoundException | LinkageError e) {
        AgentLog.without("Lucene of " + lucene.getClassLoader() + " cannot be used: " + e);
        return Optional.empty();
      }
    }

    /** Closes all, and has the classes hold none. */
    void close() {
      List<Class<?>> all;
      synchronized (known) {
        all = List.copyOf(known);
      }
      for (Class<?> lucene : all) {
        get(lucene).ifPresent(LuceneSide::close);
        remove(lucene);
      }
    }
  }

  private Optional<LuceneSide> newSide(ClassLoader loader) {
    try {
      Optional<KnownEngine> engine = KnownEngine.in(loader);
      if (engine.isPresent()) {
        AgentLog.without(engine.get().refusal());
        return Optional.empty();
      }
      LuceneVersion version = LuceneVersion.of(loader);
      if (!version.isSupported()) {
        AgentLog.without(
            "Lucene %s is not supported, only %s to %s"
                .formatted(version, LuceneVersion.OLDEST, LuceneVersion.NEWEST));
        return Optional.empty();
      }
      Object side =
          ((NestedLoader) AgentProcess.class.getClassLoader())
              .beside(loader)
              .loadClass(BESIDE_LUCENE)
              .getConstructor(Setup.class)
              .newInstance(setup());
      return Optional.of((LuceneSide) side);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      AgentLog.without("Lucene of " + loader + " cannot be used: " + AgentLog.rootOf(e));
      return Optional.empty();
    }
  }

  private synchronized Setup setup() {
    if (telemetry == null) {
      telemetry = new Telemetry(budget, processors, options.address());
      telemetry.show(this);
      if (!options.schedule().isEmpty() && !detached) {
        RateSchedule schedule = new RateSchedule(options.schedule(), budget.rate());
        scheduled =
            Optional.of(ScheduledRate.begin(schedule, ZoneId.systemDefault(), budget::setRate));
      }
    }
    return new Setup(
        budget,
        processors,
        options.cap().isPresent(),
        options.idleClass(),
        options.slow(),
        telemetry.registry());
  }

  @Override
  public String getOptions() {
    return optionText;
  }

  @Override
  public synchronized String getMetricsAddress() {
    return Optional.ofNullable(telemetry)
        .flatMap(Telemetry::address)
        .map(InetSocketAddress::toString)
        .orElse("");
  }

  @Override
  public List<String> getLines() {
    return AgentLog.lines();
  }

  @Override
  public void detach() {
    detached = true;
    synchronized (this) {
      scheduled.ifPresent(ScheduledRate::close);
    }
    budget.setRate(Rate.UNLIMITED);
    transformer.remove();
    sides.close();
    synchronized (this) {
      if (telemetry != null) {
        telemetry.close();
        telemetry = null;
      }
    }
    Hooks.remove(this);
    AgentLog.say("detached: there is no cap, and nothing is measured");
  }

  /**
   * An engine that Weir has a plug-in for. The agent leaves it alone: the engine guards its own
   * files and threads, and the plug-in does more.
   */
  enum KnownEngine {
    OPENSEARCH("OpenSearch", "org/opensearch/index/engine/Engine.class", "weir-opensearch"),
    ELASTICSEARCH(
        "Elasticsearch", "org/elasticsearch/index/engine/Engine.class", "weir-elasticsearch"),
    SOLR("Solr", "org/apache/solr/core/SolrCore.class", "weir-solr");

    private final String label;
    private final String resource;
    private final String plugin;

    KnownEngine(String label, String resource, String plugin) {
      this.label = label;
      this.resource = resource;
      this.plugin = plugin;
    }

    /** The engine whose classes {@code loader} finds, if any. */
    static Optional<KnownEngine> in(ClassLoader loader) {
      return Arrays.stream(values())
          .filter(engine -> loader.getResource(engine.resource) != null)
          .findFirst();
    }

    /** Why the agent does nothing here. */
    String refusal() {
      return "this is %s: use Weir's plug-in for it, %s (docs/%s.md)"
          .formatted(label, plugin, name());
    }
  }

  /**
   * A version of Lucene, and whether the agent supports it.
   *
   * @param major such as 10
   * @param minor such as 5
   */
  record LuceneVersion(int major, int minor) implements Comparable<LuceneVersion> {

    static final LuceneVersion OLDEST = new LuceneVersion(9, 12);
    static final LuceneVersion NEWEST = new LuceneVersion(10, 6);

    private static final Comparator<LuceneVersion> ORDER =
        Comparator.comparingInt(LuceneVersion::major).thenComparingInt(LuceneVersion::minor);

    /**
     * The version that {@code loader} has, by {@code org.apache.lucene.util.Version.LATEST}.
     *
     * @throws ReflectiveOperationException if that cannot be read
     */
    static LuceneVersion of(ClassLoader loader) throws ReflectiveOperationException {
      return parse(
          Class.forName("org.apache.lucene.util.Version", true, loader)
              .getField("LATEST")
              .get(null)
              .toString());
    }

    static LuceneVersion parse(String text) {
      List<Integer> parts = Arrays.stream(text.split("\\.")).map(Integer::valueOf).toList();
      return new LuceneVersion(parts.get(0), parts.get(1));
    }

    /** Whether it is in the supported range. */
    boolean isSupported() {
      return compareTo(OLDEST) >= 0 && compareTo(NEWEST) <= 0;
    }

    @Override
    public int compareTo(LuceneVersion other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return major + "." + minor;
    }
  }
}
