package io.weir.host;

import java.util.function.Supplier;
import oshi.hardware.CentralProcessor;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.software.os.OperatingSystem;
import oshi.spi.SystemInfoFactory;
import oshi.spi.SystemInfoProvider;
import oshi.util.Constants;

/**
 * Asks OSHI for what procfs does not tell of the machine; {@link HostDisk} and {@link HostMemory}
 * ask it for what changes.
 *
 * <p>Weir depends on {@code oshi-common} alone. On Linux its own provider ({@code oshi.nativefree})
 * reads {@code /proc} and {@code /sys} and needs no native library, so no JNA is unpacked and no
 * JVM warns of native access. {@link SystemInfoFactory} takes the best provider on the class path:
 * whoever runs Weir elsewhere adds {@code oshi-core} there; without it every field is null.
 *
 * <p><b>Failure:</b> a question that OSHI fails leaves its own field null and no other.
 */
final class OshiReader {

  private OshiReader() {}

  static HardwareFacts read() {
    return read(SystemInfoFactory.create());
  }

  static HardwareFacts read(SystemInfoProvider oshi) {
    Supplier<HardwareAbstractionLayer> hardware = oshi::getHardware;
    Supplier<CentralProcessor> cpu = () -> hardware.get().getProcessor();
    Supplier<OperatingSystem> os = oshi::getOperatingSystem;
    return new HardwareFacts(
        text(() -> cpu.get().getProcessorIdentifier().getName()),
        count(() -> cpu.get().getPhysicalProcessorCount()),
        count(() -> cpu.get().getLogicalProcessorCount()),
        bytes(() -> hardware.get().getMemory().getTotal()),
        text(() -> os.get().getFamily()),
        text(() -> os.get().getVersionInfo().getVersion()),
        text(() -> hardware.get().getVirtualization().orElse(null)));
  }

  /** OSHI says {@code unknown} or nothing for text it cannot find. */
  private static String text(Supplier<String> question) {
    String answer = ask(question);
    return answer == null || answer.isBlank() || answer.equalsIgnoreCase(Constants.UNKNOWN)
        ? null
        : answer.strip();
  }

  /** OSHI says 0 for a number it cannot find; no machine has none of these. */
  private static Integer count(Supplier<Integer> question) {
    Integer answer = ask(question);
    return answer == null || answer <= 0 ? null : answer;
  }

  private static Long bytes(Supplier<Long> question) {
    Long answer = ask(question);
    return answer == null || answer <= 0 ? null : answer;
  }

  private static <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (RuntimeException | LinkageError e) {
      return null; // a linkage error is how a missing native library shows
    }
  }
}
