package io.weir.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * What went wrong, as one line for people. The message of an exception alone can be missing, or be
 * nothing but the name of a file.
 */
public final class FailureWords {

  /** What file systems say when they are full, or an allowance is used up. */
  private static final String[] FULL = {
    "no space left", "disk quota exceeded", "not enough space on the disk"
  };

  /** Causes can form a circle. */
  private static final int MOST_CAUSES = 50;

  private FailureWords() {}

  /** Why something failed; never empty. */
  public static String of(Throwable failure) {
    if (failure.getCause() != null
        && (failure instanceof CompletionException
            || failure instanceof ExecutionException
            || failure instanceof UncheckedIOException)) {
      return of(failure.getCause());
    }
    String message = failure.getMessage();
    boolean silent = message == null || message.isBlank();
    if (failure instanceof ConnectException && silent) { // as those of java.net.http
      return causes(failure).anyMatch(UnresolvedAddressException.class::isInstance)
          ? "unknown host"
          : "connection refused";
    }
    if (failure instanceof CharacterCodingException) {
      return "it is no UTF-8 text";
    }
    if (failure instanceof FileSystemException file && file.getReason() == null) {
      return (silent ? "a file" : message) + ": " + reason(file);
    }
    return (silent ? failure.getClass().getSimpleName() : message)
        .strip()
        .replaceAll("\\s*\\R\\s*", " ");
  }

  private static String reason(FileSystemException failure) {
    return switch (failure) {
      case NoSuchFileException e -> "there is no such file or directory";
      case AccessDeniedException e -> "access is denied";
      case FileAlreadyExistsException e -> "it exists already";
      case NotDirectoryException e -> "it is not a directory";
      default -> failure.getClass().getSimpleName();
    };
  }

  /**
   * That a disk has less left than a task must leave to other programs: for that task it is full.
   *
   * <p>Its message is the one line for people.
   */
  public static final class ReserveException extends IOException {

    private static final long serialVersionUID = 1;

    public ReserveException(String message) {
      super(message);
    }
  }

  /**
   * That a disk is full, if that is why something failed.
   *
   * @param places where it wrote; the fullest of their disks is named
   */
  public static Optional<String> fullDisk(Throwable failure, Path... places) {
    Optional<String> reserve =
        causes(failure)
            .filter(ReserveException.class::isInstance)
            .map(FailureWords::of)
            .findFirst();
    if (reserve.isPresent()) {
      return reserve;
    }
    return causes(failure).anyMatch(FailureWords::saysFull)
        ? Arrays.stream(places)
            .min(Comparator.comparingLong(FailureWords::usableBytes))
            .map(
                place ->
                    "the disk of %s is full: %.1f MB free"
                        .formatted(place, usableBytes(place) / 1e6))
        : Optional.empty();
  }

  private static boolean saysFull(Throwable failure) {
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return failure instanceof IOException && Arrays.stream(FULL).anyMatch(message::contains);
  }

  private static long usableBytes(Path place) {
    Path existing = place.toAbsolutePath();
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing.toFile().getUsableSpace();
  }

  /** It, what caused it and what came of it, each once. */
  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(
            Optional.of(failure),
            Optional::isPresent,
            at -> at.map(Throwable::getCause).filter(cause -> cause != at.get()))
        .limit(MOST_CAUSES)
        .map(Optional::get)
        .flatMap(at -> Stream.concat(Stream.of(at), Arrays.stream(at.getSuppressed())));
  }
}
