package io.weir.indexing.report;

import io.weir.report.words.Figures;
import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunWarning;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a reader of a run of {@code weir index} must know, each once, with the cells it is about.
 */
final class IndexingNotes {

  private IndexingNotes() {}

  /** Why a cell has no figures. */
  static String failure(Part cell, Failure failure) {
    return "%s, round %d: %s".formatted(cell.name(), cell.round(), failure.reason());
  }

  /** What makes figures doubtful. */
  static List<String> noise(Run run) {
    Sightings sightings = new Sightings();
    run.findings().forEach(finding -> sightings.add("", finding));
    for (Part cell : run.parts()) {
      cell.findings().forEach(finding -> sightings.add(who(cell), finding));
    }
    return sightings.sentences();
  }

  /** Warnings. */
  static List<String> warnings(Run run) {
    Sightings sightings = new Sightings();
    run.warnings().forEach(warning -> sightings.add("", warning));
    for (Part cell : run.parts()) {
      cell.warnings().forEach(warning -> sightings.add(who(cell), warning));
    }
    return sightings.sentences();
  }

  private static String who(Part cell) {
    return cell.name() + ", round " + cell.round() + ": ";
  }

  /** Findings of one cause are one note: the first of them, and how many more there are. */
  private static final class Sightings {

    private record Kind(String cause, String remedy) {}

    private final Map<Kind, List<String>> found = new LinkedHashMap<>();

    void add(String who, RunWarning warning) {
      found
          .computeIfAbsent(new Kind(warning.cause(), warning.remedy()), kind -> new ArrayList<>())
          .add(who + warning.what());
    }

    List<String> sentences() {
      List<String> sentences = new ArrayList<>();
      found.forEach(
          (kind, all) ->
              sentences.add(
                  "%s%s (cause: %s; remedy: %s)"
                      .formatted(
                          all.getFirst(),
                          all.size() == 1
                              ? ""
                              : "; seen %s more, see run.json"
                                  .formatted(Figures.count(all.size() - 1, "time")),
                          kind.cause(),
                          kind.remedy())));
      return sentences;
    }
  }
}
