package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Against the kernel's own file. */
@EnabledOnOs(OS.LINUX)
class HostMemoryMetricsTest {

  @Test
  void meters_areWhatTheKernelTells_andGoWithTheBinder() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (HostMemoryMetrics metrics = new HostMemoryMetrics()) {
      metrics.bindTo(registry);
      assertEquals(told("MemTotal"), registry.get("system.memory.size").gauge().value());
      assertEquals(
          told("SwapTotal") - told("SwapFree"), registry.get("system.swap.used").gauge().value());
      double available = registry.get("system.memory.available").gauge().value();
      assertTrue(available > 0 && available < told("MemTotal"), "available: " + available);
    }
    assertEquals(List.of(), registry.getMeters());
  }

  private static double told(String name) throws Exception {
    Matcher line =
        Pattern.compile("(?m)^" + name + ":\\s+(\\d+) kB$")
            .matcher(Files.readString(Path.of("/proc/meminfo")));
    assertTrue(line.find(), name);
    return Long.parseLong(line.group(1)) * 1024;
  }
}
