package io.weir.report.compare;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.run.HeaderFigures;
import io.weir.run.Part;
import io.weir.run.ResidentShares;
import io.weir.run.Run;
import io.weir.run.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether two runs may be compared: they need the same work on the same machine.
 *
 * @param obstacles differences that forbid a comparison; empty if the runs may be compared
 * @param changes differences that a comparison allows, such as versions and settings of arms: they
 *     may be its subject, or may explain its result
 */
record Comparability(List<String> obstacles, List<String> changes) {

  /** The entries of a workload that may differ: rounds, their order and the sizes of indexes. */
  private static final Predicate<String> FREE_WORKLOAD =
      Pattern.compile("rounds|order|indexBytes(-\\w+)*").asMatchPredicate();

  /** JSON pointers into the environment: entries that identify the machine. */
  private static final List<String> MACHINE =
      List.of(
          "/cpu/model",
          "/cpu/logicalCores",
          "/virtualization",
          "/storage/fileSystemType",
          "/storage/mount",
          "/storage/device",
          "/storage/diskModel",
          "/storage/totalBytes",
          "/dirtySettings/dirtyRatioPercent",
          "/dirtySettings/dirtyBackgroundRatioPercent",
          "/dirtySettings/dirtyBytes",
          "/dirtySettings/dirtyBackgroundBytes",
          "/dirtySettings/dirtyExpireCentisecs",
          "/dirtySettings/dirtyWritebackCentisecs",
          "/cgroup/memoryLimitBytes");

  /** Entries that may differ, because a comparison may be about an upgrade. */
  private static final List<String> SOFTWARE = List.of("/kernel", "/os/version", "/jvm/version");

  /** The memory that a kernel manages depends a little on the kernel. */
  private static final double MEMORY_TOLERANCE = 0.01;

  /** Queries of single terms, which differ with the segments of an index. */
  private static final String TERMS = "terms";

  static Comparability of(Run base, Run other) {
    List<String> obstacles = new ArrayList<>();
    Predicate<String> ofArms = settingsOfArms(base).or(settingsOfArms(other));
    maps(obstacles, "", base.workload(), other.workload(), FREE_WORKLOAD.or(ofArms));
    for (String pointer : MACHINE) {
      add(obstacles, name(pointer), text(base, pointer), text(other, pointer));
    }
    double memory = at(base, "/memoryBytes").asDouble();
    if (Math.abs(memory - at(other, "/memoryBytes").asDouble()) > MEMORY_TOLERANCE * memory) {
      add(obstacles, "memoryBytes", text(base, "/memoryBytes"), text(other, "/memoryBytes"));
    }
    List<String> changes = new ArrayList<>();
    queries(obstacles, changes, base.values(), other.values());
    add(changes, "weir", Optional.of(base.weir()), Optional.of(other.weir()));
    add(changes, "lucene", Optional.of(base.lucene()), Optional.of(other.lucene()));
    for (String pointer : SOFTWARE) {
      add(changes, name(pointer), text(base, pointer), text(other, pointer));
    }
    Map<String, Map<String, String>> settings = settings(other);
    settings(base)
        .forEach(
            (arm, mine) -> {
              if (settings.containsKey(arm)) {
                maps(changes, "arm " + arm + ": ", mine, settings.get(arm), name -> false);
              }
            });
    residentShares(changes, base, other);
    return new Comparability(List.copyOf(obstacles), List.copyOf(changes));
  }

  /** The workload repeats some settings of arms. They are compared arm by arm, and may differ. */
  private static Predicate<String> settingsOfArms(Run run) {
    return name -> run.parts().stream().anyMatch(arm -> arm.settings().containsKey(name));
  }

  private static Map<String, Map<String, String>> settings(Run run) {
    Map<String, Map<String, String>> settings = new TreeMap<>();
    for (Part arm : run.parts()) {
      settings.putIfAbsent(arm.name(), arm.settings());
    }
    return settings;
  }

  /**
   * Other queries are other work. Single terms are drawn by segment, however, and a rebuilt index
   * has other segments: then the difference is a change.
   */
  private static void queries(
      List<String> obstacles, List<String> changes, Values base, Values other) {
    Optional<String> sha256 = base.get(HeaderFigures.QUERIES_SHA256);
    if (sha256.isPresent() && sha256.equals(other.get(HeaderFigures.QUERIES_SHA256))) {
      return; // drawn in one run, say, and given to the other
    }
    boolean bothTerms =
        Stream.of(base, other)
            .allMatch(
                queries -> queries.get(HeaderFigures.QUERIES_KIND).equals(Optional.of(TERMS)));
    add(bothTerms ? changes : obstacles, "queries", text(base), text(other));
  }

  private static Optional<String> text(Values queries) {
    return queries
        .get(HeaderFigures.QUERIES_KIND)
        .map(
            kind ->
                "%s, %d with sha256 %s"
                    .formatted(
                        kind,
                        queries.require(HeaderFigures.QUERIES_COUNT),
                        queries.require(HeaderFigures.QUERIES_SHA256)));
  }

  /** The requested state of the cache is a setting; the actual state may differ from it. */
  private static void residentShares(List<String> changes, Run base, Run other) {
    Map<String, Double> shares = ResidentShares.of(other.parts()).byArm();
    ResidentShares.of(base.parts())
        .byArm()
        .forEach(
            (arm, share) -> {
              double then = shares.getOrDefault(arm, share);
              if (Math.abs(share - then) > ResidentShares.TOLERANCE) {
                changes.add(
                    String.format(
                        Locale.ROOT,
                        "arm %s: index in the page cache when it was opened: %.0f %%, then %.0f %%",
                        arm,
                        100 * share,
                        100 * then));
              }
            });
  }

  private static void maps(
      List<String> list,
      String where,
      Map<String, String> base,
      Map<String, String> other,
      Predicate<String> free) {
    Set<String> names = new TreeSet<>(base.keySet());
    names.addAll(other.keySet());
    names.removeIf(free);
    names.forEach(
        name ->
            add(
                list,
                where + name,
                Optional.ofNullable(base.get(name)),
                Optional.ofNullable(other.get(name))));
  }

  private static void add(
      List<String> list, String name, Optional<String> base, Optional<String> other) {
    String first = base.orElse("none");
    String second = other.orElse("none");
    if (!first.equals(second)) {
      list.add("%s: %s, then %s".formatted(name, first, second));
    }
  }

  private static JsonNode at(Run run, String pointer) {
    return run.environment().at(pointer);
  }

  private static Optional<String> text(Run run, String pointer) {
    return Optional.of(at(run, pointer))
        .filter(node -> !node.isMissingNode() && !node.isNull())
        .map(JsonNode::asText);
  }

  private static String name(String pointer) {
    return pointer.substring(1).replace('/', '.');
  }
}
