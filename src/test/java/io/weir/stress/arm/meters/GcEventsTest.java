package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the JVM's recorder tells, held against what threads felt and what the JVM's log says. */
@Slow("starts a JVM for each collector")
@Timeout(120)
class GcEventsTest {

  /** How well a moment of the recorder is known on the clock. */
  private static final long CLOCK_NANOS = 1_000_000;

  private static final long WORTH_COMPARING_NANOS = 2_000_000;

  @TempDir Path temp;

  private record Span(long from, long to) {
    boolean holds(Span other) {
      return from - CLOCK_NANOS <= other.from && other.to <= to + CLOCK_NANOS;
    }
  }

  /** What the probe printed. */
  private static final class Told {
    private final List<Span> asked = new ArrayList<>();
    private final List<Span> gaps = new ArrayList<>();
    private final List<GcEvents.Pause> pauses = new ArrayList<>();
    private String failure;

    /**
     * A thread that is just in the call that reads the clock may still read it once while everybody
     * stands, but then does not come back from it: so two gaps that touch may be one standstill.
     */
    Stream<Span> standstills() {
      List<Span> spans = new ArrayList<>(gaps);
      for (int i = 1; i < gaps.size(); i++) {
        if (gaps.get(i - 1).to == gaps.get(i).from) {
          spans.add(new Span(gaps.get(i - 1).from, gaps.get(i).to));
        }
      }
      return spans.stream();
    }

    List<GcEvents.Pause> askedFor() {
      return pauses.stream()
          .filter(pause -> pause.cause().equals(Optional.of("System.gc()")))
          .toList();
    }
  }

  /** A thread that only looked at the clock could not, for as long as each pause. */
  @ParameterizedTest
  @ValueSource(strings = {"Serial", "Parallel", "G1"})
  void take_aCollectionThatStopsTheWorld_isAStandstillOfEveryThread(String collector)
      throws Exception {
    Told told = probe(collector, temp.resolve("a repository"));

    assertEquals("none", told.failure);
    assertTrue(told.askedFor().size() >= told.asked.size(), told.pauses.toString());
    int compared = 0;
    for (GcEvents.Pause pause : told.askedFor()) {
      Span stood = span(pause);
      assertTrue(told.asked.stream().anyMatch(asked -> asked.holds(stood)), pause.toString());
      if (pause.durationNanos() >= WORTH_COMPARING_NANOS) {
        compared++;
        assertTrue(
            told.standstills().anyMatch(gap -> gap.holds(stood)),
            () -> pause + " was not felt: " + told.gaps);
      }
    }
    assertTrue(compared > 0, told.pauses.toString());
    assertFalse(told.pauses.stream().anyMatch(pause -> pause.collector().isEmpty()));
  }

  /** Its cycles, which run beside everything else, are none of its pauses. */
  @Test
  void take_zgc_tellsThePausesOfItsLogAndNoCycle() throws Exception {
    assumeTrue(supports("Z"), "this JVM has no ZGC");
    Told told = probe("Z", temp.resolve("repository"));

    String log = Files.readString(temp.resolve("gc.log"));
    Set<Long> pauseMicros = micros(log, "Pause [A-Za-z ]+(?:\\([A-Za-z ]+\\))? ([0-9.]+)ms");
    Set<Long> cycleMicros = micros(log, "Collection \\(System.gc\\(\\)\\) .* ([0-9.]+)s", 1e6);
    assertFalse(cycleMicros.isEmpty(), log);
    List<GcEvents.Pause> pauses = told.askedFor();
    assertTrue(pauses.size() >= 3 * told.asked.size(), told.pauses.toString());
    for (GcEvents.Pause pause : pauses) {
      long micros = Math.round(pause.durationNanos() / 1e3);
      assertTrue(
          Stream.of(micros - 1, micros, micros + 1).anyMatch(pauseMicros::contains),
          () -> pause + " is not in the log:\n" + log);
      assertTrue(told.asked.stream().anyMatch(asked -> asked.holds(span(pause))), pause.toString());
    }
    long pausedMicros = pauses.stream().mapToLong(GcEvents.Pause::durationNanos).sum() / 1000;
    long ranMicros = cycleMicros.stream().mapToLong(Long::longValue).sum();
    assertTrue(pausedMicros < ranMicros, pausedMicros + " of " + ranMicros);
  }

  @Test
  void take_shenandoah_tellsEachPauseByItsName() throws Exception {
    assumeTrue(supports("Shenandoah"), "this JVM has no Shenandoah");
    Told told = probe("Shenandoah", temp.resolve("repository"));

    assertEquals("none", told.failure);
    assertFalse(told.askedFor().isEmpty(), told.pauses.toString());
    told.askedFor().forEach(pause -> assertTrue(pause.name().startsWith("Pause "), pause::name));
  }

  private Told probe(String collector, Path repository) throws Exception {
    Process probe =
        java(
            "-XX:+Use" + collector + "GC",
            "-Xmx256m",
            "-Xlog:gc,gc+phases:file=gc.log",
            "-cp",
            System.getProperty("java.class.path"),
            GcPauseProbe.class.getName(),
            repository.toString());
    String out = new String(probe.getInputStream().readAllBytes());
    assertEquals(0, probe.waitFor(), out);
    Told told = new Told();
    for (String line : out.lines().toList()) {
      String[] cells = line.split("\t");
      switch (cells[0]) {
        case "asked" -> told.asked.add(new Span(number(cells[1]), number(cells[2])));
        case "gap" -> told.gaps.add(new Span(number(cells[1]), number(cells[2])));
        case "pause" ->
            told.pauses.add(
                new GcEvents.Pause(
                    number(cells[1]),
                    number(cells[2]),
                    Optional.of(cells[3]),
                    cells[4],
                    Optional.of(cells[5])));
        case "failure" -> told.failure = cells[1];
        default -> assertEquals("live", cells[0], out);
      }
    }
    assertEquals(3, told.asked.size(), out);
    return told;
  }

  private Process java(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).directory(temp.toFile()).redirectErrorStream(true).start();
  }

  private boolean supports(String collector) throws Exception {
    Process version = java("-XX:+Use" + collector + "GC", "-version");
    version.getInputStream().readAllBytes();
    return version.waitFor() == 0;
  }

  private static Set<Long> micros(String log, String pattern) {
    return micros(log, pattern, 1e3);
  }

  private static Set<Long> micros(String log, String pattern, double unitMicros) {
    Set<Long> micros = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern).matcher(log);
    while (matcher.find()) {
      micros.add(Math.round(Double.parseDouble(matcher.group(1)) * unitMicros));
    }
    return micros;
  }

  private static Span span(GcEvents.Pause pause) {
    return new Span(pause.startNanos(), pause.startNanos() + pause.durationNanos());
  }

  private static long number(String text) {
    return Long.parseLong(text);
  }
}
