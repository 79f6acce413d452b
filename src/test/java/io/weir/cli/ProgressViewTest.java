package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.fakes.AutoClock;
import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ProgressViewTest {

  private static final long SECOND = 1_000_000_000;

  private final StringWriter out = new StringWriter();
  private final AutoClock clock = new AutoClock();
  private final ProgressView plain = view(false);
  private final ProgressView terminal = view(true);

  @Test
  void progress_plain_isALineEveryFiveSeconds() {
    for (int second = 0; second < 11; second++) {
      plain.progress(
          "arm a (1 of 2)", "merging", OptionalDouble.of(second / 10.0), "p50 " + second);
      clock.advanceNanos(SECOND);
    }
    assertEquals(
        """
        arm a (1 of 2): merging   0 %  p50 0
        arm a (1 of 2): merging  50 %  p50 5
        arm a (1 of 2): merging 100 %  p50 10
        """,
        shown());
  }

  @Test
  void progress_plainNextStage_isShownAtOnce() {
    plain.progress("index", "building", OptionalDouble.empty(), "");
    plain.progress("index", "building", OptionalDouble.empty(), "5 documents");
    plain.progress("arm a", "opening", OptionalDouble.empty(), "");
    plain.progress("arm b", "opening", OptionalDouble.empty(), "");

    assertEquals("index: building\narm a: opening\narm b: opening\n", shown());
  }

  @Test
  void progress_terminal_drawsOneLineOverAndOver() {
    terminal.progress("arm a", "merging", OptionalDouble.of(0.25), "p50 1");
    terminal.progress("arm a", "merging", OptionalDouble.of(1.0), "p50 2");
    terminal.end();

    assertEquals(
        "\r\u001b[K\u001b[?7larm a: merging [#####---------------]  25 %  p50 1\u001b[?7h"
            + "\r\u001b[K\u001b[?7larm a: merging [####################] 100 %  p50 2\u001b[?7h"
            + "\r\u001b[K",
        out.toString());
  }

  @Test
  void warning_isOneLineThatSaysWhatWhyAndWhatToDo() {
    terminal.progress("arm a", "merging", OptionalDouble.empty(), "");
    out.getBuffer().setLength(0);
    terminal.warning(new RunWarning("it is late", "slow disk", "ask for less"));

    assertEquals("\r\u001b[Kweir: it is late (slow disk; ask for less)\n", shown());
  }

  @Test
  void ended_failed_showsItsLastLines() {
    plain.ended(
        Run.Kind.STRESS,
        Part.failed(
            Part.Kind.ARM,
            "a",
            1,
            Map.of(),
            Values.NONE,
            new Failure("it broke", Optional.of(1), List.of("one", "two"))));

    assertEquals("weir: arm a failed: it broke\n  | one\n  | two\n", shown());
  }

  @Test
  void ended_ofOtherKinds_isOneLineInTheWordsOfTheKind() {
    Failure failure = new Failure("it broke", Optional.of(1), List.of("one", " two"));
    Part arm = Part.failed(Part.Kind.ARM, "a", 2, Map.of(), Values.NONE, failure);

    plain.ended(Run.Kind.LOAD, arm);
    plain.ended(
        Run.Kind.INDEX, Part.failed(Part.Kind.CELL, "c", 1, Map.of(), Values.NONE, failure));

    assertEquals(
        "weir: arm a, round 2 failed: it broke (one;  two; its steps before are kept)\n"
            + "weir: the cell c failed: it broke (two; the other cells go on)\n",
        shown());
  }

  @Test
  void plain_neverWritesAnEscape() {
    plain.progress("arm a", "merging", OptionalDouble.of(0.5), "");
    plain.warning(new RunWarning("what", "cause", "remedy"));
    plain.end();

    assertFalse(out.toString().contains("\u001b"));
  }

  @Test
  void progress_inAnotherLanguage_isTheSame() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      plain.progress("arm a", "merging", OptionalDouble.of(0.5), "");
    } finally {
      Locale.setDefault(before);
    }
    assertEquals("arm a: merging  50 %\n", shown());
  }

  private ProgressView view(boolean terminal) {
    return new ProgressView(new PrintWriter(out, true), terminal, clock);
  }

  private String shown() {
    return out.toString().replace(System.lineSeparator(), "\n");
  }
}
