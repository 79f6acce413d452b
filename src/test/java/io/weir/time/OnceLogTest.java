package io.weir.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CapturedLog;
import io.weir.fakes.FailingLog;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
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

  /** Before, each message came from {@code io.weir.time.OnceLog write}. */
  @Test
  void source_isTheClassThatSpeaks() {
    try (CapturedLog log = CapturedLog.of(OnceLogTest.class)) {
      once.warn("once", new IllegalStateException("on purpose"));
      new OnceLog(OnceLogTest.class).log(Level.WARNING, "short");
      OnceLog.write(OnceLogTest.class, Level.WARNING, "always");
      OnceLog.write(OnceLogTest.class, Level.WARNING, "cause", new Error("on purpose"));
      new Inner().speak();
      assertEquals(5, log.records().size(), log.messages().toString());
      for (LogRecord record : log.records()) {
        assertEquals(OnceLogTest.class.getName(), record.getLoggerName(), record::getMessage);
        assertTrue(
            record.getSourceClassName().startsWith(OnceLogTest.class.getName()),
            record::getSourceClassName);
        assertTrue(
            new SimpleFormatter().format(record).contains(OnceLogTest.class.getName()),
            () -> new SimpleFormatter().format(record));
      }
    }
  }

  @Test
  void log_asAnyLogger_writesTheFirstWithItsParameters() {
    try (CapturedLog log = CapturedLog.of(OnceLogTest.class)) {
      assertEquals(OnceLogTest.class.getName(), once.getName());
      assertTrue(once.isLoggable(Level.WARNING));
      once.log(Level.WARNING, "{0} of {1}", 1, 2);
      once.log(Level.WARNING, "again", new Error("on purpose"));
      assertFalse(once.isLoggable(Level.WARNING));
      assertEquals(
          List.of("1 of 2"),
          log.records().stream().map(new SimpleFormatter()::formatMessage).toList());
    }
  }

  /** It has the logger of the class around it. */
  private static final class Inner {
    void speak() {
      OnceLog.write(Inner.class, Level.INFO, "inner");
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
