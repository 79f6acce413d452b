package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Stacks as they were seen, cut short. */
class CauseRulesTest {

  private static final String REFRESH = "org.apache.lucene.search.ReferenceManager.doMaybeRefresh";
  private static final String GET_READER = "org.apache.lucene.index.IndexWriter.getReader";
  private static final String FLUSH = "org.apache.lucene.index.DocumentsWriterPerThread.flush";
  private static final String APPLY =
      "org.apache.lucene.index.FrozenBufferedUpdates.applyTermDeletes";
  private static final String PARK = "jdk.internal.misc.Unsafe.park";

  @ParameterizedTest
  @MethodSource("stacks")
  void of_aStack_isItsCause(ReopenCause cause, List<String> frames) {
    assertEquals(cause, CauseRules.of(frames(frames), false));
  }

  @Test
  void awaitsRefresh_forTheLockOfARefresh_andForNoOther() {
    String lock = "java.util.concurrent.locks.ReentrantLock.lock";
    String blocking = "org.apache.lucene.search.ReferenceManager.maybeRefreshBlocking";

    assertTrue(CauseRules.awaitsRefresh(frames(List.of(PARK, lock, blocking))));
    assertFalse(CauseRules.awaitsRefresh(frames(List.of(PARK, lock, GET_READER, blocking))));
    assertFalse(CauseRules.awaitsRefresh(frames(List.of(lock, blocking))));
    assertFalse(CauseRules.awaitsRefresh(List.of()));
  }

  @Test
  void refresh_ofAStack_endsWhereItBegins() {
    List<StackTraceElement> stack = frames(List.of(GET_READER, REFRESH, "com.shop.Shop.run"));

    assertEquals(stack.subList(0, 2), CauseRules.refresh(stack));
    assertEquals(List.of(), CauseRules.refresh(frames(List.of(GET_READER))));
  }

  static Stream<Arguments> stacks() {
    return Stream.of(
        stack(
            ReopenCause.MERGE_STALL,
            "java.lang.Object.wait0",
            "org.apache.lucene.index.ConcurrentMergeScheduler.doStall",
            "org.apache.lucene.index.ConcurrentMergeScheduler.maybeStall",
            GET_READER),
        stack(
            ReopenCause.MERGE_WAIT,
            PARK,
            "java.util.concurrent.CompletableFuture.get",
            "org.apache.lucene.index.MergePolicy$OneMerge.await",
            "org.apache.lucene.index.MergePolicy$MergeSpecification.await",
            GET_READER),
        stack(
            ReopenCause.MERGE,
            "sun.nio.ch.UnixFileDispatcherImpl.write0",
            "org.apache.lucene.index.IndexWriter.mergeMiddle",
            "org.apache.lucene.index.SerialMergeScheduler.merge",
            GET_READER),
        stack(
            ReopenCause.WARM,
            "sun.nio.ch.UnixFileDispatcherImpl.pread0",
            "com.shop.Warming.newSearcher",
            "org.apache.lucene.search.SearcherManager.getSearcher"),
        stack(
            ReopenCause.LISTENERS,
            PARK,
            "com.shop.Told.afterRefresh",
            "org.apache.lucene.search.ReferenceManager.notifyRefreshListenersRefreshed"),
        stack(
            ReopenCause.UNMAP,
            "jdk.internal.misc.ScopedMemoryAccess.closeScope0",
            "jdk.internal.foreign.SharedSession.justClose",
            "jdk.internal.foreign.MemorySessionImpl.close",
            "org.apache.lucene.index.SegmentReader.doClose",
            "org.apache.lucene.search.ReferenceManager.release"),
        stack(
            ReopenCause.UNMAP,
            "sun.nio.ch.UnixFileDispatcherImpl.unmap0",
            "jdk.internal.foreign.MemorySessionImpl.close",
            "org.apache.lucene.search.ReferenceManager.release"),
        stack(
            ReopenCause.FILE_MAP,
            "sun.nio.ch.UnixFileDispatcherImpl.map0",
            "sun.nio.ch.FileChannelImpl.mapInternal",
            "org.apache.lucene.store.MMapDirectory.openInput",
            "org.apache.lucene.index.SegmentReader.<init>",
            GET_READER),
        stack(
            ReopenCause.FILE_SYNC,
            "sun.nio.ch.UnixFileDispatcherImpl.force0",
            "sun.nio.ch.FileChannelImpl.force",
            GET_READER),
        stack(
            ReopenCause.FILE_WRITE,
            "sun.nio.ch.UnixFileDispatcherImpl.write0",
            "sun.nio.ch.ChannelOutputStream.write",
            FLUSH,
            GET_READER),
        stack(
            ReopenCause.FILE_WRITE,
            "sun.nio.ch.UnixFileDispatcherImpl.pwrite0",
            "org.apache.lucene.misc.store.DirectIODirectory$DirectIOIndexOutput.dump",
            GET_READER),
        stack(
            ReopenCause.FILE_WRITE,
            PARK,
            "org.apache.lucene.store.FSDirectory$FSIndexOutput$1.write",
            FLUSH,
            GET_READER),
        stack(ReopenCause.FILE_WRITE, "java.io.FileOutputStream.writeBytes", FLUSH, GET_READER),
        stack(
            ReopenCause.FILE_DELETE,
            "sun.nio.fs.UnixNativeDispatcher.unlink0",
            "java.nio.file.Files.delete",
            "org.apache.lucene.store.FSDirectory.privateDeleteFile",
            GET_READER),
        stack(
            ReopenCause.FILE_OPEN,
            "sun.nio.fs.UnixNativeDispatcher.open0",
            "java.nio.file.Files.newOutputStream",
            FLUSH,
            GET_READER),
        stack(
            ReopenCause.FILE_OPEN,
            "com.shop.Disk.open",
            "java.nio.channels.FileChannel.open",
            "org.apache.lucene.index.SegmentCoreReaders.<init>",
            GET_READER),
        stack(
            ReopenCause.FILE_OPEN,
            "sun.nio.fs.UnixNativeDispatcher.stat0",
            "java.nio.file.Files.size",
            GET_READER),
        stack(
            ReopenCause.FILE_OPEN,
            "sun.nio.ch.UnixFileDispatcherImpl.size0",
            "sun.nio.ch.FileChannelImpl.size",
            GET_READER),
        stack(ReopenCause.FILE_OPEN, "java.io.FileDescriptor.close0", FLUSH, GET_READER),
        stack(
            ReopenCause.CLASS_LOAD,
            "java.lang.ClassLoader.defineClass0",
            "jdk.internal.loader.BuiltinClassLoader.loadClass",
            FLUSH,
            GET_READER),
        stack(
            ReopenCause.CLASS_LOAD,
            "java.lang.invoke.LambdaForm.compileToBytecode",
            "java.lang.invoke.MethodHandleNatives.linkCallSite",
            FLUSH,
            GET_READER),
        stack(
            ReopenCause.THREAD_START,
            "java.lang.Thread.start0",
            "org.apache.lucene.index.ConcurrentMergeScheduler.merge",
            GET_READER),
        stack(
            ReopenCause.LOCK,
            PARK,
            "java.util.concurrent.locks.ReentrantLock.lock",
            APPLY,
            GET_READER),
        stack(
            ReopenCause.DELETES_TERMS,
            "jdk.internal.misc.ScopedMemoryAccess.copyMemory",
            "org.apache.lucene.codecs.lucene103.blocktree.SegmentTermsEnumFrame.loadBlock",
            "org.apache.lucene.codecs.lucene103.blocktree.SegmentTermsEnum.seekExact",
            APPLY,
            GET_READER),
        stack(
            ReopenCause.DELETES,
            "org.apache.lucene.codecs.lucene104.Lucene104PostingsReader.postings",
            APPLY,
            GET_READER),
        stack(
            ReopenCause.SEGMENT_OPEN,
            "org.apache.lucene.codecs.CodecUtil.checkHeader",
            "org.apache.lucene.index.SegmentCoreReaders.<init>",
            "org.apache.lucene.index.SegmentReader.<init>",
            GET_READER),
        stack(
            ReopenCause.SEGMENT_OPEN,
            "org.apache.lucene.codecs.CodecUtil.checkHeader",
            "org.apache.lucene.index.SegmentReader.<init>",
            GET_READER),
        stack(
            ReopenCause.FILE_READ,
            "sun.nio.ch.UnixFileDispatcherImpl.pread0",
            "org.apache.lucene.store.NIOFSDirectory$NIOFSIndexInput.readInternal",
            GET_READER),
        stack(ReopenCause.FILE_READ, "sun.nio.ch.UnixFileDispatcherImpl.read0", FLUSH, GET_READER),
        stack(ReopenCause.CPU, "java.util.Arrays.fill", FLUSH, GET_READER),
        // A terms enum is read for many things; without deletes it is not read for deletes.
        stack(
            ReopenCause.CPU,
            "org.apache.lucene.index.FreqProxFields$FreqProxTermsEnum.next",
            FLUSH,
            GET_READER),
        stack(ReopenCause.CPU, "java.lang.System.arraycopy0", FLUSH, GET_READER),
        stack(ReopenCause.CPU, "io.weir.nrt.ReopenPhases$PhaseTimer.message", GET_READER),
        stack(ReopenCause.UNKNOWN, "com.shop.Analyzer.spin", FLUSH, GET_READER));
  }

  private static Arguments stack(ReopenCause cause, String... frames) {
    return Arguments.of(cause, Arrays.asList(frames));
  }

  @Test
  void of_aThreadThatWaitsForAMonitor_isTheLock() {
    List<StackTraceElement> frames = frames(List.of(GET_READER, REFRESH));
    assertEquals(ReopenCause.LOCK, CauseRules.of(frames, true));
    assertEquals(ReopenCause.CPU, CauseRules.of(frames, false));
  }

  @Test
  void of_aNativeMethodThatNoRuleKnows_isUnknown() {
    StackTraceElement unheard = new StackTraceElement("org.apache.lucene.N", "f", "N.java", -2);
    assertEquals(ReopenCause.UNKNOWN, CauseRules.of(List.of(unheard), false));
  }

  /** A rule that no stack above needs could be wrong for ever. */
  @Test
  void rules_areAllNeededAndGiveAReason() {
    List<List<String>> samples = stacks().map(CauseRulesTest::framesOf).toList();
    for (CauseRules.Rule rule :
        Stream.concat(CauseRules.BEFORE_WAITING.stream(), CauseRules.AFTER_WAITING.stream())
            .toList()) {
      assertTrue(
          samples.stream()
              .anyMatch(frames -> frames.stream().anyMatch(name -> name.contains(rule.frame()))),
          rule.toString());
      assertFalse(rule.reason().isBlank(), rule.toString());
    }
  }

  @Test
  void labels_fitAColumnOfATable() {
    for (ReopenCause cause : ReopenCause.values()) {
      assertTrue(cause.label().length() <= 24, cause.label());
    }
  }

  @Test
  void causes_ofStacks_areAllShown() {
    Set<ReopenCause> shown = EnumSet.noneOf(ReopenCause.class);
    stacks().forEach(stack -> shown.add((ReopenCause) stack.get()[0]));
    // What no stack tells.
    shown.addAll(
        List.of(ReopenCause.REFRESH_LOCK, ReopenCause.STANDSTILL, ReopenCause.NOT_SAMPLED));
    assertEquals(EnumSet.allOf(ReopenCause.class), shown);
  }

  @Test
  void depthOfRefresh_countsToTheOutermostFrameOfTheManager() {
    List<StackTraceElement> frames =
        frames(
            List.of(
                GET_READER,
                REFRESH,
                "org.apache.lucene.search.ReferenceManager.maybeRefreshBlocking",
                "com.shop.Reopening.run"));
    assertEquals(3, CauseRules.depthOfRefresh(frames.toArray(StackTraceElement[]::new)));
    assertEquals(0, CauseRules.depthOfRefresh(new StackTraceElement[0]));
    assertEquals(
        0,
        CauseRules.depthOfRefresh(
            frames(List.of("com.shop.Reopening.run")).toArray(StackTraceElement[]::new)));
  }

  @SuppressWarnings("unchecked") // as stack() made it
  private static List<String> framesOf(Arguments arguments) {
    return (List<String>) arguments.get()[1];
  }

  private static List<StackTraceElement> frames(List<String> names) {
    return names.stream()
        .map(
            name -> {
              int dot = name.lastIndexOf('.');
              boolean call = name.endsWith("0");
              return new StackTraceElement(
                  name.substring(0, dot), name.substring(dot + 1), null, call ? -2 : 1);
            })
        .toList();
  }
}
