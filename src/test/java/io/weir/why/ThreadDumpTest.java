package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.lucene.StackFrames;
import io.weir.nrt.CauseRules;
import io.weir.nrt.ReopenCause;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The text of {@code Thread.print}, as JDK 25 wrote it of {@link SickApplication}. */
class ThreadDumpTest {

  private static List<ThreadDump.Thread> recorded() throws Exception {
    try (InputStream in = ThreadDumpTest.class.getResourceAsStream("thread-print-25.txt")) {
      return ThreadDump.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static ThreadDump.Thread named(String name) throws Exception {
    return recorded().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void parse_aRecordedDump_hasItsThreads() throws Exception {
    assertEquals(23, recorded().size());
    ThreadDump.Thread main = named("main");
    assertEquals(OptionalLong.of(18444), main.kernelNumber());
    assertEquals(OptionalLong.of(2_151_280_000L), main.processorNanos());
    assertFalse(main.blocked());
    assertEquals("jdk.internal.misc.Unsafe", main.frames().getFirst().getClassName());
    assertEquals("park", main.frames().getFirst().getMethodName());
    assertTrue(main.frames().getFirst().isNativeMethod());
    assertEquals("main", main.frames().getLast().getMethodName());
    assertEquals(List.of(), named("VM Thread").frames());
  }

  @Test
  void parse_aRecordedDump_isReadByTheRulesOfTheLibrary() throws Exception {
    List<StackTraceElement> refresh = CauseRules.refresh(named("main").frames());

    assertEquals(ReopenCause.MERGE_WAIT, CauseRules.of(refresh, false));
    assertEquals(
        Optional.of(StackFrames.Work.MERGE),
        StackFrames.Work.of(named("Lucene Merge Thread #5").frames()));
    assertEquals(Optional.empty(), StackFrames.Work.of(named("Finalizer").frames()));
  }

  /** The forms of JDK 17: a number in hexadecimal, and a thread that waits for a monitor. */
  @Test
  void parse_aBlockedThreadOfAnOlderJdk_isBlocked() {
    ThreadDump.Thread thread =
        ThreadDump.parse(
                """
                "a "b" c" #12 daemon prio=5 os_prio=0 cpu=1.50ms elapsed=2.00s tid=0x1 nid=0x1a waiting for monitor entry  [0x2]
                   java.lang.Thread.State: BLOCKED (on object monitor)
                \tat org.apache.lucene.index.IndexWriter.getReader(IndexWriter.java:12)
                \t- waiting to lock <0x000000008a2b5b38> (a java.lang.Object)
                \tat com.shop.Shop$$Lambda/0x0000.run(Unknown Source)
                """)
            .getFirst();

    assertEquals("a \"b\" c", thread.name());
    assertEquals(OptionalLong.of(26), thread.kernelNumber());
    assertTrue(thread.blocked());
    assertEquals(12, thread.frames().getFirst().getLineNumber());
    assertEquals("run", thread.frames().getLast().getMethodName());
  }

  @Test
  void parse_anything_doesNotFail() {
    assertEquals(List.of(), ThreadDump.parse(""));
    assertEquals(List.of(), ThreadDump.parse("\tat a.b(C.java:1)\nno dump\n"));
    assertEquals(1, ThreadDump.parse("\"x\" nid=1 \n\tat \n\tat ()\n\tat a(\n").size());
  }
}
