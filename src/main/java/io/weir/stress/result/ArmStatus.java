package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How an arm ended. */
public enum ArmStatus {
  /** Every phase ran to its end. */
  @JsonProperty("done")
  DONE,
  /** The user stopped it; its figures cover what ran until then. */
  @JsonProperty("interrupted")
  INTERRUPTED,
  /** Its JVM crashed or gave up: a {@link FailedArm}. */
  @JsonProperty("failed")
  FAILED
}
