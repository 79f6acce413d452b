package io.weir.stress.arm.meters;

import java.io.IOException;

/** What is looked at ten times a second while an arm runs. <b>Threads:</b> one at a time. */
public interface SampleSource {

  /** Writes one line about now. */
  void sample() throws IOException;
}
