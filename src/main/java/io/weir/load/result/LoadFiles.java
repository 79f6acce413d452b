package io.weir.load.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of a run of {@code weir load}.
 *
 * <p><b>Failure:</b> a run that cannot be read is an {@link IOException} whose message is fit for a
 * user.
 */
public record LoadFiles(Path directory) {

  /** All results. */
  public Path loadJson() {
    return directory.resolve("load.json");
  }

  /** Whether this is the directory of such a run. */
  public boolean isLoadRun() {
    return Files.exists(loadJson());
  }

  /** The page to look at. */
  public Path reportHtml() {
    return directory.resolve("report.html");
  }

  /** p99 against load, a picture to put elsewhere. */
  public Path reportSvg() {
    return directory.resolve("report.svg");
  }

  /** Each request of an arm in a round, one a line, compressed. */
  public Path requests(String arm, int round) {
    return ofArm("requests", arm, round, ".csv.gz");
  }

  /** Response times of an arm in a round: a histogram for each step, tagged with its number. */
  public Path histograms(String arm, int round) {
    return ofArm("responses", arm, round, ".hlog");
  }

  /** Heap, resident memory and counters of the server, ten times a second. */
  public Path series(String arm, int round) {
    return ofArm("series", arm, round, ".csv");
  }

  /** Pauses of the server's collector. */
  public Path gc(String arm, int round) {
    return ofArm("gc", arm, round, ".csv");
  }

  private Path ofArm(String what, String arm, int round, String ending) {
    return directory.resolve(what + "-" + RunFiles.stem(arm) + "-" + round + ending);
  }

  /** Writes {@code load.json}. */
  public void write(LoadRun run) throws IOException {
    RunJson.write(loadJson(), run);
  }

  /** Reads {@code load.json}. */
  public LoadRun read() throws IOException {
    try {
      LoadRun run = RunJson.ofTree(RunJson.parse(Files.readString(loadJson())), LoadRun.class);
      if (run.schemaVersion() != LoadRun.SCHEMA_VERSION) {
        throw new IOException(
            "%s was written by another version of Weir: schemaVersion must be %d: %d"
                .formatted(loadJson(), LoadRun.SCHEMA_VERSION, run.schemaVersion()));
      }
      return run;
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s cannot be read as a run: %s".formatted(loadJson(), e.getOriginalMessage()), e);
    }
  }
}
