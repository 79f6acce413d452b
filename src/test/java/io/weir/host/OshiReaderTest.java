package io.weir.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import oshi.spi.SystemInfoProvider;

/** Mocked because no machine gives these answers on demand. */
class OshiReaderTest {

  private final SystemInfoProvider oshi = mock(SystemInfoProvider.class, RETURNS_DEEP_STUBS);

  @Test
  void read_ofAnswersThatSayNothing_isAbsent() {
    when(oshi.getHardware().getProcessor().getProcessorIdentifier().getName())
        .thenReturn("unknown");
    when(oshi.getHardware().getProcessor().getLogicalProcessorCount()).thenReturn(0);
    when(oshi.getHardware().getVirtualization()).thenReturn(Optional.of(" "));
    when(oshi.getHardware().getMemory().getTotal()).thenReturn(0L);
    when(oshi.getOperatingSystem().getFamily()).thenReturn("");
    when(oshi.getOperatingSystem().getVersionInfo().getVersion()).thenReturn(null);

    assertEquals(HardwareFacts.NONE, OshiReader.read(oshi));
  }

  @Test
  void read_withOneQuestionFailing_answersTheOthers() {
    when(oshi.getHardware().getProcessor()).thenThrow(new UnsatisfiedLinkError("no native"));
    when(oshi.getHardware().getVirtualization()).thenThrow(new IllegalStateException("odd"));
    when(oshi.getHardware().getMemory().getTotal()).thenReturn(1L << 34);
    when(oshi.getOperatingSystem().getFamily()).thenReturn("Debian GNU/Linux");
    when(oshi.getOperatingSystem().getVersionInfo().getVersion()).thenReturn("12");

    assertEquals(
        new HardwareFacts(null, null, null, 1L << 34, "Debian GNU/Linux", "12", null),
        OshiReader.read(oshi));
  }
}
