package io.weir.procfs;

import java.util.Optional;

/**
 * The disk that holds a file system, from {@code /sys/dev/block}.
 *
 * @param name such as {@code nvme0n1}, {@code dm-0}
 * @param model as the device reports it; virtual disks report none
 * @param rotational whether the kernel considers it a spinning disk; this holds for some virtual
 *     disks too
 */
public record BlockDevice(String name, Optional<String> model, Optional<Boolean> rotational) {}
