package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The kernel's page cache for the process's own files: how much of a file it holds, and dropping a
 * file. It needs no privilege, because it does not affect other files.
 *
 * <p><b>Units:</b> bytes. <b>Threads:</b> any; a call may block on the disk.
 */
public interface PageCache {

  /**
   * Writes the dirty pages of a file to its disk and drops its pages, except those that a process
   * has mapped and touched, or uses now.
   */
  void drop(Path file) throws IOException;

  /**
   * The bytes of a file that it holds in complete pages. If blocks are smaller than pages, the last
   * page of a written file is incomplete until it was dropped and read again. The kernel reports
   * cached pages only to processes that may write to the file.
   *
   * @throws java.nio.file.AccessDeniedException for a file that this process may not write
   */
  long residentBytes(Path file) throws IOException;
}
