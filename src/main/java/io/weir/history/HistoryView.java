package io.weir.history;

import io.weir.figure.Unit;
import io.weir.report.words.Figures;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a history shows: its figures over time, and where they changed.
 *
 * @param figures each over the runs that have it
 * @param changes in the order of time
 * @param facts versions and settings of arms that differ from those of the run before
 * @param notes as the user made them
 * @param falseAlarms the chance that changes are found where there are none
 */
public record HistoryView(
    List<Figure> figures,
    List<Changed> changes,
    List<Fact> facts,
    List<Note> notes,
    double falseAlarms) {

  /** A part of a figure's name, perhaps with the arm, the cell or the step that it is of. */
  private static final Pattern PART = Pattern.compile("(\\w+)(?:\\[([^]]*)])?");

  /** Names of figures, and what people call them; in order, because one may make the next. */
  private static final Map<String, String> FOR_PEOPLE = new LinkedHashMap<>();

  static {
    FOR_PEOPLE.put(
        "(reopen|search|commit), (before|during|after)(?:, latency)?, ",
        "$1 latency $2 the merge, ");
    FOR_PEOPLE.put(
        "steps ([0-9]+)(?:\\.0)?, client, latency, ", "response time at $1 requests/s, ");
    FOR_PEOPLE.put("\\bp50$", "median");
    FOR_PEOPLE.put("\\bp999$", "99.9th percentile");
    FOR_PEOPLE.put("\\bp([0-9]+)$", "$1th percentile");
    FOR_PEOPLE.put(", max$", ", longest");
    FOR_PEOPLE.put("saturation, kept$", "highest load that it bore, requests/s");
    FOR_PEOPLE.put(": merge$", ": duration of the merge");
    FOR_PEOPLE.put("dirty, peak$", "peak of dirty pages");
    FOR_PEOPLE.put(": steady, rate$", ": text indexed at steady state");
    FOR_PEOPLE.put(": whole, rate$", ": text indexed, with start and end");
  }

  /** Two decimals of less are fewer than two digits. */
  private static final double LEAST_WITH_DECIMALS = 0.1;

  /**
   * One figure over time.
   *
   * @param series which runs it is of
   * @param name that of its part and of the figure
   * @param times ascending
   * @param values one for each time
   */
  public record Figure(String series, String name, List<Instant> times, double[] values) {

    /** The series and the name. */
    public String title() {
      return series + ": " + name;
    }

    /**
     * The name for people: {@code arms[weir].reopen.during.p99Millis} is weir: reopen, during, p99.
     */
    String words() {
      String plain = name.substring(0, name.length() - unit().word().length());
      Matcher part = PART.matcher(plain);
      List<String> words = new ArrayList<>();
      String of = "";
      while (part.find()) {
        String word =
            part.group(1).replaceAll("(?<=[a-z])(?=\\p{Lu})", " ").toLowerCase(Locale.ROOT);
        if (part.start() == 0 && part.group(2) != null) {
          of = part.group(2) + ": ";
        } else {
          words.add(part.group(2) == null ? word : word + " " + part.group(2));
        }
      }
      String said = of + String.join(", ", words);
      for (Map.Entry<String, String> word : FOR_PEOPLE.entrySet()) {
        said = said.replaceAll(word.getKey(), word.getValue());
      }
      return said;
    }

    /** {@code weir: reopen latency during the merge, 99th percentile: 80.1 ms}. */
    String first() {
      return (words() + ": " + number(values[0]) + " " + unit().symbol()).strip();
    }

    /** In what it is counted, as the end of its name says. */
    Unit unit() {
      return Arrays.stream(Unit.values())
          .filter(unit -> !unit.word().isEmpty())
          .filter(
              unit -> name.toLowerCase(Locale.ROOT).endsWith(unit.word().toLowerCase(Locale.ROOT)))
          .max(Comparator.comparingInt(unit -> unit.word().length()))
          .orElse(Unit.NONE);
    }
  }

  /**
   * A figure that changed.
   *
   * @param before the last run of the old level
   * @param at the first run of the new level
   * @param notes of the days between them
   */
  public record Changed(
      Figure figure, Instant before, Instant at, ChangePoints.Change change, List<Note> notes) {

    /** {@code 2026-11-22: index: ... fell from 7.1 to 6.2, by 13 %}. */
    public String sentence() {
      return "%s: %s %s from %s to %s%s%s"
          .formatted(
              LocalDate.ofInstant(at, ZoneOffset.UTC),
              figure.title(),
              change.after() > change.before() ? "rose" : "fell",
              number(change.before()),
              number(change.after()),
              change.before() == 0
                  ? ""
                  : ", by " + number(100 * Math.abs(change.after() / change.before() - 1)) + " %",
              notes.isEmpty()
                  ? ""
                  : ", about the time of "
                      + String.join(
                          " and ", notes.stream().map(n -> "'" + n.text() + "'").toList()));
    }
  }

  /** What changed with a run: versions, and settings of arms. */
  public record Fact(String series, Instant at, String text) {}

  /** What was found, in a sentence; the changes are sentences of their own. */
  public String finding() {
    int runs = figures.stream().mapToInt(figure -> figure.values().length).max().orElse(0);
    if (!changes.isEmpty()) {
      return Figures.count(changes.size(), "change") + " beyond noise.";
    }
    if (runs == 1) {
      return "One run, with these figures. The second shows how far they move from run to run; a change"
          + " beyond noise needs %d on each side.".formatted(ChangePoints.LEAST_PART);
    }
    return runs < 2 * ChangePoints.LEAST_PART
        ? "%d runs are too few: a change has at least %d on each side."
            .formatted(runs, ChangePoints.LEAST_PART)
        : "No figure changed beyond noise.";
  }

  /** Of a history of one run its figures, a line each; of a longer one nothing. */
  public List<String> figuresOfOneRun() {
    return figures.stream().allMatch(figure -> figure.values().length == 1)
        ? figures.stream().map(figure -> figure.series() + ": " + figure.first()).toList()
        : List.of();
  }

  /** About three digits, whatever the size. */
  static String number(double value) {
    double size = Math.abs(value);
    return size >= 1e6 || size > 0 && size < LEAST_WITH_DECIMALS
        ? String.format(Locale.ROOT, "%.3g", value)
        : Figures.threeDigits(value);
  }

  /**
   * Looks at a history.
   *
   * @param leastPercent of changes, of the level before
   * @throws IllegalArgumentException if {@code falseAlarms} or {@code leastPercent} is out of range
   */
  public static HistoryView of(
      Map<String, List<HistoryEntry>> runs,
      List<Note> notes,
      FigurePatterns patterns,
      double falseAlarms,
      double leastPercent) {
    if (!(leastPercent >= 0)) {
      throw new IllegalArgumentException("--least must be 0 % or more: " + leastPercent);
    }
    List<Figure> figures = new ArrayList<>();
    List<Fact> facts = new ArrayList<>();
    runs.forEach(
        (series, entries) -> {
          patterns.of(entries).forEach(name -> figures.add(figure(series, name, entries)));
          facts.addAll(facts(series, entries));
        });
    List<Changed> changes =
        new ChangePoints(falseAlarms)
            .in(figures.stream().map(Figure::values).toList()).stream()
                .filter(
                    change ->
                        Math.abs(change.after() - change.before())
                            >= leastPercent / 100 * Math.abs(change.before()))
                .map(change -> changed(figures.get(change.series()), change, notes))
                .sorted(Comparator.comparing(Changed::at))
                .toList();
    return new HistoryView(figures, changes, facts, notes, falseAlarms);
  }

  private static Figure figure(String series, String name, List<HistoryEntry> entries) {
    List<HistoryEntry> having =
        entries.stream().filter(entry -> entry.figures().containsKey(name)).toList();
    return new Figure(
        series,
        name,
        having.stream().map(HistoryEntry::at).toList(),
        having.stream().mapToDouble(entry -> entry.figures().get(name)).toArray());
  }

  private static List<Fact> facts(String series, List<HistoryEntry> entries) {
    List<Fact> facts = new ArrayList<>();
    for (int i = 1; i < entries.size(); i++) {
      HistoryEntry entry = entries.get(i);
      List<String> changes = entry.changesSince(entries.get(i - 1));
      if (!changes.isEmpty()) {
        facts.add(new Fact(series, entry.at(), String.join(", ", changes)));
      }
    }
    return facts;
  }

  private static Changed changed(Figure figure, ChangePoints.Change change, List<Note> notes) {
    Instant before = figure.times().get(change.at() - 1);
    Instant at = figure.times().get(change.at());
    LocalDate from = LocalDate.ofInstant(before, ZoneOffset.UTC);
    LocalDate to = LocalDate.ofInstant(at, ZoneOffset.UTC);
    return new Changed(
        figure,
        before,
        at,
        change,
        notes.stream()
            .filter(note -> !note.date().isBefore(from) && !note.date().isAfter(to))
            .toList());
  }
}
