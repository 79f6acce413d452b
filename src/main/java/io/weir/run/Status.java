package io.weir.run;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a part of a run ended. */
public enum Status {
  /** It ran to its end. */
  @JsonProperty("done")
  DONE,
  /** The user stopped it; its figures cover what ran until then. */
  @JsonProperty("interrupted")
  INTERRUPTED,
  /** Its JVM crashed or gave up: it has no figures, or those of the steps before. */
  @JsonProperty("failed")
  FAILED
}
