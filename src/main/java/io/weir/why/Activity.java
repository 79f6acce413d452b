package io.weir.why;

import io.weir.lucene.StackFrames;
import io.weir.nrt.CauseRules;
import java.util.List;

/** What a thread of an application with Lucene does, by its stack. */
enum Activity {
  REFRESH("refreshes"),
  MERGE("merges"),
  COMMIT("commits"),
  FLUSH("flushes"),
  SEARCH("searches"),
  INDEXING("indexing"),
  OTHER("other work");

  private final String label;

  Activity(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** That of a stack, innermost frame first; a refresh goes before what it does. */
  static Activity of(List<StackTraceElement> frames) {
    return CauseRules.refresh(frames).isEmpty()
        ? StackFrames.Work.of(frames).map(work -> valueOf(work.name())).orElse(OTHER)
        : REFRESH;
  }
}
