package io.weir.report.words;

import io.weir.run.Part;
import io.weir.run.RunWarning;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reader of the figures must know, each said once for all arms and rounds.
 *
 * <p>Warnings with the same cause and the same remedy are one note. Inside a note, sentences that
 * differ in their numbers only are one finding, with ranges for numbers.
 *
 * @param notes in the order in which they first appear
 * @param concerned how many arm runs have at least one
 * @param armRuns how many there are
 */
public record Notes(List<Note> notes, int concerned, int armRuns) {

  /**
   * One reason to read the figures with care.
   *
   * @param findings what was seen; at least one
   * @param cause the likely cause
   * @param remedy what helps
   */
  public record Note(List<Finding> findings, Optional<String> cause, Optional<String> remedy) {}

  /**
   * Something that was seen.
   *
   * @param what a sentence without a full stop
   * @param where {@code in rounds 1, 3 of arm stock}; empty when it concerns no arm
   */
  public record Finding(String what, String where) {

    /** Both, with a comma between. */
    public String sentence() {
      return where.isEmpty() ? what : what + ", " + where;
    }
  }

  /** The warnings of one arm in one round. */
  record OfArm(String arm, int round, List<RunWarning> warnings) {}

  /** One warning, of an arm run or of the run. */
  private record Sighting(Optional<ArmRuns.One> run, RunWarning warning) {}

  /** Whether there are none. */
  public boolean isEmpty() {
    return notes.isEmpty();
  }

  /** {@code 3 findings, in 4 of 6 arm runs}. */
  public String count(String one) {
    long findings = notes.stream().mapToLong(note -> note.findings().size()).sum();
    String count = Figures.count(findings, one);
    return concerned == 0 || armRuns == 1
        ? count
        : "%s, in %d of %d arm runs".formatted(count, concerned, armRuns);
  }

  static Notes of(
      List<RunWarning> ofRun, List<Part> parts, Function<Part, List<RunWarning>> warnings) {
    return of(
        ofRun,
        parts.stream()
            .map(part -> new OfArm(part.name(), part.round(), warnings.apply(part)))
            .toList());
  }

  /**
   * Those of a run.
   *
   * @param ofRun what concerns no arm
   * @param arms all arm runs, also those without a warning
   */
  static Notes of(List<RunWarning> ofRun, List<OfArm> arms) {
    List<Sighting> sightings = new ArrayList<>();
    ofRun.forEach(warning -> sightings.add(new Sighting(Optional.empty(), warning)));
    int concerned = 0;
    for (OfArm arm : arms) {
      for (RunWarning warning : arm.warnings()) {
        sightings.add(new Sighting(Optional.of(one(arm)), warning));
      }
      concerned += arm.warnings().isEmpty() ? 0 : 1;
    }
    Map<List<String>, List<Sighting>> groups = new LinkedHashMap<>();
    for (Sighting sighting : sightings) {
      groups
          .computeIfAbsent(
              List.of(
                  NumberRanges.template(cause(sighting)), NumberRanges.template(remedy(sighting))),
              key -> new ArrayList<>())
          .add(sighting);
    }
    ArmRuns all = ArmRuns.of(arms.stream().map(Notes::one).toList());
    return new Notes(
        groups.values().stream().map(group -> note(group, all)).toList(), concerned, all.count());
  }

  private static ArmRuns.One one(OfArm arm) {
    return new ArmRuns.One(arm.arm(), arm.round());
  }

  private static Note note(List<Sighting> group, ArmRuns all) {
    Map<String, List<Sighting>> alike = new LinkedHashMap<>();
    for (Sighting sighting : group) {
      alike
          .computeIfAbsent(
              NumberRanges.template(sighting.warning().what()), key -> new ArrayList<>())
          .add(sighting);
    }
    return new Note(
        alike.values().stream().map(same -> finding(same, all)).toList(),
        said(group, Notes::cause),
        said(group, Notes::remedy));
  }

  private static Finding finding(List<Sighting> same, ArmRuns all) {
    return new Finding(
        NumberRanges.of(same.stream().map(sighting -> sighting.warning().what()).toList()),
        all.where(same.stream().flatMap(sighting -> sighting.run().stream()).toList()));
  }

  private static Optional<String> said(List<Sighting> group, Function<Sighting, String> of) {
    return Optional.of(NumberRanges.of(group.stream().map(of).toList()))
        .filter(text -> !text.isEmpty());
  }

  private static String cause(Sighting sighting) {
    return sighting.warning().cause();
  }

  private static String remedy(Sighting sighting) {
    return sighting.warning().remedy();
  }

  /** Sentences that differ in their numbers only become one, with ranges for numbers. */
  static final class NumberRanges {

    /** A number that stands alone: not the 99 of p99, nor the 2 of v1.2. */
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d+(?:\\.\\d+)?");

    private NumberRanges() {}

    /** The sentence without its numbers: the same for all sentences that become one. */
    static String template(String sentence) {
      return NUMBER.matcher(sentence).replaceAll("#");
    }

    /**
     * {@code others wrote 5 to 31 MB to files}.
     *
     * @param sentences at least one, all of one {@link #template}
     */
    static String of(List<String> sentences) {
      List<List<String>> numbers = new ArrayList<>();
      for (String sentence : sentences) {
        Matcher matcher = NUMBER.matcher(sentence);
        for (int i = 0; matcher.find(); i++) {
          if (i == numbers.size()) {
            numbers.add(new ArrayList<>());
          }
          numbers.get(i).add(matcher.group());
        }
      }
      Matcher matcher = NUMBER.matcher(sentences.getFirst());
      StringBuilder out = new StringBuilder();
      for (int i = 0; matcher.find(); i++) {
        matcher.appendReplacement(out, range(numbers.get(i)));
      }
      return matcher.appendTail(out).toString();
    }

    private static String range(List<String> numbers) {
      String least = numbers.getFirst();
      String most = least;
      for (String number : numbers) {
        double value = Double.parseDouble(number);
        least = value < Double.parseDouble(least) ? number : least;
        most = value > Double.parseDouble(most) ? number : most;
      }
      return least.equals(most) ? least : least + " to " + most;
    }
  }
}
