package io.weir.fakes;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class or a package logs while this is open. */
public final class CapturedLog extends Handler implements AutoCloseable {

  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private CapturedLog(Logger logger) {
    this.logger = logger;
  }

  /** Of the logger with the name of {@code type}. */
  public static CapturedLog of(Class<?> type) {
    return of(type.getName());
  }

  /** Of the logger with the name of {@code logging}, and of those below it. */
  public static CapturedLog of(Package logging) {
    return of(logging.getName());
  }

  private static CapturedLog of(String logger) {
    CapturedLog log = new CapturedLog(Logger.getLogger(logger));
    log.logger.addHandler(log);
    return log;
  }

  public List<LogRecord> records() {
    return List.copyOf(records);
  }

  public List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
