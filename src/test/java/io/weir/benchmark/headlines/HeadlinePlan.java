package io.weir.benchmark.headlines;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a night measures: on each disk each load, in rounds, each with all arms in turn. One arm in
 * one round is a cell, which is one run of {@code weir stress}.
 *
 * <p>Rounds take the two builds of an index in turn. In each round another arm begins, and an arm
 * without a merge follows the one with it: it lasts as long, after as long a warm-up.
 *
 * @param loads what is measured on each disk
 * @param rounds of each load
 * @param quick with little text and short phases, to see that all works
 * @param has10dot6 whether this version of Weir can run an arm on Lucene 10.6
 */
record HeadlinePlan(List<Place> loads, int rounds, boolean quick, boolean has10dot6) {

  static final String STOCK = "stock";
  private static final String NO_MERGE = ", no merge";
  private static final List<String> BUILDS = List.of("a", "b");

  /** Where an index is. */
  enum Disk {
    /** A cloud volume with its limits. */
    VOLUME("a volume: 125 MiB/s, 3,000 operations/s, 0.8 ms", 4),
    /** One head that seeks. */
    SPINDLE("a spindle: 100 MiB/s, 6 ms a seek", 1),
    /** That of the directory of the benchmarks. */
    OWN("the machine's own", 5);

    private final String described;
    private final int searches;

    Disk(String described, int searches) {
      this.described = described;
      this.searches = searches;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    String described() {
      return described;
    }

    boolean isModel() {
      return this != OWN;
    }
  }

  /** What is asked of an index. */
  enum Load {
    LUCENE_UPDATES("lucene-updates", 1_500_000, "1400M", "-Xms512m -Xmx512m", ""),
    LUCENE_SOFT_UPDATES(
        "lucene-soft-updates", 1_500_000, "1400M", "-Xms512m -Xmx512m", "compound=always, "),
    LUCENE_TEN_TIMES(
        "lucene-ten-times", 1_500_000, "1400M", "-Xms512m -Xmx512m", "updates-per-second=500, "),
    OPENSEARCH("opensearch", 600_000, "1800M", "-Xms700m -Xmx700m", ""),
    ELASTICSEARCH("elasticsearch", 600_000, "1800M", "-Xms700m -Xmx700m", ""),
    SOLR("solr", 600_000, "1800M", "-Xms700m -Xmx700m", "");

    private final String label;
    private final int documents;
    private final String memory;
    private final String heap;
    private final String settings;

    Load(String label, int documents, String memory, String heap, String settings) {
      this.label = label;
      this.documents = documents;
      this.memory = memory;
      this.heap = heap;
      this.settings = settings;
    }

    String label() {
      return label;
    }

    String memory() {
      return memory;
    }

    /** The engine that runs it; empty for plain Lucene. */
    Optional<String> engine() {
      return label.startsWith("lucene") ? Optional.empty() : Optional.of(label);
    }
  }

  /** A load on a disk. */
  record Place(Disk disk, Load load) {

    String label() {
      return disk.label() + "/" + load.label();
    }

    /** All of them, disk by disk. */
    static List<Place> all() {
      List<Place> all = new ArrayList<>();
      for (Disk disk : Disk.values()) {
        for (Load load : Load.values()) {
          all.add(new Place(disk, load));
        }
      }
      return all;
    }

    /**
     * Those that some patterns name, with commas between; {@code *} stands for any text.
     *
     * @throws IllegalArgumentException if one names none
     */
    static List<Place> named(String patterns) {
      List<Place> named = new ArrayList<>();
      for (String pattern : patterns.split(",")) {
        Pattern glob = Pattern.compile(Pattern.quote(pattern.strip()).replace("*", "\\E.*\\Q"));
        List<Place> these =
            all().stream().filter(place -> glob.matcher(place.label()).matches()).toList();
        if (these.isEmpty()) {
          throw new IllegalArgumentException(
              "--only must name loads such as volume/lucene-updates or '*/solr': " + pattern);
        }
        named.addAll(these);
      }
      return all().stream().filter(named::contains).toList();
    }
  }

  /**
   * What runs.
   *
   * @param twin the arm that it follows and lasts as long as; empty for one with a merge
   */
  record Arm(String name, String settings, Optional<String> twin) {}

  /** One arm in one round of a load. */
  record Cell(Place place, int round, Arm arm) {

    String build() {
      return BUILDS.get((round - 1) % BUILDS.size());
    }

    /** Its directory below that of all. */
    String directory() {
      return "%s/round-%d/%s".formatted(place.label(), round, file(arm.name()));
    }

    static String file(String arm) {
      return arm.replaceAll("[^A-Za-z0-9.]+", "-");
    }
  }

  /** The arms of a load, in the order in which the table has them. */
  List<Arm> arms(Load load) {
    List<Arm> arms = new ArrayList<>();
    withTwin(arms, STOCK, "preset=stock, ");
    withTwin(arms, "weir", "");
    if (has10dot6 && load.engine().isEmpty()) {
      arms.add(new Arm("stock, Lucene 10.6", "preset=stock, lucene=10.6.0, ", Optional.empty()));
    }
    return arms;
  }

  private static void withTwin(List<Arm> arms, String name, String settings) {
    arms.add(new Arm(name, settings, Optional.empty()));
    arms.add(new Arm(name + NO_MERGE, settings + "merge=none, ", Optional.of(name)));
  }

  /** All cells, in the order in which they run. */
  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Place place : loads) {
      for (int round = 1; round <= rounds; round++) {
        List<Arm> merging =
            new ArrayList<>(
                arms(place.load()).stream().filter(arm -> arm.twin().isEmpty()).toList());
        Collections.rotate(merging, 1 - round);
        for (Arm arm : merging) {
          cells.add(new Cell(place, round, arm));
          for (Arm twin : arms(place.load())) {
            if (twin.twin().equals(Optional.of(arm.name()))) {
              cells.add(new Cell(place, round, twin));
            }
          }
        }
      }
    }
    return cells;
  }

  /**
   * What a cell asks of {@code weir stress}, besides its index, its engine and its directory.
   *
   * @param warmUp how long the arm with the merge warmed up, for its twin
   * @param during how long its merge took, likewise
   */
  List<String> options(Cell cell, Optional<Duration> warmUp, Optional<Duration> during) {
    Load load = cell.place().load();
    List<String> options = new ArrayList<>();
    options.add("--docs=synthetic:" + (quick ? 20_000 : load.documents));
    options.add("--seed=" + (1 + BUILDS.indexOf(cell.build())));
    options.add("--warmup=" + millis(warmUp.orElse(Duration.ofSeconds(quick ? 1 : 40))));
    options.add("--before=" + (quick ? "1s" : "20s"));
    options.add("--after=" + (quick ? "1s" : "20s"));
    during.ifPresent(time -> options.add("--during=" + millis(time)));
    options.add("--cache=cold");
    if (load == Load.LUCENE_SOFT_UPDATES) {
      options.add("--mode=soft-update");
    }
    int searches = load.engine().isPresent() ? 0 : cell.place().disk().searches;
    options.add("--searches-per-second=" + searches);
    options.add(
        "--arm=%s: %s%sjvm-args=%s"
            .formatted(cell.arm().name(), cell.arm().settings(), load.settings, load.heap));
    return options;
  }

  private static String millis(Duration time) {
    return time.toMillis() + "ms";
  }
}
