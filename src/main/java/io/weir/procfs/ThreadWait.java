package io.weir.procfs;

import java.util.Optional;

/**
 * What a thread waits for in the kernel. Each method looks at this moment.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> none: a thread that has ended, or that the kernel hides,
 * waits for nothing.
 */
public final class ThreadWait {

  private static final String UNINTERRUPTIBLE = "D";
  private static final String NO_FUNCTION = "0";
  private static final String NO_SYSTEM_CALL = "-1 ";

  private final KernelFiles files;
  private final String directory;

  ThreadWait(KernelFiles files, String directory) {
    this.files = files;
    this.directory = directory;
  }

  /** Whether it is for a disk, in a page fault for example. */
  public boolean isForDisk() {
    return files
        .text(directory + "/stat")
        .map(ProcessStat::fields)
        .filter(fields -> fields.length > 0 && fields[0].equals(UNINTERRUPTIBLE))
        .isPresent();
  }

  /** Whether it is for a page that the thread touched, of a mapped file for example. */
  public boolean isForPage() {
    return isForDisk()
        && files
            .line(directory + "/syscall")
            .filter(call -> call.startsWith(NO_SYSTEM_CALL))
            .isPresent();
  }

  /** The function of the kernel that it sleeps in, such as {@code balance_dirty_pages}. */
  public Optional<String> function() {
    return files.line(directory + "/wchan").filter(function -> !function.equals(NO_FUNCTION));
  }
}
