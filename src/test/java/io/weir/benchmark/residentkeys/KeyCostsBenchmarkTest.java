package io.weir.benchmark.residentkeys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class KeyCostsBenchmarkTest {

  private static final int KEYS = 4000;

  @TempDir Path directory;

  @Test
  @Timeout(120)
  void measure_aFewKeys_denseOnesTakeLeastAndTextMoreThanBytes() throws Exception {
    Conditions conditions =
        new Conditions(true, directory, new PrintStream(OutputStream.nullOutputStream()));
    Map<KeyForm, Long> bytes = new KeyCostsBenchmark().measure(KEYS, conditions);

    assertEquals(KeyForm.values().length, bytes.size());
    assertTrue(bytes.get(KeyForm.DENSE) < bytes.get(KeyForm.UUID_BINARY), bytes.toString());
    assertTrue(bytes.get(KeyForm.UUID_BINARY) < bytes.get(KeyForm.UUID_TEXT), bytes.toString());
    assertTrue(bytes.get(KeyForm.UUID_BINARY) < 20L * KEYS, bytes.toString());
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
  }
}
