package io.weir.stress.arm.storage;

import io.weir.run.ArmFigures;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.store.KernelPageCache;
import io.weir.store.PageCache;
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
 * The page cache as a condition of an arm: brought into the requested state, then measured in any
 * case.
 *
 * <p>Arms run on hard links to the same files, so what one has read is in the page cache for the
 * next; dropping acts on the files, by whatever name.
 *
 * @param asked the requested state
 * @param indexBytes of all files
 * @param residentShare the share of them in the page cache afterwards; empty where it is unknown
 * @param reason why the state is not the requested one, or is unknown
 */
public record CacheCondition(
    CacheState asked, long indexBytes, Optional<Double> residentShare, Optional<String> reason) {

  /** With a larger share in the page cache an index is not cold. */
  static final double MOST_COLD_SHARE = 0.01;

  /** With a smaller share in the page cache an index is not warm. */
  static final double LEAST_WARM_SHARE = 0.99;

  private static final int READ_BYTES = 1 << 20;

  /**
   * Brings about {@code asked} for the index at {@code index}, which this process must not have
   * open.
   */
  public static CacheCondition make(Path index, CacheState asked) throws IOException {
    return make(index, asked, () -> KernelPageCache.of(index));
  }

  /**
   * @param kernel returns the page cache, or throws {@link UnsupportedOperationException} with a
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
    try {
      PageCache cache = kernel.get();
      if (asked == CacheState.COLD) {
        for (Path file : files) {
          cache.drop(file);
        }
      }
      double share = residentShare(cache, files, indexBytes);
      Optional<String> reason =
          fits(asked, share) ? Optional.empty() : Optional.of(obstacle(asked, index));
      return new CacheCondition(asked, indexBytes, Optional.of(share), reason);
    } catch (UnsupportedOperationException e) {
      return unknown(asked, indexBytes, e.getMessage());
    } catch (IOException | IllegalStateException e) {
      return unknown(asked, indexBytes, e.toString());
    }
  }

  private static CacheCondition unknown(CacheState asked, long indexBytes, String reason) {
    return new CacheCondition(asked, indexBytes, Optional.empty(), Optional.of(reason));
  }

  private static String obstacle(CacheState asked, Path index) {
    return asked == CacheState.COLD
        ? KernelPageCache.obstacle(index)
            .orElse("another program has its files mapped, or reads them at this moment")
        : "the index is larger than what memory or the control group leaves to the page cache,"
            + " or the kernel took pages away in the meantime";
  }

  /** Whether the state is known to be the requested one; {@code as-is} requests none. */
  public boolean asAsked() {
    return residentShare.map(share -> fits(asked, share)).orElse(asked == CacheState.AS_IS);
  }

  /** As figures. */
  public Values values() {
    return Values.builder()
        .put(ArmFigures.CACHE_ASKED, asked.label())
        .put(ArmFigures.INDEX_BYTES, indexBytes)
        .put(ArmFigures.RESIDENT_SHARE, residentShare)
        .put(
            ArmFigures.CACHE_AS_ASKED,
            asked == CacheState.AS_IS ? Optional.empty() : Optional.of(asAsked()))
        .put(ArmFigures.CACHE_REASON, reason)
        .build();
  }

  /** A warning if the state is not the requested one, or is unknown. */
  public Optional<RunWarning> warning() {
    if (residentShare.isEmpty()) {
      return Optional.of(
          new RunWarning(
              switch (asked) {
                case AS_IS -> "how much of the index was in the page cache is unknown";
                case COLD -> "the page cache could not be made cold";
                case WARM -> "the index was read once, and whether it is warm is unknown";
              },
              reason.orElseThrow(),
              "64-bit Linux, Java 22 or later with jvm=PATH, and an index that this user may write to"));
    }
    if (asAsked()) {
      return Optional.empty();
    }
    boolean cold = asked == CacheState.COLD;
    return Optional.of(
        new RunWarning(
            String.format(
                Locale.ROOT,
                "the index was not %s: %.1f %% of its %.1f MB were in the page cache when it was"
                    + " opened",
                cold ? "cold" : "warm",
                100 * residentShare.get(),
                indexBytes / 1e6),
            reason.orElseThrow(),
            cold
                ? "stop other programs that use the index, put --index on a disk, or set cache=as-is"
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
        // Reading alone brings it into the page cache.
      }
    }
  }

  private static List<Path> files(Path index) throws IOException {
    try (Stream<Path> files = Files.walk(index)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
