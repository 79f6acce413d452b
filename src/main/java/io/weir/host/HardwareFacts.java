package io.weir.host;

/** OSHI's answers without OSHI's types; null if unknown. */
record HardwareFacts(
    String cpuModel,
    Integer physicalCores,
    Integer logicalCores,
    Long memoryBytes,
    String osName,
    String osVersion,
    String virtualization) {

  static final HardwareFacts NONE = new HardwareFacts(null, null, null, null, null, null, null);
}
