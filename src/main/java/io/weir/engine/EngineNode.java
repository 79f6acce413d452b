package io.weir.engine;

import io.micrometer.core.instrument.Tags;
import io.weir.control.ReadersFirst;
import io.weir.option.HumanCores;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentKeys;
import io.weir.store.SmallFilesOptions;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * What the shards of a node share: the budget, the decision that readers go first, the meters, and
 * a list of the open shards.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> a shard adds and removes itself; the plug-in closes the
 * node after its shards. <b>Failure:</b> a shard for which a layer cannot be made opens without
 * Weir's directory; that is logged.
 */
public final class EngineNode implements Closeable {

  /** The name of the setting that {@link #setIdleClass} takes. */
  public static final String IDLE_CLASS = "weir.merge.idle_class";

  /** The name of the setting that {@link #setCores} takes. */
  public static final String CPU = "weir.merge.cpu";

  /** The word for no limit of cores. */
  public static final String NO_LIMIT = "-1";

  private static final System.Logger LOGGER = System.getLogger(EngineNode.class.getPackageName());

  private final ByteBudget budget;
  private final NodeCap cap;
  private final ProcessorShare processors = ProcessorShare.unlimited();
  private final ReadersFirst readersFirst = new ReadersFirst();
  private final Duration slowRefresh;
  private final Optional<ResidentKeys> keys;
  private final Set<EngineShard> shards = ConcurrentHashMap.newKeySet();
  private boolean idleClass; // guarded by the shards
  private volatile Optional<NodeMeters> meters = Optional.empty();

  /**
   * For a node without shards.
   *
   * @param cap of all merges together, outside the hours that have one of their own
   * @param zone of those hours
   * @param slowRefresh from when on a refresh is slow: {@link SlowRefreshes#THRESHOLD}
   * @param keys whose dictionaries the shards hold in memory, if any
   */
  public EngineNode(Rate cap, ZoneId zone, Duration slowRefresh, Optional<ResidentKeys> keys) {
    this.budget = new ByteBudget(BudgetOptions.named("node").withRate(cap));
    this.cap = new NodeCap(budget, zone);
    this.slowRefresh = SlowRefreshes.requireInRange(slowRefresh);
    this.keys = Objects.requireNonNull(keys, "keys");
  }

  /** What all merges of this node share. */
  public ByteBudget budget() {
    return budget;
  }

  /** Sets the rate of that budget. */
  public NodeCap cap() {
    return cap;
  }

  /**
   * Sets whether the cap holds what merges read as well, for merges that begin from now on. Without
   * this call it holds only what they write.
   */
  public void setCountsReads(boolean countsReads) {
    budget.setCounting(Counting.ofReads(countsReads));
  }

  /**
   * Sets whether merges of all shards compute in Linux's class {@code SCHED_IDLE}; without this
   * call they do not. Merges that run can leave it, and not enter it.
   */
  public void setIdleClass(boolean idle) {
    synchronized (shards) { // so that no shard opens in between with the old one
      idleClass = idle;
      shards.forEach(shard -> shard.tracker().setIdleClass(idle));
    }
  }

  /** Sets how many cores all merges may use together; empty for no limit, as without this call. */
  public void setCores(OptionalDouble cores) {
    Objects.requireNonNull(cores, "cores");
    cores.ifPresentOrElse(processors::setCores, processors::setUnlimited);
  }

  /** The value of {@link #CPU}. */
  public static OptionalDouble cores(String text) {
    return HumanCores.parse(CPU, text, NO_LIMIT);
  }

  /** Makes merges yield to readers. */
  public ReadersFirst readersFirst() {
    return readersFirst;
  }

  /**
   * Starts the meters of the node and of the shards that open from now on, at the first call. Call
   * it if the meters are read; all readers share them.
   */
  public synchronized NodeMeters startMeters() {
    if (meters.isEmpty()) {
      meters = Optional.of(new NodeMeters(budget, processors));
    }
    return meters.get();
  }

  /**
   * Puts Weir's layers above the directory of a shard.
   *
   * @param files of the engine; an {@link FSDirectory} reads all files unchanged, whatever its
   *     class
   */
  public Directory directory(Directory files) {
    try {
      DirectoryPlan plan = DirectoryPlan.recommended(budget);
      if (keys.isPresent()) {
        plan = plan.withKeys(keys.get());
      }
      if (files instanceof FSDirectory disk) {
        plan = plan.withSmallFiles(SmallFilesOptions.DEFAULT, disk.getDirectory());
      }
      return plan.over(files);
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(Level.WARNING, files + " works without Weir's components", e);
      return files;
    }
  }

  /** Changes the share of the cap that each open shard of an index has. */
  public void setShareWeight(String indexUuid, int weight) {
    synchronized (shards) { // so that no shard opens in between with the old one
      for (EngineShard shard : shards) {
        if (shard.name().indexUuid().equals(indexUuid)) {
          shard.setShareWeight(weight);
        }
      }
    }
  }

  /**
   * Answers a request on this node.
   *
   * @param indexes names; none for all
   * @return the figures of the node, if they were requested, and under {@code indices} the answers
   *     of the shards by index and number
   */
  public Map<String, Object> answer(ShardAction action, String... indexes) {
    Set<String> wanted = Set.copyOf(List.of(indexes));
    Map<String, Map<String, Object>> answers = new TreeMap<>();
    for (EngineShard shard : shards) {
      ShardName name = shard.name();
      if (wanted.isEmpty() || wanted.contains(name.index())) {
        action
            .answerOf(shard)
            .ifPresent(
                answer ->
                    answers
                        .computeIfAbsent(name.index(), index -> new TreeMap<>())
                        .put(Integer.toString(name.number()), answer));
      }
    }
    Map<String, Object> figures =
        action == ShardAction.STATS
            ? Figures.ofNode(
                budget, cap, processors, keys.isPresent(), readersFirst, hasIdleClass())
            : Figures.of();
    figures.put("indices", answers);
    return figures;
  }

  private boolean hasIdleClass() {
    synchronized (shards) {
      return idleClass;
    }
  }

  /** From when on a refresh is slow; negative if none is. */
  Duration slowRefresh() {
    return slowRefresh;
  }

  void add(EngineShard shard) {
    synchronized (shards) {
      shards.add(shard);
      shard.updateShareWeight();
      shard.tracker().setIdleClass(idleClass);
      shard.tracker().setProcessorShare(processors);
    }
    meters.ifPresent(
        all ->
            all.add(
                shard,
                shard.tracker(),
                shard.directory(),
                shard.refreshes(),
                Tags.of(
                    "index",
                    shard.name().index(),
                    "shard",
                    Integer.toString(shard.name().number()))));
  }

  void remove(EngineShard shard) {
    meters.ifPresent(all -> all.remove(shard));
    shards.remove(shard);
  }

  @Override
  public void close() {
    cap.close();
    meters.ifPresent(NodeMeters::close);
  }
}
