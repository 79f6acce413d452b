package io.weir.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.figure.Figure;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FigureSetTest {

  private enum Colour {
    RED,
    GREEN,
    BLUE
  }

  private final FigureSet set = new FigureSet();

  @Test
  void add_figures_areFoundByTheirIds() {
    Figure<Long> bytes = set.bytes("merge.bytes", "what merges wrote");
    Figure<Double> seconds = set.seconds("merge.seconds", "how long they took");

    assertEquals(Optional.of(bytes), set.of("merge.bytes"));
    assertEquals(Optional.empty(), set.of("merge"));
    assertEquals(List.of(bytes, seconds), List.copyOf(set.all()));
    assertTrue(set.hasBelow("merge"));
    assertFalse(set.hasBelow("mer"));
    assertFalse(set.hasBelow("merge.bytes"));
  }

  @Test
  void add_anIdThatIsThere_isRefused() {
    set.count("merges", "merges");

    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> set.words("merges", "their names"));

    assertEquals("an id must name one figure: merges", refused.getMessage());
  }

  @Test
  void union_aFigureOfTwoSets_isThereOnce_andTwoOfOneIdAreRefused() {
    Figure<Long> merges = set.count("merges", "merges");
    FigureSet other = new FigureSet();
    other.add(merges);
    other.count("flushes", "flushes");

    assertEquals(2, FigureSet.union(set, other).all().size());
    FigureSet third = new FigureSet();
    third.count("merges", "something else");
    assertThrows(IllegalArgumentException.class, () -> FigureSet.union(set, third));
  }

  @Test
  void by_constants_haveAFigureEach() {
    FigureBy<Colour, Long> pixels =
        FigureBy.of(
            EnumSet.of(Colour.RED, Colour.BLUE), "pixels.*.count", id -> set.count(id, "pixels"));

    assertEquals("pixels.red.count", pixels.of(Colour.RED).id());
    assertSame(set.of("pixels.blue.count").orElseThrow(), pixels.of(Colour.BLUE));
    assertEquals(
        "there must be a figure for it, there is one for each of [RED, BLUE]: GREEN",
        assertThrows(IllegalArgumentException.class, () -> pixels.of(Colour.GREEN)).getMessage());
  }

  @Test
  void by_idsWithoutAPlace_areRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> FigureBy.of(EnumSet.allOf(Colour.class), "pixels", id -> set.count(id, "pixels")));
  }

  @Test
  void figure_withoutAnId_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> set.count(" ", "nothing"));
  }
}
