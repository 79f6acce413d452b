package io.weir.benchmark.enginebulk;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Documents into an empty index of a running OpenSearch or Elasticsearch node that has the plug-in,
 * by two clients, until the last merge has ended and is on the disk: an index of the engine's own
 * store and one of Weir's, in turn and back (A B B A).
 *
 * <p>Both indexes are in one JVM, so what its compiler makes of Lucene holds for both. It deletes
 * each index that it made.
 */
public final class EngineBulkBenchmark implements Benchmark {

  private static final String URL = "url";
  private static final String DOCUMENTS = "documents";
  private static final String PAIRS = "pairs";
  private static final String ORDER = "order";
  private static final String IN_TURN = "in-turn";
  private static final String TOGETHER = "together";
  private static final int WARMUPS = 2;
  private static final int CLIENTS = 2;

  /**
   * One bulk indexing of all documents.
   *
   * @param cpuSeconds processor time of the server, whatever it did
   * @param threadSeconds what the engine says its threads spent on the index
   */
  record Trial(
      double wallSeconds, double cpuSeconds, double threadSeconds, double mergedDocuments) {}

  /** The store of an index. */
  enum Store {
    STOCK("the engine's own"),
    WEIR("weir, unlimited");

    private final String title;

    Store(String title) {
      this.title = title;
    }
  }

  @Override
  public String name() {
    return "engine-bulk";
  }

  @Override
  public String summary() {
    return "bulk indexing in a server with the plug-in: its own store and Weir's";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(URL, "of the node; http://127.0.0.1:9200 by default");
    options.put(DOCUMENTS, "of each index; 100000 by default");
    options.put(PAIRS, "that count, after " + WARMUPS + "; 10 by default");
    options.put(ORDER, IN_TURN + " by default; " + TOGETHER + ": both indexes at once");
    return options;
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    URI url = URI.create(conditions.options().getOrDefault(URL, "http://127.0.0.1:9200"));
    int documents = number(conditions, DOCUMENTS, conditions.quick() ? 2_000 : 100_000);
    int pairs = number(conditions, PAIRS, conditions.quick() ? 1 : 10);
    String order = conditions.options().getOrDefault(ORDER, IN_TURN);
    if (!List.of(IN_TURN, TOGETHER).contains(order)) {
      throw new IllegalArgumentException(
          "--%s must be %s or %s: %s".formatted(ORDER, IN_TURN, TOGETHER, order));
    }
    EngineNode node = new EngineNode(url);
    conditions.progress().println("engine-bulk: making the documents");
    List<byte[]> bulks = BulkBodies.of(documents);
    Map<Store, List<Trial>> trials = new EnumMap<>(Store.class);
    for (int pair = conditions.quick() ? 0 : -WARMUPS; pair < pairs; pair++) {
      List<Store> stores = pair % 2 == 0 ? List.of(Store.values()) : reversed();
      Map<Store, Trial> trialsOfPair =
          order.equals(TOGETHER)
              ? node.indexTogether(stores, bulks, documents)
              : inTurn(node, stores, bulks, documents);
      for (Map.Entry<Store, Trial> trial : trialsOfPair.entrySet()) {
        if (pair >= 0) {
          trials.computeIfAbsent(trial.getKey(), s -> new ArrayList<>()).add(trial.getValue());
        }
        conditions.progress().println(progress(pair, trial.getKey(), trial.getValue()));
      }
    }
    return table(node.version(), documents, order, trials);
  }

  private static Map<Store, Trial> inTurn(
      EngineNode node, List<Store> stores, List<byte[]> bulks, int documents)
      throws IOException, InterruptedException {
    Map<Store, Trial> trials = new LinkedHashMap<>();
    for (Store store : stores) {
      trials.put(store, node.index(store, bulks, documents, CLIENTS));
    }
    return trials;
  }

  private static List<Store> reversed() {
    return List.of(Store.values()).reversed();
  }

  private static String progress(int pair, Store store, Trial trial) {
    return String.format(
        Locale.ROOT,
        "engine-bulk: %s, %s: wall %.2f s, processor %.2f s, threads %.2f s, %.0f documents merged",
        pair < 0 ? "warm-up" : "pair " + (pair + 1),
        store.title,
        trial.wallSeconds(),
        trial.cpuSeconds(),
        trial.threadSeconds(),
        trial.mergedDocuments());
  }

  private static TextTable table(
      String version, int documents, String order, Map<Store, List<Trial>> trials) {
    TextTable table =
        new TextTable(
            "engine-bulk: %s, %d pairs (%s), %d documents"
                .formatted(version, trials.get(Store.STOCK).size(), order, documents),
            1,
            "store",
            "wall s, median",
            "ratio",
            "95 % interval",
            "threads s, median",
            "ratio",
            "95 % interval",
            "processor s, median",
            "ratio",
            "95 % interval",
            "merges of a document");
    for (Store store : Store.values()) {
      PairedRatios wall = ratios(trials, store, Trial::wallSeconds);
      PairedRatios threads = ratios(trials, store, Trial::threadSeconds);
      PairedRatios cpu = ratios(trials, store, Trial::cpuSeconds);
      table.row(
          store.title,
          figure(PairedRatios.median(figures(trials.get(store), Trial::wallSeconds))),
          figure(wall.median()),
          figure(wall.low()) + " to " + figure(wall.high()),
          figure(PairedRatios.median(figures(trials.get(store), Trial::threadSeconds))),
          figure(threads.median()),
          figure(threads.low()) + " to " + figure(threads.high()),
          figure(PairedRatios.median(figures(trials.get(store), Trial::cpuSeconds))),
          order.equals(TOGETHER) ? "" : figure(cpu.median()), // it works for both
          order.equals(TOGETHER) ? "" : figure(cpu.low()) + " to " + figure(cpu.high()),
          figure(
              PairedRatios.median(figures(trials.get(store), Trial::mergedDocuments)) / documents));
    }
    return table
        .note("wall: from the first request until no merge runs, and a flush")
        .note("two clients; one of each index when they are filled together")
        .note("together is unfair where a refresh waits for merges, as in OpenSearch: use in-turn")
        .note("a refresh after each tenth, and no others, so that all runs merge the same segments")
        .note("threads: time that the engine says its threads spent on the index, merges included")
        .note("processor: of the server, in that time; both indexes' when they are filled together")
        .note("ratio: the median over the pairs; the interval is the bootstrap's");
  }

  private static PairedRatios ratios(
      Map<Store, List<Trial>> trials, Store store, ToDoubleFunction<Trial> figure) {
    return PairedRatios.of(
        figures(trials.get(store), figure), figures(trials.get(Store.STOCK), figure));
  }

  private static double[] figures(List<Trial> trials, ToDoubleFunction<Trial> figure) {
    return trials.stream().mapToDouble(figure).toArray();
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  private static int number(Conditions conditions, String option, int normal) {
    String text = conditions.options().get(option);
    try {
      int number = text == null ? normal : Integer.parseInt(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "--" + option + " must be a whole number of 1 or more: '" + text + "'");
  }
}
