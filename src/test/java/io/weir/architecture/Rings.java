package io.weir.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Holds compiled classes against the table in {@link Ring}. */
final class Rings {

  private final String root;

  /**
   * @param root the package the table's names are counted from
   */
  Rings(String root) {
    this.root = root;
  }

  /** One line for each use that the table does not allow, in order. */
  List<String> violations(JavaClasses classes) {
    TreeSet<String> violations = new TreeSet<>();
    for (JavaClass origin : classes) {
      Optional<Ring> ring = Ring.of(relativePackage(origin));
      if (ring.isEmpty()) {
        violations.add(origin.getName() + " is in a package that the design does not name");
        continue;
      }
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (!allows(ring.get(), target)) {
          violations.add(origin.getName() + " uses " + target.getName());
        }
      }
    }
    return List.copyOf(violations);
  }

  private boolean allows(Ring ring, JavaClass target) {
    if (isBelowRoot(target)) {
      return ring.mayUsePackage(relativePackage(target));
    }
    String source = target.getSource().map(found -> found.getUri().toString()).orElse("");
    return target.isPrimitive()
        || target.getName().startsWith("java.")
        || source.startsWith("jrt:")
        || ring.mayUseLibrary(target.getName(), source);
  }

  private boolean isBelowRoot(JavaClass type) {
    return type.getPackageName().equals(root) || type.getPackageName().startsWith(root + ".");
  }

  private String relativePackage(JavaClass type) {
    return type.getPackageName().equals(root)
        ? ""
        : type.getPackageName().substring(root.length() + 1);
  }
}
