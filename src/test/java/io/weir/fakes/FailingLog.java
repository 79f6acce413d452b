package io.weir.fakes;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** While this is open, a package's log throws, as one on a full disk may. */
public final class FailingLog extends Handler implements AutoCloseable {

  private final Logger logger;
  private final AtomicInteger calls = new AtomicInteger();

  private FailingLog(Logger logger) {
    this.logger = logger;
  }

  /** Of the logger with the name of {@code logging}, and of those below it. */
  public static FailingLog of(Package logging) {
    FailingLog log = new FailingLog(Logger.getLogger(logging.getName()));
    log.logger.addHandler(log);
    return log;
  }

  /** How often it has thrown. */
  public int calls() {
    return calls.get();
  }

  @Override
  public void publish(LogRecord message) {
    calls.incrementAndGet();
    throw new IllegalStateException("the log fails on purpose");
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
