package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreshDirectoryTest {

  @TempDir Path temp;

  @Test
  void close_nothingPutIn_takesBackWhatWasMade() throws Exception {
    Path mine = Files.createDirectory(temp.resolve("mine"));
    FreshDirectory fresh = new FreshDirectory(mine.resolve("a/b/c"));
    assertTrue(Files.isDirectory(mine.resolve("a/b/c")));

    fresh.close();

    assertTrue(Files.isDirectory(mine));
    assertEquals(0, mine.toFile().list().length);
  }

  @Test
  void close_aFilePutIn_staysWithItsParents() throws Exception {
    FreshDirectory fresh = new FreshDirectory(temp.resolve("a/b"));
    Files.writeString(temp.resolve("a/b/run.json"), "x");

    fresh.close();

    assertTrue(Files.exists(temp.resolve("a/b/run.json")));
  }

  @Test
  void close_directoryWasThereAndIsEmpty_leavesIt() throws Exception {
    Path mine = Files.createDirectory(temp.resolve("mine"));

    new FreshDirectory(mine).close();

    assertTrue(Files.exists(mine));
    assertFalse(Files.exists(temp.resolve("other")));
  }
}
