package io.weir.architecture;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * The circles of top-level types among compiled classes: the strongly connected components of what
 * {@code jdeps} reports. It sees what other tools miss: a constant that the compiler has copied.
 */
final class Circles {

  private static final Pattern ARROW = Pattern.compile("^ +([\\w.$]+) +-> +([\\w.$]+) .*$");

  private final Map<String, Set<String>> uses = new TreeMap<>();

  private Circles() {}

  /**
   * Those among the classes below {@code root}.
   *
   * @param classes a directory of compiled classes
   * @return each circle as its types in order, without {@code root}
   */
  static List<List<String>> of(Path classes, String root) {
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out);
    int status =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(printer, printer, "-v", "--ignore-missing-deps", classes.toString());
    if (status != 0) {
      throw new IllegalStateException("jdeps ended with " + status + ": " + out);
    }
    Circles circles = new Circles();
    out.toString().lines().forEach(line -> circles.read(line, root + "."));
    return circles.find();
  }

  private void read(String line, String prefix) {
    Matcher arrow = ARROW.matcher(line);
    if (arrow.matches() && arrow.group(1).startsWith(prefix) && arrow.group(2).startsWith(prefix)) {
      String user = topLevel(arrow.group(1)).substring(prefix.length());
      String used = topLevel(arrow.group(2)).substring(prefix.length());
      uses.computeIfAbsent(user, name -> new TreeSet<>()).add(used);
    }
  }

  private List<List<String>> find() {
    Map<String, Set<String>> reached = new TreeMap<>();
    uses.keySet().forEach(type -> reached.put(type, reachableFrom(type)));
    Set<List<String>> found = new LinkedHashSet<>();
    reached.forEach(
        (type, ahead) -> {
          List<String> circle =
              ahead.stream()
                  .filter(other -> reached.getOrDefault(other, Set.of()).contains(type))
                  .toList();
          if (circle.size() > 1) {
            found.add(circle);
          }
        });
    return new ArrayList<>(found);
  }

  private Set<String> reachableFrom(String start) {
    Set<String> reached = new TreeSet<>();
    List<String> ahead = new ArrayList<>(uses.get(start));
    while (!ahead.isEmpty()) {
      String next = ahead.removeLast();
      if (reached.add(next)) {
        ahead.addAll(uses.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }

  private static String topLevel(String className) {
    int nested = className.indexOf('$');
    return nested < 0 ? className : className.substring(0, nested);
  }
}
