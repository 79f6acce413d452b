package io.weir.stress.experiment;

import io.weir.run.FailureWords;
import io.weir.run.RunFiles;
import io.weir.stress.experiment.StressException.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory of a run while it runs. Its directory of temporary files ({@link RunFiles#scratch})
 * is the claim that keeps another run out.
 *
 * <p><b>Ownership:</b> {@link #close} deletes the temporary files, and what is still empty of the
 * directories that were made.
 */
public final class RunDirectory implements AutoCloseable {

  private final FreshDirectory made;
  private final Path scratch;

  private RunDirectory(FreshDirectory made, Path scratch) {
    this.made = made;
    this.scratch = scratch;
  }

  /**
   * Makes the directory and claims it.
   *
   * @throws StressException if it cannot be made, or another run has it
   */
  public static RunDirectory claim(Path out) throws StressException, IOException {
    FreshDirectory made = FreshDirectory.make("--out", out);
    RunFiles files = new RunFiles(out);
    Path scratch = files.scratch();
    try {
      Files.createDirectory(scratch);
      Files.createFile(files.claim());
      return new RunDirectory(made, scratch);
    } catch (FileAlreadyExistsException e) {
      throw new StressException(Kind.USAGE, "--out is in use by another run: " + out);
    } catch (IOException e) {
      IndexCopy.deleteTree(scratch);
      made.close();
      throw new StressException(
          Kind.USAGE,
          "--out must be a directory that can be written: "
              + out
              + " ("
              + FailureWords.of(e)
              + ")");
    }
  }

  @Override
  public void close() throws IOException {
    IndexCopy.deleteTree(scratch);
    made.close();
  }
}
