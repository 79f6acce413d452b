package io.weir.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.commons.annotation.Testable;

/** Each test that starts a process is {@link Slow}, itself or its class. */
class SlowTest {

  private static final List<Class<? extends Annotation>> CALLED_BY_JUNIT =
      List.of(Testable.class, BeforeAll.class, BeforeEach.class);

  /** The tests and all of Weir, because some of it starts JVMs. */
  private static final JavaClasses CLASSES = new ClassFileImporter().importPackages("io.weir");

  @Test
  void tests_thatStartAProcess_areSlow() {
    Set<String> found = fastTestsThatStartAProcess();
    found.removeIf(name -> name.startsWith("SlowTest$"));

    assertEquals(Set.of(), found);
  }

  @Test
  void tests_thatStartAProcessAndDoNotSaySo_areFound() {
    Set<String> found = fastTestsThatStartAProcess();
    found.removeIf(name -> !name.startsWith("SlowTest$"));

    assertEquals(
        Set.of("SlowTest$Before.start", "SlowTest$Methods.inALambda", "SlowTest$Methods.indirect"),
        found);
  }

  private static Set<String> fastTestsThatStartAProcess() {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : CLASSES) {
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        if (CALLED_BY_JUNIT.stream().anyMatch(unit::isMetaAnnotatedWith)
            && !type.isAnnotatedWith(Slow.class)
            && !unit.isAnnotatedWith(Slow.class)
            && startsAProcess(unit)) {
          found.add(type.getName().replaceFirst(".*[.]", "") + "." + unit.getName());
        }
      }
    }
    return found;
  }

  private static boolean startsAProcess(JavaCodeUnit from) {
    Set<JavaCodeUnit> seen = new HashSet<>(Set.of(from));
    Deque<JavaCodeUnit> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      JavaCodeUnit unit = next.remove();
      for (CodeUnitAccessTarget target : targets(unit)) {
        if (target.getOwner().isEquivalentTo(ProcessBuilder.class)
            && target.getName().startsWith("start")) {
          return true;
        }
        target.resolveMember().filter(seen::add).ifPresent(next::add);
      }
    }
    return false;
  }

  /** What it calls, and what it hands on to be called. */
  private static List<CodeUnitAccessTarget> targets(JavaCodeUnit unit) {
    List<CodeUnitAccessTarget> targets = new ArrayList<>();
    unit.getCallsFromSelf().forEach(call -> targets.add(call.getTarget()));
    unit.getCodeUnitReferencesFromSelf().forEach(reference -> targets.add(reference.getTarget()));
    return targets;
  }

  /** What is started for all tests of a class. */
  static final class Before {

    @BeforeAll
    static void start() throws IOException {
      new ProcessBuilder("true").start();
    }
  }

  /** Two tests that are found, and two that are not. */
  static final class Methods {

    @Test
    void inALambda() {
      assertThrows(IOException.class, () -> new ProcessBuilder("no such program").start());
    }

    @ParameterizedTest
    void indirect() throws IOException {
      Before.start();
    }

    @Test
    @Slow("starts a process")
    void said() throws IOException {
      Before.start();
    }

    @Test
    void harmless() {
      new ProcessBuilder("true").command();
    }
  }
}
