package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.NodeCap.Hours;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeCapTest {

  private static final Rate CAP = Rate.perSecond(40);
  private static final Hours ALWAYS = hours("00:00-24:00 10");

  private final ByteBudget budget = ByteBudget.perSecond(40);
  private final NodeCap cap = new NodeCap(budget, ZoneOffset.UTC);

  private static Hours hours(String text) {
    return Hours.parse("setting", text, (setting, rate) -> Rate.perSecond(Long.parseLong(rate)));
  }

  /** Hours that do not come today or tomorrow. */
  private static Hours inThreeDays() {
    DayOfWeek day = LocalDate.now(ZoneOffset.UTC).plusDays(3).getDayOfWeek();
    return hours(day.getDisplayName(TextStyle.SHORT, Locale.ROOT) + " 00:00-24:00 10");
  }

  private static boolean isThreadAlive() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("weir-scheduled-rate"));
  }

  @Test
  void hoursThatHoldNow_haveTheirCap_andTheNodesComesBack() {
    cap.setHours(ALWAYS);
    assertEquals(Rate.perSecond(10), budget.rate());
    assertEquals("00:00-24:00 10", cap.hours().text());
    cap.setCap(Rate.perSecond(50));
    assertEquals(Rate.perSecond(10), budget.rate());
    cap.setHours(Hours.NONE);
    assertEquals(Rate.perSecond(50), budget.rate());
    cap.setCap(Rate.perSecond(60));
    assertEquals(Rate.perSecond(60), budget.rate());
    cap.close();
  }

  @Test
  void hoursThatDoNotHoldNow_leaveTheNodesCap() {
    cap.setHours(inThreeDays());
    assertEquals(CAP, budget.rate());
    cap.setCap(Rate.UNLIMITED);
    assertEquals(Rate.UNLIMITED, budget.rate());
    cap.close();
  }

  @Test
  void thread_isThereFromTheFirstHoursOn_untilTheClose() {
    cap.setCap(Rate.perSecond(50));
    assertEquals(Rate.perSecond(50), budget.rate());
    assertFalse(isThreadAlive());
    cap.setHours(inThreeDays());
    assertTrue(isThreadAlive());
    cap.close();
    cap.close();
    assertFalse(isThreadAlive());
    cap.setHours(ALWAYS);
    assertFalse(isThreadAlive());
  }

  @Test
  void blankHours_areNone() {
    assertEquals(Hours.NONE, hours("  "));
  }

  @Test
  void zone_isThatOfTheName_orTheMachines() {
    assertEquals(ZoneId.of("Europe/Berlin"), NodeCap.zone("setting", " Europe/Berlin"));
    assertEquals(ZoneId.systemDefault(), NodeCap.zone("setting", ""));
    assertEquals(
        "setting must be a time zone such as Europe/Berlin or UTC: Berlin",
        assertThrows(IllegalArgumentException.class, () -> NodeCap.zone("setting", "Berlin"))
            .getMessage());
  }
}
