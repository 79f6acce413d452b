package io.weir.report.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.html.Html;
import io.weir.report.words.Remarks;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.QuickRun;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadTextTest {

  private static Part round(int number) {
    return Part.of(Part.Kind.ARM, "stock", number, Status.DONE, Map.of(), Values.NONE)
        .withWarnings(
            List.of(
                new RunWarning("the client stood still in %d steps".formatted(number), "c", "r")));
  }

  private static Run run(int rounds) {
    QuickRun run = new QuickRun();
    run.kind = Run.Kind.LOAD;
    return run.result(IntStream.rangeClosed(1, rounds).mapToObj(LoadTextTest::round).toList());
  }

  @Test
  void warnings_thatDifferInNumbersOnly_areSaidOnce() {
    String text = new LoadText(false).render(run(3));

    assertEquals(2, text.split("WARNING").length, text);
    assertTrue(text.contains("the client stood still in 1 to 3 steps, in every round"), text);
    String page = Html.notes(Remarks.of(run(3)));
    assertEquals(2, page.split("<details").length, page);
    assertEquals(2, page.split("<li>").length, page);
  }
}
