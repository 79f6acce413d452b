package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.NodeCap.Schedule;
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
  private static final Schedule ALWAYS = schedule("00:00-24:00 10");

  private final ByteBudget budget = ByteBudget.perSecond(40);
  private final NodeCap cap = new NodeCap(budget, ZoneOffset.UTC);

  private static Schedule schedule(String text) {
    return Schedule.parse("setting", text, (setting, rate) -> Rate.perSecond(Long.parseLong(rate)));
  }

  /** A window that comes neither today nor tomorrow. */
  private static Schedule inThreeDays() {
    DayOfWeek day = LocalDate.now(ZoneOffset.UTC).plusDays(3).getDayOfWeek();
    return schedule(day.getDisplayName(TextStyle.SHORT, Locale.ROOT) + " 00:00-24:00 10");
  }

  private static boolean isThreadAlive() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("weir-scheduled-rate"));
  }

  @Test
  void hoursThatHoldNow_haveTheirCap_andTheNodesComesBack() {
    cap.setSchedule(ALWAYS);
    assertEquals(Rate.perSecond(10), budget.rate());
    assertEquals("00:00-24:00 10", cap.schedule().text());
    cap.setCap(Rate.perSecond(50));
    assertEquals(Rate.perSecond(10), budget.rate());
    cap.setSchedule(Schedule.NONE);
    assertEquals(Rate.perSecond(50), budget.rate());
    cap.setCap(Rate.perSecond(60));
    assertEquals(Rate.perSecond(60), budget.rate());
    cap.close();
  }

  @Test
  void hoursThatDoNotHoldNow_leaveTheNodesCap() {
    cap.setSchedule(inThreeDays());
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
    cap.setSchedule(inThreeDays());
    assertTrue(isThreadAlive());
    cap.close();
    cap.close();
    assertFalse(isThreadAlive());
    cap.setSchedule(ALWAYS);
    assertFalse(isThreadAlive());
  }

  @Test
  void blankHours_areNone() {
    assertEquals(Schedule.NONE, schedule("  "));
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

  @Test
  void rate_isACapInRange_orNone_andElseIsRefusedByName() {
    assertEquals(Rate.perSecond(1), NodeCap.rate("setting", 1));
    assertEquals(Rate.UNLIMITED, NodeCap.rate("setting", -1));
    assertEquals(CAP, NodeCap.rate("setting", "40", Long::parseLong));
    for (String[] wrong :
        new String[][] {
          {"0", "setting must be at least 1 byte, or -1 for no cap: 0b"},
          {"-2", "setting must be at least 1 byte, or -1 for no cap: -2b"},
          {"17179869185", "setting must be at most 17179869184b: 17179869185b"},
          {"fast", "setting must have a cap such as 10mb in each window, or -1 for no cap: fast"}
        }) {
      assertEquals(
          wrong[1],
          assertThrows(
                  IllegalArgumentException.class,
                  () -> NodeCap.rate("setting", wrong[0], Long::parseLong))
              .getMessage());
    }
  }

  @Test
  void parse_ofSomethingElse_isRefusedWithARateAsEnginesWriteIt() {
    assertEquals(
        "setting must be windows such as Mon-Fri 09:00-17:00 10mb, separated by semicolons: nights",
        assertThrows(IllegalArgumentException.class, () -> schedule("nights")).getMessage());
  }
}
