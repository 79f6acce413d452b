package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.lucene.ForwardingIndexInput;
import io.weir.store.keys.OverlayInput;
import io.weir.store.writeback.FileWriteback;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

/** A new Lucene that adds a way to write must make one of these fail, not slip past the budget. */
class NothingUnwrappedTest {

  /** Built by Lucene on the methods that are overridden, so they need none of their own. */
  private static final Set<String> BUILT_ON_OTHERS =
      Set.of(
          "writeBytes(byte[],int)",
          "writeGroupVInts(int[],int)",
          "writeGroupVInts(long[],int)",
          "writeMapOfStrings(Map)",
          "writeSetOfStrings(Set)",
          "writeString(String)");

  /** They say what the output is, and write nothing. */
  private static final Set<String> NO_WRITES = Set.of("getName()", "toString()");

  @Test
  void rateLimitedIndexOutput_everyWriteMethod_isOverridden() {
    Set<String> expected = overridable(IndexOutput.class);
    expected.addAll(overridable(DataOutput.class));
    expected.removeAll(BUILT_ON_OTHERS);
    expected.removeAll(NO_WRITES);
    assertEquals(expected, declaredPublic(RateLimitedIndexOutput.class));
  }

  /** What writes no byte: forwarded by Lucene's FilterDirectory. */
  private static final Set<String> DIRECTORY_WRITES_NO_BYTES =
      Set.of(
          "close()",
          "fileLength(String)",
          "getPendingDeletions()",
          "listAll()",
          "obtainLock(String)",
          "openChecksumInput(String)",
          "openInput(String,IOContext)",
          "rename(String,String)",
          "sync(Collection)",
          "syncMetaData()",
          "toString()");

  @Test
  void rateLimitedDirectory_everyMethodThatWrites_isOverridden() {
    Set<String> expected = overridable(Directory.class);
    expected.removeAll(DIRECTORY_WRITES_NO_BYTES);
    expected.addAll(
        Set.of(
            "budget()",
            "bind(String,MergeLimiter)",
            "unbind(String,MergeLimiter)",
            "bind(Thread,MergeLimiter)",
            "unbind(Thread,MergeLimiter)",
            "whenUnclaimed(Runnable)",
            "close()",
            "obtainLock(String)",
            "openInput(String,IOContext)", // where a merge that builds a graph may wait
            "isOpen()",
            "hasWriter()"));
    assertEquals(expected, declaredPublic(RateLimitedDirectory.class));
  }

  @Test
  void writebackIndexOutput_everyWriteMethod_isOverridden() {
    Set<String> expected = overridable(IndexOutput.class);
    expected.addAll(overridable(DataOutput.class));
    expected.removeAll(BUILT_ON_OTHERS);
    expected.removeAll(NO_WRITES);
    // The output below counts and sums up what it was given, all of it.
    expected.removeAll(Set.of("getFilePointer()", "getChecksum()"));
    assertEquals(expected, declaredPublic(FileWriteback.Output.class));
  }

  /** And it has a say in what becomes of a file whose write failed. */
  @Test
  void writebackDirectory_everyMethodThatWritesOrSyncs_isOverridden() {
    Set<String> expected = overridable(Directory.class);
    expected.removeAll(DIRECTORY_WRITES_NO_BYTES);
    expected.addAll(Set.of("rename(String,String)", "sync(Collection)", "close()"));
    expected.addAll(Set.of("method()", "methodReason()", "options()"));
    expected.addAll(Set.of("snapshot()", "forecastSnapshot()"));
    // Temporary files die before the kernel would write them: left alone on purpose.
    expected.remove("createTempOutput(String,String,IOContext)");
    assertEquals(expected, declaredPublic(WritebackDirectory.class));
  }

  /** Every way to a part of the file must be ours, or a key file slips by or a clone is shared. */
  @Test
  void residentInputs_everyMethodOfAnInput_isOverriddenOrLucenesFilterDoes() {
    Set<String> expected = overridable(IndexInput.class);
    // Built on seek, and on the slice that is ours.
    expected.removeAll(Set.of("skipBytes(long)", "toString()"));
    expected.removeAll(declaredPublic(FilterIndexInput.class));
    expected.add("slice(String,long,long)");
    expected.addAll( // of other versions of Lucene
        Set.of(
            "slice(String,long,long,ReadAdvice)",
            "updateReadAdvice(ReadAdvice)",
            "isEfficientFor(IOContext)"));
    assertEquals(expected, declaredPublic(ForwardingIndexInput.class));
    for (Class<?> type : List.of(ResidentDirectory.CompoundInput.class, OverlayInput.class)) {
      assertEquals(
          List.of("slice(String,long,long,SliceHint)"),
          Arrays.stream(type.getDeclaredMethods())
              .filter(method -> method.getName().equals("slice"))
              .map(NothingUnwrappedTest::signature)
              .toList());
    }
    assertEquals(Set.of(), declaredPublic(ResidentDirectory.CompoundInput.class));
    assertEquals(
        Set.of("clone()", "randomAccessSlice(long,long)", "close()"),
        declaredPublic(OverlayInput.class));
  }

  /** Files reach an application by these two ways alone. */
  @Test
  void residentDirectory_everyMethodThatOpensForReading_isOverriddenOrBuiltOnIt() {
    Set<String> opens = overridable(Directory.class);
    opens.removeIf(method -> !method.contains("Input("));
    assertEquals(Set.of("openInput(String,IOContext)", "openChecksumInput(String)"), opens);
    assertEquals(
        Set.of(
            "openInput(String,IOContext)",
            "createOutput(String,IOContext)",
            "deleteFile(String)",
            "close()",
            "keys()",
            "snapshot()"),
        declaredPublic(ResidentDirectory.class));
  }

  /** It wants to know of lasting files that are made and deleted; all else is Lucene's filter's. */
  @Test
  void prefetchDirectory_whatMakesAndDeletesFiles_isOverriddenAndNoOther() {
    assertEquals(
        Set.of(
            "createOutput(String,IOContext)",
            "deleteFile(String)",
            "segments()",
            "faults()",
            "nanos()"),
        declaredPublic(PrefetchDirectory.class));
  }

  /**
   * Opening a file is its matter; the checksum input is built on it, by Lucene. What replaces or
   * deletes a file also replaces the copy that a writer's lock keeps.
   */
  @Test
  void smallFilesDirectory_everyMethodThatOpensOrReplaces_isOverriddenAndNoOther() {
    Set<String> expected = overridable(Directory.class);
    expected.removeIf(method -> !method.startsWith("open"));
    expected.remove("openChecksumInput(String)");
    assertEquals(Set.of("openInput(String,IOContext)"), expected);
    expected.addAll(
        Set.of(
            "createOutput(String,IOContext)",
            "copyFrom(Directory,String,String,IOContext)",
            "rename(String,String)",
            "deleteFile(String)",
            "obtainLock(String)",
            "close()"));
    expected.addAll(Set.of("isActive()", "options()", "reason()", "snapshot()"));
    assertEquals(expected, declaredPublic(SmallFilesDirectory.class));
  }

  private static Set<String> overridable(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> Modifier.isPublic(m.getModifiers()))
        .filter(m -> !Modifier.isFinal(m.getModifiers()) && !Modifier.isStatic(m.getModifiers()))
        .map(NothingUnwrappedTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> declaredPublic(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> Modifier.isPublic(m.getModifiers()) && !m.isSynthetic())
        .map(NothingUnwrappedTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }
}
