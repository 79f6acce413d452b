package io.weir.benchmark.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void render_wordsAndFigures_areAlignedLeftAndRight() {
    TextTable table =
        new TextTable("title", 1, "who", "ns/op").row("a longer one", "1").row("b", "1000000");

    assertEquals(
        """
        title

        who             ns/op
        a longer one        1
        b             1000000

        - what it means
        """,
        table.note("what it means").render());
  }

  @Test
  void row_tooFewCells_isRefused() {
    TextTable table = new TextTable("title", 1, "who", "ns/op");

    assertThrows(IllegalArgumentException.class, () -> table.row("a"));
  }
}
