package io.weir.architecture.violations.host;

import org.apache.commons.compress.archivers.ArchiveEntry;

/** Archives outside corpus. */
public class HostUsesCompress {
  ArchiveEntry field;
}
