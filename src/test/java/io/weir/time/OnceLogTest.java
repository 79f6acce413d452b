package io.weir.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CapturedLog;
import io.weir.fakes.FailingLog;
import java.lang.System.Logger.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnceLogTest {

  private final OnceLog once = new OnceLog(OnceLogTest.class);

  @Test
  void log_twoMessages_writesTheFirst() {
    try (CapturedLog log = CapturedLog.of(OnceLogTest.class.getPackage())) {
      once.warn("first", new IllegalStateException("on purpose"));
      once.log(Level.INFO, "second");
      assertEquals(List.of("first"), log.messages());
      assertEquals("on purpose", log.records().get(0).getThrown().getMessage());
    }
  }

  @Test
  void write_twice_writesBoth() {
    try (CapturedLog log = CapturedLog.of(OnceLogTest.class.getPackage())) {
      OnceLog.write(OnceLogTest.class, Level.WARNING, "{0} is as it is");
      OnceLog.write(OnceLogTest.class, Level.WARNING, "second", new Error("on purpose"));
      assertEquals(List.of("{0} is as it is", "second"), log.messages());
    }
  }

  @Test
  void log_thatThrows_isNotHeardOf() {
    try (FailingLog log = FailingLog.of(OnceLogTest.class.getPackage())) {
      once.log(Level.WARNING, "unheard");
      OnceLog.write(OnceLogTest.class, Level.WARNING, "unheard");
      OnceLog.write(OnceLogTest.class, Level.WARNING, "unheard", new Error("on purpose"));
      assertTrue(log.calls() > 0);
    }
  }
}
