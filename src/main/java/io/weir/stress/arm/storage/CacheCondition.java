package io.weir.stress.arm.storage;

import io.weir.store.KernelPageCache;
import io.weir.store.PageCache;
import io.weir.stress.arm.meters.StorageReadMeter;
import io.weir.stress.result.CacheResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.setting.CacheState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The page cache as a condition of an arm: made as it was asked for, then looked at, whatever was
 * asked.
 *
 * <p>Arms run on hard links to the same files, so what one has read is in the page cache for the
 * next; dropping acts on the files, by whatever name.
 *
 * @param asked what for
 * @param indexBytes of all files
 * @param residentShare of them, in the page cache after all was done; null when it cannot be told
 * @param reason why it is not as it was asked for, or cannot be told; null otherwise
 */
public record CacheCondition(
    CacheState asked, long indexBytes, Double residentShare, String reason) {

  /** With a larger share in the page cache an index is not cold. */
  static final double MOST_COLD_SHARE = 0.01;

  /** With a smaller share in the page cache an index is not warm. */
  static final double LEAST_WARM_SHARE = 0.99;

  private static final int READ_BYTES = 1 << 20;

  /** Makes it, of the index at {@code index}, which nobody of this process has open. */
  public static CacheCondition make(Path index, CacheState asked) throws IOException {
    return make(index, asked, () -> KernelPageCache.of(index));
  }

  /**
   * @param kernel gives the page cache, or throws {@link UnsupportedOperationException} with a
   *     reason
   */
  static CacheCondition make(Path index, CacheState asked, Supplier<PageCache> kernel)
      throws IOException {
    List<Path> files = files(index);
    long indexBytes = 0;
    for (Path file : files) {
      indexBytes += Files.size(file);
    }
    if (asked == CacheState.WARM) {
      for (Path file : files) {
        read(file);
      }
    }
    Double share = null;
    String reason = null;
    try {
      PageCache cache = kernel.get();
      if (asked == CacheState.COLD) {
        for (Path file : files) {
          cache.drop(file);
        }
      }
      share = residentShare(cache, files, indexBytes);
    } catch (UnsupportedOperationException e) {
      reason = e.getMessage();
    } catch (IOException | IllegalStateException e) {
      reason = e.toString();
    }
    if (share != null && !fits(asked, share)) {
      reason =
          asked == CacheState.COLD
              ? KernelPageCache.obstacle(index)
                  .orElse("another program has its files mapped, or reads them at this moment")
              : "the index is larger than what memory or the control group leaves to the page cache,"
                  + " or pages were taken from it meanwhile";
    }
    return new CacheCondition(asked, indexBytes, share, reason);
  }

  /** Whether it is known to be what was asked for; nothing is asked with {@code as-is}. */
  public boolean asAsked() {
    return asked == CacheState.AS_IS || residentShare != null && fits(asked, residentShare);
  }

  /** With what the arm read from then on. */
  public CacheResult result(StorageReadMeter reads) {
    return new CacheResult(
        asked.label(),
        indexBytes,
        residentShare,
        asked == CacheState.AS_IS ? null : asAsked(),
        reason,
        reads.warmup(),
        reads.phases());
  }

  /** What a reader of the figures must be told. */
  public Optional<RunWarning> warning() {
    if (residentShare == null) {
      return Optional.of(
          new RunWarning(
              switch (asked) {
                case AS_IS -> "how much of the index was in the page cache cannot be told";
                case COLD -> "the page cache could not be made cold";
                case WARM -> "the index was read once, and whether it is warm cannot be told";
              },
              reason,
              "64-bit Linux, Java 22 or later with jvm=PATH, and an index of one's own"));
    }
    if (asAsked()) {
      return Optional.empty();
    }
    boolean cold = asked == CacheState.COLD;
    return Optional.of(
        new RunWarning(
            String.format(
                Locale.ROOT,
                "the index was not %s: %.1f %% of its %.1f MB were in the page cache when it was opened",
                cold ? "cold" : "warm",
                100 * residentShare,
                indexBytes / 1e6),
            reason,
            cold
                ? "end what else uses the index, put --index on a disk, or say cache=as-is"
                : "more memory, a smaller index with --doc-count, or cache=as-is"));
  }

  private static boolean fits(CacheState asked, double share) {
    return switch (asked) {
      case AS_IS -> true;
      case COLD -> share <= MOST_COLD_SHARE;
      case WARM -> share >= LEAST_WARM_SHARE;
    };
  }

  private static double residentShare(PageCache cache, List<Path> files, long indexBytes)
      throws IOException {
    long resident = 0;
    for (Path file : files) {
      resident += cache.residentBytes(file);
    }
    return (double) resident / Math.max(1, indexBytes);
  }

  private static void read(Path file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer.clear()) >= 0) {
        // Only that it has been read is wanted.
      }
    }
  }

  private static List<Path> files(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
