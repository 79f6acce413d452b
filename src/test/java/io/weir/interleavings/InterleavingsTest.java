package io.weir.interleavings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads whose interleavings Fray chooses: each method of the classes {@code *Interleavings} of
 * the tests, a few hundred times. {@code tools/test -Pinterleavings -Dtest=InterleavingsTest} runs
 * them alone.
 *
 * <p>First the known faults must be found, or a run without a fault says nothing.
 */
@Tag("long")
@Slow("makes a JDK, and starts a JVM for each method")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterleavingsTest {

  private static final String SUFFIX = "Interleavings.class";

  /** Fewer show little; a known fault takes a few. */
  private static final int LEAST = 20;

  @TempDir private static Path temp;

  private static Fray fray;

  @BeforeAll
  static void findKnownFaults() throws Exception {
    fray = new Fray(temp);
    for (Method known : methods(KnownInterleavings.class).toList()) {
      Fray.Outcome outcome = fray.run(KnownInterleavings.class.getName(), known.getName());
      assertTrue(
          outcome.found().isPresent(),
          () -> known.getName() + " was not found: Fray does not schedule what it runs");
    }
  }

  static Stream<Arguments> scenarios() throws Exception {
    Path tests =
        Path.of(
            InterleavingsTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(tests)) {
      return files
          .map(file -> tests.relativize(file).toString())
          .filter(file -> file.endsWith(SUFFIX))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .map(InterleavingsTest::type)
          .filter(type -> type != KnownInterleavings.class)
          .flatMap(
              type -> methods(type).map(method -> Arguments.of(type.getName(), method.getName())))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void scenario_inManyInterleavings_holds(String className, String method) throws Exception {
    Fray.Outcome outcome = fray.run(className, method);
    assertEquals(Optional.empty(), outcome.found());
    assertTrue(outcome.interleavings() >= LEAST, () -> "only " + outcome);
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, InterleavingsTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<Method> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> !Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> method.getParameterCount() == 0)
        .sorted((a, b) -> a.getName().compareTo(b.getName()));
  }
}
