package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.SmallIndex;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LuceneSourceTest {

  @TempDir Path temp;

  /** Of two runs that began at once to build one index, the loser deleted the winner's files. */
  @Test
  void discardUnfinished_whileAnotherRunBuildsThere_deletesNothingAndSaysSo() throws Exception {
    Path index = Files.createDirectory(temp.resolve("index"));
    Files.writeString(index.resolve("_0.fdt"), "being written by another run");
    IndexLock others = IndexLock.hold(index);
    try {
      StressException refused =
          assertThrows(StressException.class, () -> LuceneSource.discardUnfinished(index));
      assertEquals(StressException.Kind.USAGE, refused.kind());
    } finally {
      others.close();
    }
    assertTrue(Files.exists(index.resolve("_0.fdt")));
  }

  @Test
  void discardUnfinished_anotherRunHasBuiltItMeanwhile_keepsTheIndex() throws Exception {
    Path index = SmallIndex.build(temp.resolve("index"), 50);
    LuceneSource.discardUnfinished(index);
    assertTrue(IndexLock.holdsIndex(index));
  }

  @Test
  void discardUnfinished_filesOfOurOwnBuild_areDeleted() throws Exception {
    Path index = Files.createDirectory(temp.resolve("index"));
    Files.writeString(index.resolve("_0.fdt"), "of a build that failed");
    LuceneSource.discardUnfinished(index);
    assertFalse(Files.exists(index.resolve("_0.fdt")));
  }
}
