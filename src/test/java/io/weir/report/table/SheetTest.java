package io.weir.report.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SheetTest {

  private record Step(String arm, int round, int load, Optional<Double> reads) {}

  private static final List<Step> STEPS =
      List.of(
          new Step("a", 1, 10, Optional.empty()),
          new Step("a", 1, 20, Optional.of(1.25)),
          new Step("a", 2, 10, Optional.empty()),
          new Step("b", 2, 10, Optional.empty()));

  private static Sheet<Step> sheet() {
    return Sheet.<Step>of("Steps")
        .word("arm", Step::arm)
        .once()
        .text("round", "", step -> Integer.toString(step.round()))
        .once()
        .text("load", "/s", step -> Integer.toString(step.load()));
  }

  @Test
  void once_whatTheRowAboveHas_isBlank_unlessSomethingBeforeItDiffers() {
    List<List<Optional<String>>> cells =
        sheet().table(STEPS).rows().stream().map(Row::cells).toList();

    assertEquals(
        List.of(row("a", "1", "10"), row("", "", "20"), row("", "2", "10"), row("b", "2", "10")),
        cells);
  }

  private static List<Optional<String>> row(String... cells) {
    return List.of(cells).stream().map(Optional::of).toList();
  }

  @Test
  void groupedBy_aKeyThatChanges_startsAGroup_butNotAtTheFirstRow() {
    Table table = sheet().groupedBy(step -> List.of(step.arm(), step.round())).table(STEPS);

    assertEquals(
        List.of(false, false, true, true), table.rows().stream().map(Row::startsGroup).toList());
  }

  @Test
  void ifAny_aColumnWithoutACellInAnyRow_isLeftOut() {
    Sheet<Step> reads = sheet().one("reads", "MB/s", Step::reads).ifAny().word("end", Step::arm);

    assertEquals(List.of("arm", "round", "load", "reads", "end"), names(reads.table(STEPS)));
    assertEquals(List.of("arm", "round", "load", "end"), names(reads.table(STEPS.subList(2, 4))));
    assertEquals(Optional.of("1.3"), reads.table(STEPS).rows().get(1).cells().get(3));
    assertEquals(Optional.empty(), reads.table(STEPS).rows().get(0).cells().get(3));
  }

  @Test
  void when_notWanted_isWithoutTheColumn() {
    assertEquals(List.of("arm", "round"), names(sheet().when(false).table(STEPS)));
    assertEquals(List.of("arm", "round", "load"), names(sheet().when(true).table(STEPS)));
  }

  @Test
  void table_countsTheWordsAtItsBeginning_andKnowsItsWidth() {
    assertEquals(1, sheet().table(STEPS).labelColumns());
    assertTrue(Sheet.<Step>wide("Steps").word("arm", Step::arm).table(STEPS).isWide());
    assertEquals(List.of(), sheet().table(List.of()).rows());
  }

  private static List<String> names(Table table) {
    return table.columns().stream().map(Column::name).toList();
  }
}
