package io.weir.why;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The threads of the nodes of a cluster at one moment, as hot threads of OpenSearch and
 * Elasticsearch say them.
 *
 * <p>It asks for one snapshot of all threads. So an answer is a look as a thread dump is one, and
 * the shares that the engine adds, which are for many snapshots, mean nothing here. Threads that
 * the engine takes for idle are not in it, and the states of threads are not.
 *
 * <p>Source: the text of OpenSearch 2 and 3, and of Elasticsearch 8 and 9.
 */
final class HotThreads {

  /** What it is asked by. Others than the busiest are of interest: a refresh may wait. */
  static final String PATH =
      "/_nodes/hot_threads?threads=10000&snapshots=1&interval=1ms&type=cpu&ignore_idle_threads=true";

  private static final Pattern NODE = Pattern.compile("::: \\{.*?\\}\\{(.*?)\\}.*");
  private static final Pattern THREAD = Pattern.compile("\\s+\\S+%.* usage by thread '(.*)'\\s*");

  private HotThreads() {}

  /** The threads of each node, by its id; empty if the text is none of hot threads. */
  static Map<String, List<ThreadDump.Thread>> parse(String text) {
    Map<String, List<ThreadDump.Thread>> nodes = new LinkedHashMap<>();
    List<ThreadDump.Thread> threads = new ArrayList<>();
    List<StackTraceElement> frames = new ArrayList<>();
    for (String line : (Iterable<String>) text.lines()::iterator) {
      Matcher node = NODE.matcher(line);
      Matcher thread = THREAD.matcher(line);
      if (node.matches()) {
        threads = nodes.computeIfAbsent(node.group(1), id -> new ArrayList<>());
        frames = new ArrayList<>();
      } else if (thread.matches()) {
        frames = new ArrayList<>();
        threads.add(
            new ThreadDump.Thread(
                thread.group(1), OptionalLong.empty(), OptionalLong.empty(), false, frames));
      } else {
        ThreadDump.element(line).ifPresent(frames::add);
      }
    }
    return nodes;
  }
}
