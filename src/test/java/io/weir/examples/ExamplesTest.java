package io.weir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples do what they say. */
@Timeout(60)
class ExamplesTest {

  @TempDir Path temp;

  @Test
  void plainLucene_keepsTheLastVersionOfEach() throws Exception {
    String said = PlainLucene.run(temp);
    assertTrue(
        said.matches("3000 documents, 1 of version 9999, [1-9]\\d* bytes merged, \\d+ reopens"),
        said);
  }

  @Test
  void collectedBinders_areBoundAndClosed() throws Exception {
    assertEquals("1 reopen, 0 meters left", CollectedBinders.run(temp));
  }
}
