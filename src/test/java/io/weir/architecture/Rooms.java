package io.weir.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rooms of one package and which of the others each may use. A room is a subpackage with all
 * that is below it.
 *
 * @param root the package
 * @param uses by room, named below {@code root}: the rooms that it may use besides itself
 */
record Rooms(String root, Map<String, Set<String>> uses) {

  /** One line for each use of a room that the table does not allow, in order. */
  List<String> violations(JavaClasses classes) {
    TreeSet<String> violations = new TreeSet<>();
    for (JavaClass origin : classes) {
      if (!isInRoom(origin)) {
        continue;
      }
      if (!uses.containsKey(room(origin))) {
        violations.add(origin.getName() + " is in a room that the table does not name");
        continue;
      }
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (isInRoom(target) && !allows(room(origin), room(target))) {
          violations.add(origin.getName() + " uses " + target.getName());
        }
      }
    }
    return List.copyOf(violations);
  }

  private boolean allows(String from, String to) {
    return from.equals(to) || uses.get(from).contains(to);
  }

  private boolean isInRoom(JavaClass type) {
    return type.getPackageName().startsWith(root + ".");
  }

  private String room(JavaClass type) {
    return type.getPackageName().substring(root.length() + 1).split("\\.", 2)[0];
  }
}
