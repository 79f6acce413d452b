package io.weir.agent.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.agent.process.AgentProcess.LuceneVersion;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LuceneVersionTest {

  @Test
  void of_thisLoader_isItsLucene() throws Exception {
    LuceneVersion version = LuceneVersion.of(Version.class.getClassLoader());

    assertEquals(new LuceneVersion(Version.LATEST.major, Version.LATEST.minor), version);
    assertTrue(version.isSupported());
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.11.4", "9.11.1", "10.7.0", "11.0.0"})
  void isSupported_outOfRange_isFalse(String version) {
    assertFalse(LuceneVersion.parse(version).isSupported());
  }

  @Test
  void isSupported_atBothEnds_isTrue() {
    assertTrue(LuceneVersion.OLDEST.isSupported());
    assertTrue(LuceneVersion.NEWEST.isSupported());
  }
}
