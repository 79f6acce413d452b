package io.weir.benchmark.whytrials;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.PairedRatios;
import io.weir.benchmark.kit.TextTable;
import io.weir.benchmark.whytrials.Cause.Disk;
import io.weir.benchmark.whytrials.Cause.Target;
import io.weir.option.HumanDuration;
import io.weir.rest.EngineClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a look of {@code weir why} costs a server that indexes as fast as it can: documents a second
 * while it is looked at, and in a window as long without a look, in turn and back (A B B A).
 *
 * <p>The command works on the same machine, so its own processor time is in the figures, that of
 * the start of its JVM too.
 */
public final class WhyCostBenchmark implements Benchmark {

  private static final String TARGET = "target";
  private static final String PAIRS = "pairs";
  private static final String FOR = "for";
  private static final int DEFAULT_PAIRS = 10;

  /** Until the server's JVM has compiled what it does all the time. */
  private static final Duration SETTLING = Duration.ofSeconds(60);

  private static final double NANOS_PER_SECOND = 1e9;

  @Override
  public String name() {
    return "why-cost";
  }

  @Override
  public String summary() {
    return "documents a second of a busy server with and without a look of weir why";
  }

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(TARGET, "opensearch, the default, or elasticsearch");
    options.put(PAIRS, "of windows; " + DEFAULT_PAIRS + " by default");
    options.put(FOR, "how long a look is; 60s by default");
    return options;
  }

  /**
   * A look, and a window without one.
   *
   * @param looked documents a second while the command ran
   * @param alone documents a second without it
   */
  record Pair(double looked, double alone) {}

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    Map<String, String> options = conditions.options();
    Target target = target(options.getOrDefault(TARGET, "opensearch"));
    int pairs = pairs(options.getOrDefault(PAIRS, Integer.toString(DEFAULT_PAIRS)));
    Duration length =
        HumanDuration.parse(
            "--" + FOR, options.getOrDefault(FOR, conditions.quick() ? "5s" : "60s"));
    Path directory = Files.createDirectories(conditions.directory().resolve("why-cost"));
    Cause busy = Cause.of(target, "busy").heap("1g").build();
    List<Pair> measured = new ArrayList<>();
    try (TrialBed bed =
        new TrialBed(
            TrialBed.Places.of(conditions.directory(), directory, directory),
            busy,
            Disk.OWN,
            directory.resolve("target.log"))) {
      bed.start();
      bed.settle(conditions.quick() ? Duration.ofSeconds(5) : SETTLING);
      try (EngineClient client =
          new EngineClient(URI.create(bed.address()), Optional.empty(), EngineClient.UNDER_LOAD)) {
        Windows windows = new Windows(client, bed, length, directory);
        for (int i = 0; i < pairs; i++) {
          Pair pair = windows.pair(i % 2 == 0);
          measured.add(pair);
          conditions
              .progress()
              .printf(
                  Locale.ROOT,
                  "why-cost: pair %d of %d: %.0f documents/s with a look, %.0f without%n",
                  i + 1,
                  pairs,
                  pair.looked(),
                  pair.alone());
        }
      }
    }
    return table(target, length, measured);
  }

  private static Target target(String name) {
    for (Target target : List.of(Target.OPENSEARCH, Target.ELASTICSEARCH)) {
      if (target.label().equals(name)) {
        return target;
      }
    }
    throw new IllegalArgumentException("--target must be opensearch or elasticsearch: " + name);
  }

  private static int pairs(String text) {
    if (!text.matches("[1-9][0-9]{0,2}")) {
      throw new IllegalArgumentException("--pairs must be from 1 to 999: '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  /** Of pairs in the order in which they were measured. */
  static TextTable table(Target target, Duration length, List<Pair> pairs) {
    double[] looked = pairs.stream().mapToDouble(Pair::looked).toArray();
    double[] alone = pairs.stream().mapToDouble(Pair::alone).toArray();
    PairedRatios ratios = PairedRatios.of(looked, alone);
    return new TextTable(
            "why-cost: indexing in %s while weir why --for %ds looks at it"
                .formatted(target.label(), length.toSeconds()),
            1,
            "server",
            "pairs",
            "documents/s without",
            "with",
            "ratio",
            "95 %")
        .row(
            target.label(),
            Integer.toString(pairs.size()),
            figure("%.0f", PairedRatios.median(alone)),
            figure("%.0f", PairedRatios.median(looked)),
            figure("%.3f", ratios.median()),
            figure("%.3f", ratios.low()) + " to " + figure("%.3f", ratios.high()))
        .note("ratio: the median over the pairs; the interval is the bootstrap's")
        .note("the command is on the server's machine, so its own processor time is included");
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  /** Windows of one server; one without a look is as long as the last look. */
  private static final class Windows {

    private final EngineClient client;
    private final TrialBed bed;
    private final Duration length;
    private final Path directory;
    private long lookNanos;

    Windows(EngineClient client, TrialBed bed, Duration length, Path directory) {
      this.client = client;
      this.bed = bed;
      this.length = length;
      this.directory = directory;
    }

    Pair pair(boolean looksFirst) throws IOException, InterruptedException {
      if (looksFirst) {
        double looked = look().rate();
        return new Pair(looked, rest().rate());
      }
      double alone = rest().rate();
      return new Pair(look().rate(), alone);
    }

    private Window look() throws IOException, InterruptedException {
      long documents = documents();
      long began = System.nanoTime();
      if (Look.take(bed.address(), length, directory.resolve("look")).isEmpty()) {
        throw new IOException("weir why failed: see " + directory.resolve("look"));
      }
      lookNanos = System.nanoTime() - began;
      return new Window(documents() - documents, lookNanos);
    }

    private Window rest() throws IOException, InterruptedException {
      long documents = documents();
      long began = System.nanoTime();
      bed.settle(Duration.ofNanos(lookNanos));
      return new Window(documents() - documents, System.nanoTime() - began);
    }

    private long documents() throws IOException, InterruptedException {
      return client.get("/_stats/indexing").at("/_all/primaries/indexing/index_total").asLong();
    }
  }

  private record Window(long documents, long nanos) {

    double rate() {
      return documents * NANOS_PER_SECOND / nanos;
    }
  }
}
