package io.weir.benchmark.mergeaudit;

import io.weir.procfs.BlockDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a block device has read and written, whoever asked for it. (Kernel documentation:
 * block/stat; a sector is 512 bytes, whatever the device's own are.)
 *
 * @param read bytes, since the device exists
 * @param written likewise
 */
record DeviceBytes(long read, long written) {

  private static final int SECTOR_BYTES = 512;
  private static final int READ_SECTORS_FIELD = 2;
  private static final int WRITTEN_SECTORS_FIELD = 6;

  static DeviceBytes of(BlockDevice device) throws IOException {
    return parse(Files.readString(Path.of("/sys/class/block", device.name(), "stat")));
  }

  static DeviceBytes parse(String stat) {
    String[] fields = stat.strip().split("\\s+");
    return new DeviceBytes(
        SECTOR_BYTES * Long.parseLong(fields[READ_SECTORS_FIELD]),
        SECTOR_BYTES * Long.parseLong(fields[WRITTEN_SECTORS_FIELD]));
  }

  DeviceBytes minus(DeviceBytes before) {
    return new DeviceBytes(read - before.read, written - before.written);
  }

  long all() {
    return read + written;
  }
}
