package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardOutputTest {

  @ParameterizedTest
  @CsvSource({"No space left on device, true", "Broken pipe, false", "Bad file descriptor, true"})
  void loss_isWhatWasNotWritten_whileSomebodyReads(String reason, boolean isLoss) {
    Program.StandardOutput out =
        new Program.StandardOutput(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException(reason);
              }
            });
    assertEquals(Optional.empty(), out.loss());
    assertThrows(IOException.class, () -> out.write(new byte[] {1, 2}));
    assertEquals(isLoss ? Optional.of(reason) : Optional.empty(), out.loss());
  }
}
