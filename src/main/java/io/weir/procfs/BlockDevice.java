package io.weir.procfs;

import java.util.Optional;

/**
 * The whole disk below a file system, from {@code /sys/dev/block}.
 *
 * @param name such as {@code nvme0n1}, {@code dm-0}
 * @param model as the device tells it; virtual disks tell none
 * @param rotational whether the kernel takes it for a spinning disk; some virtual disks say so too
 */
public record BlockDevice(String name, Optional<String> model, Optional<Boolean> rotational) {}
