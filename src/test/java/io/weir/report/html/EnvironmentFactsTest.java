package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentFactsTest {

  @Test
  void environment_anyTree_isShownWithUnitsAndWithoutWhatIsAbsent() throws IOException {
    String tree =
        """
        {"cpu": {"model": "M", "logicalCores": 8, "speed": null}, "memoryBytes": 16700000000,
         "jvm": {"flags": ["-Xmx1g", "-ea"]}, "storage": {}, "newerThanUs": true}
        """;
    assertEquals(
        Map.of(
            "cpu", "model M, logical cores 8",
            "memory", "16.7 GB",
            "jvm", "flags -Xmx1g -ea",
            "newer than us", "true"),
        EnvironmentFacts.of(new ObjectMapper().readTree(tree)));
  }

  @Test
  void commandLine_argumentsForAShell_areQuotedOnlyWhereNeeded() {
    assertEquals(
        "stress --out=x 'a b' 'it'\\''s' ''",
        EnvironmentFacts.commandLine(List.of("stress", "--out=x", "a b", "it's", "")));
  }
}
