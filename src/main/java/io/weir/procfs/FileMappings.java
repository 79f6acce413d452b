package io.weir.procfs;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The files that a process has mapped, from its {@code smaps} file (see proc_pid_smaps(5)).
 *
 * @param mappings in the order of their addresses
 * @param isWhole false if there were more than are read
 */
public record FileMappings(List<FileMappings.One> mappings, boolean isWhole) {

  private static final String FLAGS = "VmFlags:";

  /**
   * A file, or a part of one.
   *
   * @param path as the process sees it
   * @param bytes of the address space
   * @param advice what the process has told the kernel of its reads
   */
  public record One(String path, long bytes, Advice advice) {

    /** Refuses nulls. */
    public One {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(advice, "advice");
    }
  }

  /** Which pages the kernel reads beside one that is missing. */
  public enum Advice {
    /** Those around it. */
    NONE,
    /** None: a page fault reads one page. */
    RANDOM,
    /** Those after it. */
    SEQUENTIAL
  }

  /** Keeps a copy. */
  public FileMappings {
    mappings = List.copyOf(Objects.requireNonNull(mappings, "mappings"));
  }

  static FileMappings parse(String text) {
    List<One> mappings = new ArrayList<>();
    Optional<MappedFile> last = Optional.empty();
    for (String line : (Iterable<String>) text.lines()::iterator) {
      Optional<MappedFile> head = MappedFile.parse(line);
      if (head.isPresent()) {
        last = head;
      } else if (last.isPresent() && line.startsWith(FLAGS)) {
        List<String> flags = List.of(line.substring(FLAGS.length()).strip().split(" "));
        Advice advice =
            flags.contains("rr")
                ? Advice.RANDOM
                : flags.contains("sr") ? Advice.SEQUENTIAL : Advice.NONE;
        mappings.add(new One(last.get().path(), last.get().bytes(), advice));
        last = Optional.empty();
      }
    }
    return new FileMappings(mappings, text.length() < KernelFiles.MAX_FILE_BYTES);
  }
}
