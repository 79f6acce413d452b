package io.weir.procfs;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** The fixtures: trees of {@code proc} and {@code sys} as several kernels show them. */
final class Kernels {

  static final String V6_18_HYBRID = "linux-6.18-x86_64-hybrid";
  static final String V2_6_32 = "linux-2.6.32-x86_64";
  static final String V4_14_CGROUP_V1 = "linux-4.14-x86_64-cgroup-v1";
  static final String V6_1_CGROUP_V2 = "linux-6.1-x86_64-cgroup-v2";
  static final String V5_4_HYBRID = "linux-5.4-x86_64-hybrid";
  static final String V5_15_CONTAINER = "linux-5.15-x86_64-container";
  static final String V5_14_64K = "linux-5.14-aarch64-64k";

  private Kernels() {}

  static Procfs procfs(String kernel) {
    return new Procfs(root(kernel));
  }

  static Path root(String kernel) {
    try {
      return Path.of(Kernels.class.getResource(kernel).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
