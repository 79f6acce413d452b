package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineDataTest {

  @TempDir Path temp;

  /** A server appends to its transaction log, and must not do so in the copy of another arm. */
  @Test
  void copy_segmentsAreLinkedAndAllElseIsCopied() throws Exception {
    Path shard = EngineData.data(temp.resolve("kept")).resolve("nodes/0/indices/u/0");
    Path segment = file(shard.resolve("index/_3_1.liv"));
    Path commit = file(shard.resolve("index/segments_4"));
    Path log = file(shard.resolve("translog/translog-5.tlog"));
    Path state = file(EngineData.data(temp.resolve("kept")).resolve("nodes/0/_state/_0.cfs"));

    EngineData.copy(temp.resolve("kept"), temp.resolve("copy"));

    for (Path file : new Path[] {segment, commit, log, state}) {
      Path copy =
          temp.resolve("copy").resolve(EngineData.data(temp.resolve("kept")).relativize(file));
      assertEquals(Files.readString(file), Files.readString(copy));
      boolean linked =
          Files.getAttribute(file, "unix:ino").equals(Files.getAttribute(copy, "unix:ino"));
      assertEquals(file.equals(segment), linked, copy.toString());
    }
  }

  @Test
  void stamp_untilItIsFilled_isEmpty() throws Exception {
    assertEquals(Optional.empty(), EngineData.stamp(temp));
  }

  @Test
  void isOfLucene_onlyFilesOfSegmentsInAShard() {
    assertTrue(EngineData.isOfLucene(Path.of("/d/indices/u/0/index/_a.cfs")));
    assertFalse(EngineData.isOfLucene(Path.of("/d/indices/u/0/index/segments_2")));
    assertFalse(EngineData.isOfLucene(Path.of("/d/indices/u/0/translog/_a.cfs")));
    assertFalse(EngineData.isOfLucene(Path.of("/d/indices/u/0/index/write.lock")));
  }

  private static Path file(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, file.toString());
  }
}
