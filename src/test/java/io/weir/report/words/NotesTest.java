package io.weir.report.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.NoisyRun;
import io.weir.report.SampleRun;
import io.weir.report.words.Notes.Finding;
import io.weir.report.words.Notes.Note;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunWarning;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class NotesTest {

  private static final String CAUSE = "another program writes";
  private static final String REMEDY = "stop it";

  @Test
  void warnings_thatDifferInNumbersOnly_areOneFindingWithRanges() {
    Notes notes =
        warnings(
            arm -> List.of(wrote(arm.name().equals("weir") ? 31.5 : 4 + arm.round(), "during")));

    assertEquals(
        List.of(
            new Note(
                List.of(
                    new Finding(
                        "others wrote 5.0 to 31.5 MB to files during the merge",
                        "in every round of every arm")),
                Optional.of(CAUSE),
                Optional.of(REMEDY))),
        notes.notes());
    assertEquals("1 finding, in 6 of 6 arm runs", notes.count("finding"));
  }

  @Test
  void warnings_ofSomeArmRuns_nameThem() {
    assertEquals(
        "others wrote 5.0 MB to files during the merge,"
            + " in rounds 1, 3 of arm stock and all rounds of arm weir",
        sentence(arm -> arm.name().equals("weir") || arm.round() != 2));
    assertEquals(
        "others wrote 5.0 MB to files during the merge, in round 2 of arm stock",
        sentence(arm -> arm.name().equals("stock") && arm.round() == 2));
  }

  @Test
  void warnings_withOneCause_areOneNoteWithAFindingForEachSentence() {
    List<Note> notes =
        warnings(arm -> List.of(wrote(5, "before"), wrote(6, "after"), other(arm.round()))).notes();

    assertEquals(List.of(2, 1), notes.stream().map(note -> note.findings().size()).toList());
    assertEquals(Optional.of("ask for 1 to 3 of them"), notes.get(1).remedy());
    assertEquals(Optional.empty(), notes.get(1).cause());
  }

  @Test
  void warnings_ofTheRunItself_haveNoPlace() {
    Run run = new SampleRun().arm("a", 1, 0).arm("b", 1, 10).warning("late", "c", "r").result();
    Notes notes = Remarks.of(run).warnings();

    assertEquals(new Finding("late", ""), notes.notes().getFirst().findings().getFirst());
    assertEquals("1 warning", notes.count("warning"));
  }

  @Test
  void warnings_ofManyArms_areCounted() {
    SampleRun run = new SampleRun();
    for (String arm : List.of("a", "b", "c", "d", "e", "f")) {
      run.arm(arm, 1, 10);
    }
    Function<Part, List<RunWarning>> allButOne =
        arm -> arm.name().equals("a") ? List.of() : List.of(wrote(5, "during"));

    Notes notes = Remarks.of(NoisyRun.of(run.result(), allButOne)).warnings();

    assertEquals("in 5 of 6 arm runs", notes.notes().getFirst().findings().getFirst().where());
  }

  @Test
  void noise_ofAQuietRun_isEmpty() {
    assertTrue(Remarks.of(rounds()).noise().isEmpty());
  }

  @Test
  void ranges_ofSentences_leaveNumbersWithinWordsAlone() {
    assertEquals(
        "p99 of 3 to 12.5 ms in v1.2",
        Notes.NumberRanges.of(List.of("p99 of 12.5 ms in v1.2", "p99 of 3 ms in v1.2")));
    assertEquals("p99 of # ms in v1.2", Notes.NumberRanges.template("p99 of 3 ms in v1.2"));
    assertEquals("costs $# and \\ more", Notes.NumberRanges.template("costs $5 and \\ more"));
    assertEquals("costs $5 and \\ more", Notes.NumberRanges.of(List.of("costs $5 and \\ more")));
  }

  private static String sentence(java.util.function.Predicate<Part> concerned) {
    return warnings(arm -> concerned.test(arm) ? List.of(wrote(5, "during")) : List.of())
        .notes()
        .getFirst()
        .findings()
        .getFirst()
        .sentence();
  }

  private static Notes warnings(Function<Part, List<RunWarning>> of) {
    return Remarks.of(NoisyRun.of(rounds(), of)).warnings();
  }

  private static Run rounds() {
    SampleRun run = new SampleRun();
    for (int round = 1; round <= 3; round++) {
      run.arm("stock", round, 0).arm("weir", round, 10);
    }
    return run.result();
  }

  private static RunWarning wrote(double megabytes, String phase) {
    return new RunWarning(
        "others wrote %.1f MB to files %s the merge".formatted(megabytes, phase), CAUSE, REMEDY);
  }

  private static RunWarning other(int number) {
    return new RunWarning("something else", "", "ask for %d of them".formatted(number));
  }
}
