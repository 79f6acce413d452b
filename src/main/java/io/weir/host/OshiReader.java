package io.weir.host;

import java.util.function.Supplier;
import oshi.hardware.CentralProcessor;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.software.os.OperatingSystem;
import oshi.spi.SystemInfoFactory;
import oshi.spi.SystemInfoProvider;
import oshi.util.Constants;

/**
 * Reads from OSHI the facts that procfs lacks; {@link HostDisk} and {@link HostMemory} read the
 * figures that change.
 *
 * <p>Weir depends on {@code oshi-common} only. On Linux its own provider ({@code oshi.nativefree})
 * reads {@code /proc} and {@code /sys} and needs no native library, so no JNA is unpacked and no
 * JVM warns of native access. {@link SystemInfoFactory} chooses the best provider on the class
 * path. On other systems add {@code oshi-core}; without it every field is null.
 *
 * <p><b>Failure:</b> a query that fails leaves only its own field null.
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

  /** For unknown text OSHI returns {@code unknown} or an empty string. */
  private static String text(Supplier<String> question) {
    String answer = ask(question);
    return answer == null || answer.isBlank() || answer.equalsIgnoreCase(Constants.UNKNOWN)
        ? null
        : answer.strip();
  }

  /** For an unknown number OSHI returns 0, which is never a real value here. */
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
      return null; // a missing native library causes a linkage error
    }
  }
}
