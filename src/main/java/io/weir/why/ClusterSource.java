package io.weir.why;

import io.weir.procfs.Procfs;
import io.weir.rest.EngineAddress;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.run.FailureWords;
import io.weir.time.NanoClock;
import io.weir.why.ClusterApi.Described;
import io.weir.why.ClusterApi.Node;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;

/**
 * A cluster of a search engine, asked over HTTP. What is answered is that of one node: of the node
 * whose JVM is on this machine and can be attached to, which then gives the stacks; else of the
 * node whose refreshes took most of the time.
 *
 * <p><b>Pace.</b> Stacks are asked for at {@link #STACKS_NANOS} after the last answer or later,
 * counters at {@link #COUNTERS_NANOS}, and both so rarely that answers take at most {@link
 * #MOST_SHARE} of the time each.
 */
final class ClusterSource implements Source {

  static final long STACKS_NANOS = 500_000_000;
  static final long COUNTERS_NANOS = 1_000_000_000;
  static final double MOST_SHARE = 0.1;

  /** A node that takes longer is not to be asked more. */
  private static final Duration ANSWERING = Duration.ofSeconds(15);

  /** Of the stacks of 64 busy nodes. */
  private static final int MOST_BYTES = 32 << 20;

  private static final int MOST_NODES = 64;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final EngineAddress address;
  private final EngineClient client;
  private final ClusterApi api;
  private final Procfs kernel;
  private final NanoClock clock;
  private final Optional<Duration> record;
  private final Map<String, NodeWatch> watches = new LinkedHashMap<>(); // by the ids of nodes
  private Described described; // from open on
  private Optional<Node> attached = Optional.empty();
  private final List<String> unseen = new ArrayList<>();
  private long nextStacksNanos = Long.MIN_VALUE;
  private long nextCountersNanos = Long.MIN_VALUE;
  private int asked;

  ClusterSource(EngineAddress address, Procfs kernel, NanoClock clock, Optional<Duration> record) {
    this.address = address;
    this.client = new EngineClient(address.url(), address.login(), ANSWERING, MOST_BYTES);
    this.api = address.isSolr() ? new SolrApi(client) : new RestApi(client);
    this.kernel = kernel;
    this.clock = clock;
    this.record = record;
  }

  @Override
  public String name() {
    return "the cluster at " + address.url();
  }

  @Override
  public List<Source> open() throws WhyException {
    try {
      described = api.describe();
      api.counters();
      api.stacks();
    } catch (IOException e) {
      throw refusal(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WhyException("interrupted", e);
    }
    List<Source> beside = new ArrayList<>();
    for (Node node : described.nodes()) {
      OptionalLong pid = LocalJvm.of(node, kernel);
      if (pid.isPresent() && beside.isEmpty()) {
        Source jvm = Source.process(pid.getAsLong(), kernel, clock, record);
        try {
          jvm.open();
          beside.add(jvm);
          attached = Optional.of(node);
        } catch (WhyException e) {
          unseen.add(
              "The JVM of node %s, which is here: %s.".formatted(node.name(), e.getMessage()));
        }
      }
    }
    return beside;
  }

  /** What keeps a cluster from being asked, with its remedy. */
  private WhyException refusal(IOException failure) {
    String said = FailureWords.of(failure);
    int status = failure instanceof EngineException refused ? refused.status() : 0;
    if (status == UNAUTHORIZED) {
      said =
          address.login().isPresent()
              ? "%s does not accept the name and the password".formatted(name())
              : "%s asks for a name and a password: give them by WEIR_TARGET_USER and WEIR_TARGET_PASSWORD"
                  .formatted(name());
    } else if (status == FORBIDDEN) {
      said = "the user needs %s (%s)".formatted(api.privilege(), said);
    } else if (isOfCertificates(failure)) {
      said += "; trust its certificate by JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=FILE";
    }
    return new WhyException("URL must be a search engine that can be asked: " + said, failure);
  }

  /** What may be in the answer: the words of an engine may name indexes. */
  static String said(IOException failure) {
    return failure instanceof EngineException refused && refused.status() > 0
        ? "it refused with status " + refused.status()
        : FailureWords.of(failure);
  }

  private static boolean isOfCertificates(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .limit(10)
        .anyMatch(SSLHandshakeException.class::isInstance);
  }

  @Override
  public long look(long nowNanos) throws IOException {
    try {
      if (nowNanos >= nextCountersNanos) {
        Map<String, Map<NodeWatch.Counter, Double>> counters = api.counters();
        long end = clock.nanoTime();
        counters.forEach(
            (id, values) -> watch(id, nowNanos).ifPresent(watch -> watch.addCounters(end, values)));
        nextCountersNanos = next(nowNanos, end, COUNTERS_NANOS);
        asked++;
      }
      long from = clock.nanoTime();
      if (attached.isEmpty() && from >= nextStacksNanos) {
        Map<String, List<ThreadDump.Thread>> stacks = api.stacks();
        long end = clock.nanoTime();
        stacks.forEach(
            (id, threads) ->
                watch(id, nowNanos).ifPresent(watch -> watch.addStacks(from, end, threads)));
        nextStacksNanos = next(from, end, STACKS_NANOS);
        asked++;
      }
      return attached.isEmpty() ? Math.min(nextStacksNanos, nextCountersNanos) : nextCountersNanos;
    } catch (IOException e) {
      throw new IOException("the cluster gave no answer: " + said(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the look was interrupted", e);
    }
  }

  private static long next(long fromNanos, long toNanos, long leastNanos) {
    return toNanos + Math.max(leastNanos, Math.round((toNanos - fromNanos) / MOST_SHARE));
  }

  private Optional<NodeWatch> watch(String id, long nowNanos) {
    return watches.containsKey(id) || watches.size() < MOST_NODES
        ? Optional.of(watches.computeIfAbsent(id, added -> new NodeWatch(nowNanos)))
        : Optional.empty();
  }

  @Override
  public Observation seen(double seconds) {
    Optional<String> slowest =
        watches.entrySet().stream()
            .max(Comparator.comparingDouble(watch -> watch.getValue().refreshMillis()))
            .map(Map.Entry::getKey);
    Optional<String> shown = attached.map(Node::id).or(() -> slowest);
    NodeWatch watch = shown.map(watches::get).orElseGet(() -> new NodeWatch(clock.nanoTime()));
    StackWatch stacks = watch.end();
    Map<Fact, Double> facts = new LinkedHashMap<>(described.facts());
    facts.putAll(watch.facts());
    meanSegments().ifPresent(mean -> facts.put(Fact.SEGMENTS, mean));
    if (attached.isEmpty()) {
      facts.putIfAbsent(Fact.STACKS, 0.0);
    }
    if (!shown.equals(slowest) && slowest.isPresent()) {
      unseen.add(
          "Why refreshes take more of the time on node %s than here: run weir why there."
              .formatted(name(slowest.get())));
    }
    shown.ifPresent(this::sayWhatIsNotSeenOf);
    Map<String, String> about = new LinkedHashMap<>(described.about());
    shown.ifPresent(id -> about.put("node", name(id)));
    return new Observation(
        facts,
        stacks.tally().stacks(stacks.refreshNanos()),
        watch.series(),
        about,
        unseen,
        List.of(
            "the cluster answered %d times".formatted(asked)
                + (attached.isPresent() ? "" : "; stacks stop each JVM for some milliseconds")));
  }

  /** Of the shards of all nodes: the largest has at least as many. */
  private OptionalDouble meanSegments() {
    double shards = described.facts().getOrDefault(Fact.CLUSTER_SHARDS, 0.0);
    double segments =
        watches.values().stream()
            .mapToDouble(watch -> watch.facts().getOrDefault(Fact.NODE_SEGMENTS, 0.0))
            .sum();
    return shards > 0 && segments > 0
        ? OptionalDouble.of(segments / shards)
        : OptionalDouble.empty();
  }

  private void sayWhatIsNotSeenOf(String id) {
    if (described.nodes().size() > 1) {
      unseen.add(
          "The other nodes: this is node %s of %d%s."
              .formatted(
                  name(id),
                  described.nodes().size(),
                  attached.isPresent() ? ", which is here" : ", whose refreshes took most time"));
    }
    unseen.addAll(described.unseen());
    if (attached.isPresent()) {
      return;
    }
    unseen.add(
        "The kernel, the disk and the page cache of node %s: run weir why %s on its machine."
                .formatted(
                    name(id),
                    node(id)
                        .map(Node::pid)
                        .filter(OptionalLong::isPresent)
                        .map(pid -> Long.toString(pid.getAsLong()))
                        .orElse("PID"))
            + (record.isEmpty() ? "" : " So --record has no JVM to record; add it there."));
    unseen.add(
        "Times of single refreshes: stacks are asked for at most twice a second."
            + (address.isSolr() ? "" : " Hot threads do not say which threads wait for a lock."));
  }

  private Optional<Node> node(String id) {
    return described.nodes().stream().filter(node -> node.id().equals(id)).findFirst();
  }

  private String name(String id) {
    return node(id).map(Node::name).orElse(id);
  }

  @Override
  public void close() {
    client.close();
  }
}
