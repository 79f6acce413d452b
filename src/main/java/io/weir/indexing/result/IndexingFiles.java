package io.weir.indexing.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The files of one run directory of {@code weir index}.
 *
 * <p><b>Threads:</b> immutable. <b>Failure:</b> a file is replaced as a whole or not at all. A run
 * that cannot be read is an {@link IOException} whose message is fit for a user.
 *
 * @param directory need not exist before the first write
 */
public record IndexingFiles(Path directory) {

  /** The form of {@code run.json} that this version writes, and the only one that it reads. */
  public static final int SCHEMA_VERSION = 1;

  /** The word in {@code run.json} that says which command wrote it. */
  public static final String EXPERIMENT = "index";

  /** All results and what they were measured on. */
  public Path runJson() {
    return directory.resolve("run.json");
  }

  /** One line a sample. */
  public Path seriesCsv() {
    return directory.resolve("series.csv");
  }

  /** The page to look at. */
  public Path reportHtml() {
    return directory.resolve("report.html");
  }

  /** Whether this is the directory of such a run, and not of another command. */
  public boolean isIndexingRun() {
    try {
      return RunJson.parse(Files.readString(runJson()))
          .path("experiment")
          .asText()
          .equals(EXPERIMENT);
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes {@code run.json}, and the directory when it is not there yet. */
  public void write(IndexingResult run) throws IOException {
    RunJson.write(runJson(), run);
  }

  /** Reads {@code run.json}. */
  public IndexingResult readRun() throws IOException {
    try {
      JsonNode tree = RunJson.parse(Files.readString(runJson()));
      int version = tree.path("schemaVersion").asInt();
      if (version != SCHEMA_VERSION) {
        throw new IOException(
            "%s was written by another version of Weir: schemaVersion must be %d: %d"
                .formatted(runJson(), SCHEMA_VERSION, version));
      }
      return RunJson.ofTree(tree, IndexingResult.class);
    } catch (NoSuchFileException e) {
      throw new IOException("not a run directory, it has no run.json: " + directory, e);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s cannot be read as a run: %s".formatted(runJson(), e.getOriginalMessage()), e);
    }
  }
}
