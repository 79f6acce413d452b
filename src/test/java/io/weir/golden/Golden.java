package io.weir.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Files that hold what users see, to the letter. The test that compares one writes it instead with
 * {@code tools/test -Dtest=THAT_TEST -Dweir.golden=write}, and the change shows in the diff.
 */
public final class Golden {

  private static final Path ROOT = Path.of("src/test/resources/io/weir/golden");

  /** Whether what is compared is written instead. */
  public static final boolean WRITES = "write".equals(System.getProperty("weir.golden"));

  private Golden() {}

  /** The directory or file of this name among them. */
  public static Path path(String name) {
    return ROOT.resolve(name);
  }

  /** Fails if {@code actual} is not what the file holds. */
  public static void assertGolden(String name, String actual) {
    Path file = path(name);
    try {
      if (WRITES) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, actual);
      }
      assertEquals(Files.readString(file), actual, name);
    } catch (NoSuchFileException e) {
      throw new AssertionError("there is no " + file + "; see " + Golden.class, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
