package io.weir.stress.worker;

import io.weir.jfr.WeirEvents;
import io.weir.procfs.Procfs;
import io.weir.stress.arm.ArmObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * The flight recorder of an arm's JVM, with what the JDK records by default and Weir's own events;
 * the index has the arm's name. An interrupted arm leaves its file too.
 *
 * @param file where the recording goes
 * @param arm its name
 */
record ArmRecording(Path file, String arm) implements ArmObserver {

  private static final String JDK_DEFAULT = "default";

  @Override
  public Observation open(Parts parts) throws IOException {
    WeirEvents events = new WeirEvents();
    parts.budget().ifPresent(events::add);
    parts.goal().ifPresent(events::add);
    parts.scheduler().ifPresent(scheduler -> events.add(arm, scheduler));
    events.add(arm, parts.reopens());
    events.addDirtyPages(Procfs.SYSTEM);
    Recording recording = start();
    return () -> {
      events.close();
      if (recording.getState()
          == RecordingState.RUNNING) { // else the JVM is shutting down and has stopped it
        recording.stop();
      }
      recording.close();
    };
  }

  private Recording start() throws IOException {
    try {
      Recording recording = new Recording(Configuration.getConfiguration(JDK_DEFAULT));
      recording.setName(arm);
      recording.setDestination(file);
      recording.setDumpOnExit(true);
      recording.start();
      return recording;
    } catch (ParseException e) {
      throw new IOException("the JDK's own settings of its flight recorder: " + e.getMessage(), e);
    }
  }
}
