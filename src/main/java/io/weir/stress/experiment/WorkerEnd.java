package io.weir.stress.experiment;

import io.weir.run.Failure;

/** How a worker ended. */
public sealed interface WorkerEnd {

  /**
   * It did its task.
   *
   * @param answer the record that answers a task of its kind
   */
  record Answered(Object answer) implements WorkerEnd {}

  /** It could not be run, crashed, or left no answer. */
  record Failed(Failure failure) implements WorkerEnd {}

  /**
   * The answer.
   *
   * @param expected what answers the task
   * @param doing the task, for the message: {@code building the index}
   * @throws StressException when the worker failed
   */
  default <A> A orThrow(Class<A> expected, String doing) throws StressException {
    return switch (this) {
      case Answered(Object answer) -> expected.cast(answer);
      case Failed(Failure failure) ->
          throw new StressException(
              StressException.Kind.BROKEN,
              failure.lastLines().isEmpty()
                  ? "%s failed: %s".formatted(doing, failure.reason())
                  : "%s failed, %s:%n%s"
                      .formatted(doing, failure.reason(), String.join("\n", failure.lastLines())));
    };
  }
}
