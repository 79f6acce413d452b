package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.RunFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {

  @TempDir Path temp;

  @Test
  void claim_ofADirectoryThatAnotherRunHas_isRefusedAndLeavesItAlone() throws Exception {
    Path out = temp.resolve("runs/one");
    Experiment.RunDirectory first = Experiment.RunDirectory.claim(out);
    StressException refused =
        assertThrows(StressException.class, () -> Experiment.RunDirectory.claim(out));
    assertEquals("--out is in use by another run: " + out, refused.getMessage());
    assertTrue(Files.isDirectory(new RunFiles(out).scratch()));
    first.close();
    assertFalse(Files.exists(temp.resolve("runs")), "nothing was written, so nothing is left");
  }

  @Test
  void close_ofARunThatLeftAFile_keepsIt() throws Exception {
    Path out = temp.resolve("runs/one");
    Experiment.RunDirectory run = Experiment.RunDirectory.claim(out);
    Files.writeString(new RunFiles(out).scratch().resolve("task.json"), "{}");
    Files.writeString(new RunFiles(out).runJson(), "{}");
    run.close();
    assertEquals(1, out.toFile().list().length);
  }
}
