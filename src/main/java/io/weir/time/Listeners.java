package io.weir.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The listeners of something. One that throws disturbs neither what it listens to nor the others;
 * its first failure is logged, and it is still called.
 *
 * <p><b>Threads:</b> any. A listener that is added or removed during a call hears of the next one.
 *
 * @param <L> what they implement
 */
public final class Listeners<L> {

  private final OnceLog log;
  private final String failure;
  private final AtomicLong failures = new AtomicLong();
  private volatile List<L> all = List.of(); // replaced under this, never changed

  /**
   * None yet.
   *
   * @param log of what they listen to; the first message of all counts
   * @param failure what is logged when one fails
   */
  public Listeners(OnceLog log, String failure) {
    this.log = Objects.requireNonNull(log, "log");
    this.failure = Objects.requireNonNull(failure, "failure");
  }

  /** Adds a listener. */
  public void add(L listener) {
    Objects.requireNonNull(listener, "listener");
    synchronized (this) {
      List<L> more = new ArrayList<>(all);
      more.add(listener);
      all = List.copyOf(more);
    }
  }

  /** Removes a listener; one that was added twice is still called once. */
  public void remove(L listener) {
    Objects.requireNonNull(listener, "listener");
    synchronized (this) {
      List<L> less = new ArrayList<>(all);
      less.remove(listener);
      all = List.copyOf(less);
    }
  }

  /** Calls each listener. */
  public void tell(Consumer<? super L> news) {
    Objects.requireNonNull(news, "news");
    tell(news, (listener, each) -> each.accept(listener));
  }

  /** The same. Allocates nothing, if {@code news} captures nothing. */
  public <A> void tell(A about, BiConsumer<? super L, ? super A> news) {
    Objects.requireNonNull(about, "about");
    Objects.requireNonNull(news, "news");
    List<L> now = all;
    for (int i = 0; i < now.size(); i++) {
      try {
        news.accept(now.get(i), about);
      } catch (Throwable thrown) {
        failures.incrementAndGet();
        log.warn(failure, thrown);
      }
    }
  }

  /** How often a listener threw. */
  public long failures() {
    return failures.get();
  }
}
