package io.weir.jvm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A worker that is a shell script, where a JVM would have to misbehave. */
public final class ScriptedJvm {

  private ScriptedJvm() {}

  /** Starts one in {@code directory}; its standard error goes to a file there. */
  public static WorkerJvm start(Path directory, String script) throws Exception {
    Path java = Files.writeString(directory.resolve("java.sh"), "#!/bin/sh\n" + script + "\n");
    assertTrue(java.toFile().setExecutable(true));
    return WorkerJvm.start(
        "its JVM",
        new JvmCommand(Optional.of(java.toString()), List.of()),
        ScriptedJvm.class,
        new SmallWorker.Work(),
        directory.resolve("errors.txt"),
        Map.of());
  }

  /** A command of the script that says a message; the text of it has no apostrophe. */
  public static String saying(Object message) {
    return saying(WorkerLine.Kind.MESSAGE, message);
  }

  /** A command of the script that gives its answer, which is to be its last. */
  public static String answering(Object answer) {
    return saying(WorkerLine.Kind.ANSWER, answer);
  }

  /** Commands of the script that end it because of a full disk. */
  public static String endingOnAFullDisk(String reason) {
    return saying(WorkerLine.Kind.FULL, new WorkerJvm.Full(reason)) + "; exit " + Worker.DISK_FULL;
  }

  static String saying(WorkerLine.Kind kind, Object record) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try {
      WorkerLine.of(kind, record).writeTo(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "echo '" + line.toString(StandardCharsets.UTF_8).strip() + "'";
  }
}
