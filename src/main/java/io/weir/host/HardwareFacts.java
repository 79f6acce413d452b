package io.weir.host;

/** What is asked of OSHI, without a type of OSHI's in it; null where it does not tell. */
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
