package io.weir.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which packages of Weir use which, by the compiled classes. The root package is called {@code
 * Weir}, after the class that it holds.
 *
 * @param arrows for each package those that it uses; a package is the first part of the name below
 *     the root
 */
record PackageGraph(Map<String, Set<String>> arrows) {

  static PackageGraph of(String root, JavaClasses classes) {
    Map<String, Set<String>> arrows = new TreeMap<>();
    for (JavaClass from : classes) {
      Set<String> used = arrows.computeIfAbsent(room(root, from), name -> new TreeSet<>());
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        if ((to.getPackageName() + ".").startsWith(root + ".")) {
          used.add(room(root, to));
        }
      }
      used.remove(room(root, from));
    }
    return new PackageGraph(arrows);
  }

  /** This, less each arrow that a longer way stands for. There must be no circle. */
  PackageGraph withoutDetours() {
    Map<String, Set<String>> direct = new TreeMap<>();
    arrows.forEach(
        (from, used) ->
            direct.put(
                from,
                used.stream()
                    .filter(to -> used.stream().noneMatch(other -> below(other).contains(to)))
                    .collect(Collectors.toCollection(TreeSet::new))));
    return new PackageGraph(direct);
  }

  /** A line for each package that uses another one, as Mermaid takes it. */
  String mermaid() {
    return arrows.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty())
        .map(entry -> "  " + entry.getKey() + " --> " + String.join(" & ", entry.getValue()))
        .collect(Collectors.joining("\n", "graph TD\n", "\n"));
  }

  private Set<String> below(String from) {
    Set<String> found = new HashSet<>();
    for (String used : arrows.getOrDefault(from, Set.of())) {
      if (found.add(used)) {
        found.addAll(below(used));
      }
    }
    return found;
  }

  private static String room(String root, JavaClass type) {
    String below = type.getPackageName().substring(root.length());
    return below.isEmpty() ? "Weir" : below.substring(1).split("\\.", 2)[0];
  }
}
