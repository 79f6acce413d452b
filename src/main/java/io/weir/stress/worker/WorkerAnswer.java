package io.weir.stress.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.weir.run.Part;
import io.weir.run.RunWarning;
import java.util.List;
import java.util.Optional;

/** What a worker JVM leaves when it has done its {@link StressTask}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "answer")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WorkerAnswer.IndexMade.class, name = "index-made"),
  @JsonSubTypes.Type(value = WorkerAnswer.QueriesDrawn.class, name = "queries-drawn"),
  @JsonSubTypes.Type(value = WorkerAnswer.ArmEnded.class, name = "arm-ended")
})
public sealed interface WorkerAnswer {

  /**
   * An index was built or rewritten.
   *
   * @param documents how many it holds; 0 if there were none, or the worker was stopped
   * @param problems how many inputs could not be read as a document
   * @param examples the first of them, as file, line and reason
   * @param stopped whether the worker was stopped before the end
   */
  record IndexMade(long documents, long problems, List<String> examples, boolean stopped)
      implements WorkerAnswer {

    /** What a reader of the run must know of the documents; empty if all could be read. */
    public Optional<RunWarning> warning() {
      return problems == 0
          ? Optional.empty()
          : Optional.of(
              new RunWarning(
                  "%d %s malformed; the first: %s"
                      .formatted(
                          problems,
                          problems == 1
                              ? "place in the documents is"
                              : "places in the documents are",
                          String.join("; ", examples)),
                  "damaged, truncated or unreadable input",
                  "look at the places named; everything else was indexed"));
    }
  }

  /**
   * Queries were drawn.
   *
   * @param complete false if the worker was stopped before all were drawn; then there is no file
   */
  record QueriesDrawn(boolean complete) implements WorkerAnswer {}

  /** An arm ran, or refused to begin. */
  record ArmEnded(Part result) implements WorkerAnswer {}
}
