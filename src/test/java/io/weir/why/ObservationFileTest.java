package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.why.SickApplication.Illness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read of a file, and how a broken one is refused. */
class ObservationFileTest {

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | was not written by weir why: it has no whySchemaVersion",
        "{\"whySchemaVersion\": 1, | cannot be read as JSON: Unexpected end-of-input",
        "[] | was not written by weir why: it has no whySchemaVersion",
        "{\"schemaVersion\": 3} | was not written by weir why: it has no whySchemaVersion",
        "{\"whySchemaVersion\": 2} | was written by another version of Weir: whySchemaVersion must be 1: 2",
        "{\"whySchemaVersion\": 1} | is broken: facts must be an object",
        "{\"whySchemaVersion\": 1, \"facts\": {\"stacks\": 7}} | is broken: facts.stacks must be a number and its unit",
        "{\"whySchemaVersion\": 1, \"facts\": {}} | is broken: stacks must be a list",
        "{\"whySchemaVersion\": 1, \"facts\": {}, \"stacks\": [{\"cause\": \"magic\", \"frames\": []}]} | is broken: stacks.cause must be a cause that this version knows: magic",
        "{\"whySchemaVersion\": 1, \"facts\": {}, \"stacks\": []} | is broken: series must be an object",
      })
  void read_ofABrokenFile_isRefusedWithItsNameAndWhatIsWrong(String text, String wrong)
      throws Exception {
    Path file = Files.writeString(temp.resolve("a.json"), text == null ? "" : text);

    String message = refusal(file);

    assertEquals(
        file + " " + wrong,
        message.substring(0, Math.min(message.length(), (file + " " + wrong).length())));
  }

  @Test
  void read_ofNoFile_ofADirectoryWithoutOne_andOfBytes_isRefusedWithItsName() throws Exception {
    assertEquals(
        temp.resolve("none") + " cannot be read: there is no such file or directory",
        refusal(temp.resolve("none")));
    assertEquals(
        temp.resolve("why.json") + " cannot be read: there is no such file or directory",
        refusal(temp));
    Path bytes = Files.write(temp.resolve("bytes"), new byte[] {(byte) 0xFF, (byte) 0xFE});
    assertEquals(bytes + " cannot be read: it is no UTF-8 text", refusal(bytes));
  }

  private static String refusal(Path file) {
    return assertThrows(WhyException.class, () -> ObservationFile.read(file)).getMessage();
  }

  @Test
  void read_ofAFactThatThisVersionDoesNotKnow_hasItsIdForALabel() throws Exception {
    String text = new WhyReport(Recorded.of(Illness.WARMING)).json();
    Path file =
        Files.writeString(
            temp.resolve("a.json"),
            text.replace("\"refresh.longest\"", "\"heap.surprise\"")
                .replace("\"dirty.peak\"", "\"io.pressure2\""));

    Set<Fact> facts = ObservationFile.read(file).facts().keySet();

    assertEquals(
        List.of(new Fact("heap.surprise", "ms", "heap.surprise")),
        facts.stream().filter(fact -> fact.id().equals("heap.surprise")).toList());
  }

  @Test
  void read_ofAFactInAnotherUnit_isAnotherFact() throws Exception {
    String text = new WhyReport(Recorded.of(Illness.WARMING)).json();
    Path file =
        Files.writeString(
            temp.resolve("a.json"),
            text.replaceAll("(?s)(\"refresh.longest\" : \\{[^}]*\"unit\" : )\"ms\"", "$1\"s\""));

    Observation seen = ObservationFile.read(file);

    assertEquals(OptionalDouble.empty(), seen.value(Fact.REFRESH_LONGEST));
    assertTrue(seen.facts().containsKey(new Fact("refresh.longest", "s", "refresh.longest")));
    assertTrue(seen.value(Fact.REFRESH_SHARE).isPresent());
  }
}
