package io.weir.rate;

import static io.weir.figure.Figure.Kind.LEVEL;
import static io.weir.figure.Shown.ANSWER;
import static io.weir.figure.Shown.BEAN;
import static io.weir.figure.Shown.METER;
import static io.weir.figure.Shown.RUN;
import static io.weir.figure.Shown.SAMPLE;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.of;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigures;

/**
 * The grants of a budget and of all budgets below it so far. Counts and wait time only grow. Each
 * figure is exact, but they are not read atomically: a grant in progress may be in one and not yet
 * in another.
 *
 * @param grantedBytes bytes granted, including debited ones
 * @param requests number of grants
 * @param delayedRequests grants that had to wait
 * @param waitNanos time that threads waited, summed over threads, including the waits in progress
 * @param waiting threads that wait now: the depth of the queue
 * @param debtBytes debt now: debited bytes that the rate has not yet paid back
 * @param forgivenBytes debited bytes that are never paid back, because the debt was at its limit, a
 *     lower rate lowered the limit, or the cap was lifted
 */
public record BudgetSnapshot(
    long grantedBytes,
    long requests,
    long delayedRequests,
    long waitNanos,
    int waiting,
    long debtBytes,
    long forgivenBytes) {

  /** What is shown of a budget. Its cap is a setting, and no figure. */
  public static final SourceFigures<BudgetSnapshot> FIGURES =
      SourceFigures.of(
              "lucene.merge.throttle",
              total(
                      "granted",
                      BYTES,
                      "Bytes granted, including those that did not wait",
                      BudgetSnapshot::grantedBytes)
                  .named(ANSWER, "charged_bytes")
                  .named(SAMPLE, "merge_charged_bytes")
                  .named(RUN, "bytesCharged"),
              total("requests", COUNT, "Grants of bytes", BudgetSnapshot::requests)
                  .without(ANSWER, SAMPLE, RUN),
              total("delayed", COUNT, "Grants that had to wait", BudgetSnapshot::delayedRequests)
                  .counting("requests")
                  .named(BEAN, "DelayedRequests")
                  .named(ANSWER, "waits")
                  .without(SAMPLE, RUN),
              total(
                      "wait",
                      NANOS,
                      "Time that threads waited, summed over threads",
                      BudgetSnapshot::waitNanos)
                  .without(METER) // a timer sums it
                  .named(BEAN, "WaitNanos", NANOS)
                  .named(SAMPLE, "paused_nanos")
                  .named(RUN, "pausedSeconds"),
              of(
                      "waiting",
                      Integer.class,
                      COUNT,
                      LEVEL,
                      "Threads that wait for the budget now",
                      BudgetSnapshot::waiting)
                  .counting("threads")
                  .named(ANSWER, "waiting_threads")
                  .named(SAMPLE, "paused_threads"),
              level(
                      "debt",
                      BYTES,
                      "Bytes that passed without waiting and are not paid back yet",
                      BudgetSnapshot::debtBytes)
                  .without(SAMPLE),
              total(
                      "forgiven",
                      BYTES,
                      "Bytes that passed without waiting and are never paid back",
                      BudgetSnapshot::forgivenBytes)
                  .named(RUN, "bytesForgiven")
                  .without(ANSWER, SAMPLE))
          .by("budget");
}
