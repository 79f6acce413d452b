package io.weir.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReadProblemsTest {

  @Test
  void malformed_moreThanAreKept_keepsTheFirstAndCountsAll() {
    ReadProblems problems = new ReadProblems(2);
    problems.malformed("f", 3, "too short");
    problems.malformed("g", "cannot be read");
    problems.malformed("f", 5, "too long");
    problems.skipped();
    problems.undated();
    assertEquals(List.of("f:3: too short", "g: cannot be read"), problems.first());
    assertEquals(3, problems.malformedCount());
    assertEquals("3 malformed, 1 skipped, 1 undated; first: f:3: too short", problems.toString());
  }

  @Test
  void counts_manyThreads_loseNothing() {
    ReadProblems problems = new ReadProblems();
    IntStream.range(0, 30_000)
        .parallel()
        .forEach(
            i -> {
              problems.malformed("f", i, "wrong");
              problems.skipped();
              problems.undated();
            });
    assertEquals(30_000, problems.malformedCount());
    assertEquals(30_000, problems.skippedCount());
    assertEquals(30_000, problems.undatedCount());
    assertEquals(ReadProblems.DEFAULT_KEPT, problems.first().size());
  }

  @Test
  void constructor_nothingKept_namesTheRule() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new ReadProblems(0));
    assertEquals("kept must be at least 1 problem: 0", e.getMessage());
  }
}
