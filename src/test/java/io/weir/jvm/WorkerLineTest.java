package io.weir.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.jvm.SmallWorker.Fail;
import io.weir.jvm.SmallWorker.Repeat;
import io.weir.jvm.SmallWorker.Said;
import io.weir.jvm.SmallWorker.Task;
import io.weir.jvm.WorkerLine.Finder;
import io.weir.jvm.WorkerLine.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class WorkerLineTest {

  /** What Linux writes to a pipe as a whole. */
  private static final int PIPE_BUF = 4096;

  /** Each write, as the pipe has it. */
  private static final class Pipe extends ByteArrayOutputStream {

    private final List<Integer> writes = new ArrayList<>();

    @Override
    public void write(byte[] bytes) throws IOException {
      writes.add(bytes.length);
      super.write(bytes);
    }
  }

  private static String roundTrip(String text) throws IOException {
    Pipe pipe = new Pipe();
    WorkerLine.of(Kind.ANSWER, new Said(text)).writeTo(pipe);
    assertTrue(pipe.writes.stream().allMatch(bytes -> bytes <= PIPE_BUF), pipe.writes.toString());
    Finder finder = new Finder();
    List<WorkerLine> found =
        pipe.toString(StandardCharsets.UTF_8)
            .lines()
            .filter(Finder::isWorkers)
            .flatMap(line -> finder.add(line).stream())
            .toList();
    assertEquals(List.of(Kind.ANSWER), found.stream().map(WorkerLine::kind).toList());
    return WorkerLine.read(found.getFirst().text(), Said.class).text();
  }

  @Property(tries = 200)
  void aRecord_ofAnyText_comesBackInPiecesThatAPipeTakes(
      @ForAll @StringLength(max = 5000) String text) throws IOException {
    String valid = // JSON in UTF-8 has no half of a pair
        new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);

    assertEquals(valid, roundTrip(valid));
  }

  /** A pair of characters that are one, at each place where a piece could end. */
  @Test
  void aPair_whereAPieceEnds_isNotCut() throws IOException {
    for (String lead : List.of("", "x")) {
      String pairs = lead + "\uD83D\uDE00".repeat(5000);

      assertEquals(pairs, roundTrip(pairs));
    }
  }

  @Test
  void read_aSealedInterface_findsTheRecordThatIsNamed() throws IOException {
    assertEquals(new Fail("x"), WorkerLine.read(WorkerLine.text(new Fail("x")), Task.class));
    assertEquals("Repeat {\"text\":\"a\"}", WorkerLine.text(new Repeat("a")));
  }

  @Test
  void read_anotherRecord_saysWhich() {
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () -> WorkerLine.read(WorkerLine.text(new Said("x")), Task.class));

    assertEquals("Task is expected, not Said", thrown.getMessage());
  }

  @Test
  void read_whatIsCutOff_isNoRecord() {
    assertThrows(IOException.class, () -> WorkerLine.read("Sai", Said.class));
    assertThrows(IOException.class, () -> WorkerLine.read("Said {\"te", Said.class));
  }

  @Test
  void isWorkers_whatOthersPrint_isNot() {
    for (String line :
        List.of("", "{\"a\":1}", "[0.042s][info][gc] x", "weir: a warning", "weir:")) {
      assertFalse(Finder.isWorkers(line), line);
    }
  }
}
