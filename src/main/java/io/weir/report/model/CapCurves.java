package io.weir.report.model;

import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.run.SweepPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The arms of a run that differ only in their cap: how long the merge took under each cap, and how
 * fast reopens were.
 *
 * @param curves one for each kind of arm
 * @param reopenBoundsMillis objectives for reopen.p99
 * @param mergeBoundsSeconds objectives for merge.seconds
 */
public record CapCurves(
    List<Curve> curves, List<Double> reopenBoundsMillis, List<Double> mergeBoundsSeconds) {

  /**
   * One kind of arm.
   *
   * @param points the uncapped one first, then from the highest cap down
   */
  public record Curve(String kind, List<Point> points) {}

  /**
   * One cap.
   *
   * @param arm the name of the arm
   * @param cap such as {@code 42MB/s}, or {@link #NO_CAP}
   * @param capBytesPerSecond {@link Long#MAX_VALUE} for no cap
   * @param rounds how many ended well
   */
  public record Point(
      String arm,
      String cap,
      long capBytesPerSecond,
      int rounds,
      Range mergeSeconds,
      Range reopenP99Millis,
      Range dirtyPeakMegabytes) {

    public boolean isDrawable() {
      return mergeSeconds.isMeasured() && reopenP99Millis.isMeasured();
    }
  }

  /** A figure over several rounds. */
  public record Range(double least, double median, double most) {

    /** No round measured the figure. */
    public static final Range UNMEASURED = new Range(Double.NaN, Double.NaN, Double.NaN);

    /** Whether any round measured it. */
    public boolean isMeasured() {
      return !Double.isNaN(median);
    }
  }

  public static final String NO_CAP = "no cap";

  private static final String CAP = "cap";
  private static final String LUCENE_CAP = "lucene-force-merge-cap";
  private static final Pattern RATE = Pattern.compile("(\\d+)(B|kB|MB)/s");
  private static final Map<String, Long> BYTES = Map.of("B", 1L, "kB", 1000L, "MB", 1_000_000L);

  /** Empty unless the run is a sweep, or has a kind of arm under two caps. */
  public static Optional<CapCurves> of(Run run) {
    Map<String, List<Part>> arms = new LinkedHashMap<>();
    for (Part arm : run.parts()) {
      arms.computeIfAbsent(arm.name(), name -> new ArrayList<>()).add(arm);
    }
    Map<String, List<Point>> kinds = new LinkedHashMap<>();
    run.sweep() // in the order of the command line
        .ifPresent(
            sweep ->
                sweep.answers().forEach(answer -> kinds.put(answer.kind(), new ArrayList<>())));
    Map<String, String> names = kindNames(run, arms);
    arms.forEach(
        (name, rounds) -> {
          if (names.containsKey(name)) {
            kinds.computeIfAbsent(names.get(name), kind -> new ArrayList<>()).add(point(rounds));
          }
        });
    kinds
        .values()
        .removeIf(points -> points.stream().allMatch(p -> !p.mergeSeconds().isMeasured()));
    boolean several =
        kinds.values().stream()
            .anyMatch(
                points ->
                    points.stream()
                            .map(Point::capBytesPerSecond)
                            .filter(cap -> cap != Long.MAX_VALUE)
                            .distinct()
                            .count()
                        > 1);
    if (kinds.isEmpty() || run.sweep().isEmpty() && !several) {
      return Optional.empty();
    }
    List<Curve> curves = new ArrayList<>();
    kinds.forEach(
        (kind, points) -> {
          points.sort(Comparator.comparingLong(Point::capBytesPerSecond).reversed());
          curves.add(new Curve(kind, points));
        });
    return Optional.of(
        new CapCurves(
            curves, bounds(run, RunFigure.REOPEN_P99), bounds(run, RunFigure.MERGE_SECONDS)));
  }

  /** The setting that caps an arm's merge: {@code cap=42MB/s}, or {@link #NO_CAP}. */
  public static String capOption(Part arm) {
    long cap = capBytesPerSecond(arm);
    return cap == Long.MAX_VALUE
        ? NO_CAP
        : (parse(arm, CAP) == cap ? CAP : LUCENE_CAP) + "=" + SweepPoint.capText(cap);
  }

  /** The kind of each arm, by the arm's name. */
  private static Map<String, String> kindNames(Run run, Map<String, List<Part>> arms) {
    Map<String, String> names = new HashMap<>();
    if (run.sweep().isPresent()) {
      run.sweep().get().points().forEach(point -> names.put(point.arm(), point.kind()));
      return names;
    }
    Map<Map<String, String>, List<String>> alike = new LinkedHashMap<>();
    arms.forEach(
        (name, rounds) -> {
          Map<String, String> settings = new TreeMap<>(rounds.get(0).settings());
          settings.remove(CAP);
          settings.remove(LUCENE_CAP);
          alike.computeIfAbsent(settings, same -> new ArrayList<>()).add(name);
        });
    alike.forEach(
        (settings, members) -> {
          String kind = kindName(settings, alike.keySet());
          members.forEach(member -> names.put(member, kind));
        });
    return names;
  }

  /** The preset, and the settings in which it differs from others of that preset. */
  private static String kindName(Map<String, String> settings, Set<Map<String, String>> all) {
    String preset = settings.getOrDefault("preset", "arms");
    String own =
        settings.entrySet().stream()
            .filter(
                setting ->
                    all.stream()
                        .filter(other -> preset.equals(other.get("preset")))
                        .anyMatch(other -> !setting.getValue().equals(other.get(setting.getKey()))))
            .map(setting -> setting.getKey() + "=" + setting.getValue())
            .collect(Collectors.joining(", "));
    return own.isEmpty() ? preset : preset + ", " + own;
  }

  private static Point point(List<Part> rounds) {
    List<Part> done = rounds.stream().filter(r -> r.status() == Status.DONE).toList();
    long cap = capBytesPerSecond(rounds.get(0));
    return new Point(
        rounds.get(0).name(),
        cap == Long.MAX_VALUE ? NO_CAP : SweepPoint.capText(cap),
        cap,
        done.size(),
        range(done, RunFigure.MERGE_SECONDS),
        range(done, RunFigure.REOPEN_P99),
        range(done, RunFigure.DIRTY_PEAK));
  }

  private static Range range(List<Part> rounds, RunFigure figure) {
    double[] values =
        rounds.stream()
            .flatMap(round -> figure.of(round).stream())
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    return values.length == 0
        ? Range.UNMEASURED
        : new Range(values[0], RunFigure.median(values), values[values.length - 1]);
  }

  private static long capBytesPerSecond(Part arm) {
    return Math.min(parse(arm, CAP), parse(arm, LUCENE_CAP));
  }

  /** A rate as in {@code run.json}; any other text means no cap. */
  private static long parse(Part arm, String setting) {
    String rate = arm.settings().getOrDefault(setting, "");
    Matcher matcher = RATE.matcher(rate);
    return matcher.matches()
        ? Long.parseLong(matcher.group(1)) * BYTES.get(matcher.group(2))
        : Long.MAX_VALUE;
  }

  /** The bounds of the objectives for a figure itself, not for its ratio. */
  private static List<Double> bounds(Run run, RunFigure figure) {
    Stream<SloResult> swept =
        run.sweep().stream()
            .flatMap(sweep -> sweep.points().stream())
            .flatMap(point -> point.slos().stream());
    Set<Double> bounds =
        Stream.concat(run.slos().stream(), swept)
            .filter(slo -> isFor(slo, figure))
            .map(SloResult::bound)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return List.copyOf(bounds);
  }

  /** Whether an objective bounds this figure itself, not its ratio. */
  public static boolean isFor(SloResult slo, RunFigure figure) {
    return slo.unit().equals(figure.unit())
        && Pattern.compile(
                "(.*:)?\\s*" + Pattern.quote(figure.id()) + "\\s*[<>].*", Pattern.CASE_INSENSITIVE)
            .matcher(slo.slo())
            .matches();
  }
}
