package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.CapturedLog;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

class LuceneNoteTest {

  @Test
  void text_ofSomeGaps_namesTheVersionAndEach() {
    assertEquals(
        Optional.of("Lucene 9.12.3 lacks methods that Weir uses: one (a); two (b)"),
        LuceneNote.text("9.12.3", List.of("one (a)", "two (b)")));
  }

  @Test
  void text_ofNoGaps_isEmpty() {
    assertEquals(Optional.empty(), LuceneNote.text("10.5.1", List.of()));
  }

  @Test
  void weir_createdAgain_logsNothing() {
    Weir.builder().open(new ByteBuffersDirectory());
    try (CapturedLog log = CapturedLog.of(LuceneNote.class.getPackage())) {
      Weir.builder().open(new ByteBuffersDirectory());
      assertEquals(List.of(), log.messages());
    }
  }
}
