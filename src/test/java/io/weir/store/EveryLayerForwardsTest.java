package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan.Layer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.store.BufferedChecksumIndexInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NoLockFactory;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.store.ReadAdvice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each layer, and the whole stack, passes every method of {@link Directory} and {@link IndexInput}
 * on under its own name. What a layer lacks, Lucene's defaults would replace by other methods: so
 * {@code addIndexes} lost its copies.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EveryLayerForwardsTest {

  private static final String NAME = "_0.pos";

  /** A read-only view of the layer's own, built on its {@code openInput}, as in Lucene. */
  private static final Set<String> BUILT_ON_OPEN_INPUT =
      Set.of("openChecksumInput(String)", "openChecksumInput(String,IOContext)");

  /** What no newer Lucene has: it is there in 10.0 to 10.2. */
  private static final boolean TAKES_ADVICE =
      overridable(IndexInput.class).contains("slice(String,long,long,ReadAdvice)");

  static Stream<Layer> layers() {
    return EnumSet.complementOf(EnumSet.of(Layer.INSTRUMENT)).stream();
  }

  @ParameterizedTest
  @MethodSource("layers")
  void layer_forwardsEveryMethodOfADirectoryAndItsInputs(Layer layer) throws Exception {
    assertForwardsAll(only(layer));
  }

  @Test
  void whole_forwardsEveryMethodOfADirectoryAndItsInputs() throws Exception {
    assertForwardsAll(all());
  }

  @Test
  void plan_hasEveryLayer_inTheOrderOfTheEnum() {
    assertEquals(List.of(Layer.values()), all().withInstrument(UnaryOperator.identity()).layers());
  }

  /** The fixtures of this test must know every method, or it would not see that one is missing. */
  @Test
  void recorders_overrideEveryMethod() {
    assertEquals(Set.of(), missing(overridable(Directory.class), RecordingDirectory.class));
    Set<String> unknown = missing(overridable(IndexInput.class), RecordingInput.class);
    if (TAKES_ADVICE) {
      unknown = missing(unknown, AdvisedInput.class);
    }
    assertEquals(Set.of(), unknown);
  }

  private static DirectoryPlan all() {
    return DirectoryPlan.recommended(ByteBudget.unlimited()).withKeys(ResidentKeys.of("id"));
  }

  private static DirectoryPlan only(Layer kept) {
    DirectoryPlan plan = all();
    for (Layer layer : Layer.values()) {
      plan = layer == kept ? plan : plan.without(layer);
    }
    return plan;
  }

  private static void assertForwardsAll(DirectoryPlan plan) throws Exception {
    RecordingDirectory files = new RecordingDirectory();
    Directory directory = plan.over(files);
    Set<String> expected = overridable(Directory.class);
    expected.removeAll(BUILT_ON_OPEN_INPUT);

    IndexInput input = directory.openInput(NAME, IOContext.DEFAULT);
    callAll(input, IndexInput.class);
    for (Method method : methods(Directory.class)) {
      if (!method.getName().equals("close")) {
        call(directory, method);
      }
    }
    directory.close();

    assertEquals(expected, new TreeSet<>(files.calls));
    Set<String> expectedOfInputs = overridable(IndexInput.class);
    expectedOfInputs.remove("skipBytes(long)"); // built on seek, as in Lucene
    TreeSet<String> calls = new TreeSet<>(files.callsOfInputs);
    calls.remove("skipBytes(long)");
    assertEquals(expectedOfInputs, calls);
    assertSame(files, FilterDirectory.unwrap(directory));
  }

  private static void callAll(IndexInput input, Class<?> type) throws Exception {
    for (Method method : methods(type)) {
      if (!method.getName().equals("close")) {
        call(input, method);
      }
    }
    input.close();
  }

  private static void call(Object target, Method method) throws Exception {
    Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(EveryLayerForwardsTest::argument).toArray();
    try {
      Object result = method.invoke(target, arguments);
      if (result instanceof IndexOutput output) {
        output.close();
      } else if (result instanceof ChecksumIndexInput opened) {
        opened.close();
      }
    } catch (InvocationTargetException e) {
      throw new AssertionError(method.toString(), e.getCause());
    }
  }

  private static Object argument(Class<?> type) {
    if (type == String.class) {
      return NAME;
    } else if (type == IOContext.class) {
      return IOContext.DEFAULT;
    } else if (type == Collection.class) {
      return List.of(NAME);
    } else if (type == Directory.class) {
      return new ByteBuffersDirectory();
    } else if (type == long.class) {
      return 0L;
    } else if (type.getSimpleName().equals("ReadAdvice")) {
      return type.getEnumConstants()[0];
    }
    throw new AssertionError("a parameter that this test does not know: " + type);
  }

  private static Set<String> missing(Set<String> expected, Class<?> type) {
    Set<String> missing = new TreeSet<>(expected);
    Arrays.stream(type.getDeclaredMethods())
        .map(EveryLayerForwardsTest::signature)
        .forEach(missing::remove);
    return missing;
  }

  private static Set<String> overridable(Class<?> type) {
    return methods(type).stream()
        .map(EveryLayerForwardsTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Method> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> Modifier.isPublic(m.getModifiers()))
        .filter(m -> !Modifier.isFinal(m.getModifiers()) && !Modifier.isStatic(m.getModifiers()))
        .filter(m -> !m.isSynthetic() && !m.getName().equals("toString"))
        .toList();
  }

  private static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }

  /** Notes the name of each method that is called. */
  private static final class RecordingDirectory extends Directory {

    final Set<String> calls = new ConcurrentSkipListSet<>();
    final Set<String> callsOfInputs = new ConcurrentSkipListSet<>();
    private final Directory bytes = new ByteBuffersDirectory();

    @Override
    public String[] listAll() {
      calls.add("listAll()");
      return new String[0];
    }

    @Override
    public void deleteFile(String name) {
      calls.add("deleteFile(String)");
    }

    @Override
    public long fileLength(String name) {
      calls.add("fileLength(String)");
      return RecordingInput.LENGTH;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      calls.add("createOutput(String,IOContext)");
      return bytes.createTempOutput(name, "output", context);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      calls.add("createTempOutput(String,String,IOContext)");
      return bytes.createTempOutput(prefix, suffix, context);
    }

    @Override
    public void sync(Collection<String> names) {
      calls.add("sync(Collection)");
    }

    @Override
    public void syncMetaData() {
      calls.add("syncMetaData()");
    }

    @Override
    public void rename(String source, String dest) {
      calls.add("rename(String,String)");
    }

    @Override
    public IndexInput openInput(String name, IOContext context) {
      calls.add("openInput(String,IOContext)");
      return TAKES_ADVICE ? new AdvisedInput(callsOfInputs) : new RecordingInput(callsOfInputs);
    }

    @Override
    public ChecksumIndexInput openChecksumInput(String name) throws IOException {
      calls.add("openChecksumInput(String)");
      return super.openChecksumInput(name);
    }

    /** In Lucene 9.12. */
    public ChecksumIndexInput openChecksumInput(String name, IOContext context) {
      calls.add("openChecksumInput(String,IOContext)");
      return new BufferedChecksumIndexInput(openInput(name, context));
    }

    @Override
    public Lock obtainLock(String name) throws IOException {
      calls.add("obtainLock(String)");
      return NoLockFactory.INSTANCE.obtainLock(this, name);
    }

    @Override
    public void close() {
      calls.add("close()");
    }

    @Override
    public void copyFrom(Directory from, String src, String dest, IOContext context) {
      calls.add("copyFrom(Directory,String,String,IOContext)");
    }

    @Override
    public Set<String> getPendingDeletions() {
      calls.add("getPendingDeletions()");
      return Set.of();
    }
  }

  /** A long file, so that every layer takes an interest in it. */
  private static class RecordingInput extends IndexInput implements RandomAccessInput {

    static final long LENGTH = 1L << 40;

    final Set<String> calls;

    RecordingInput(Set<String> calls) {
      super("recording");
      this.calls = calls;
    }

    @Override
    public void close() {
      calls.add("close()");
    }

    @Override
    public long getFilePointer() {
      calls.add("getFilePointer()");
      return 0;
    }

    @Override
    public void seek(long position) {
      calls.add("seek(long)");
    }

    @Override
    public long length() {
      calls.add("length()");
      return LENGTH;
    }

    @Override
    public void skipBytes(long bytes) {
      calls.add("skipBytes(long)");
    }

    @Override
    public IndexInput clone() {
      calls.add("clone()");
      return this;
    }

    @Override
    public IndexInput slice(String name, long offset, long length) {
      calls.add("slice(String,long,long)");
      return this;
    }

    @Override
    public IndexInput slice(String name, long offset, long length, IOContext context) {
      calls.add("slice(String,long,long,IOContext)");
      return this;
    }

    @Override
    public RandomAccessInput randomAccessSlice(long offset, long length) {
      calls.add("randomAccessSlice(long,long)");
      return this;
    }

    @Override
    public void prefetch(long offset, long length) {
      calls.add("prefetch(long,long)");
    }

    @Override
    public void updateIOContext(IOContext context) {
      calls.add("updateIOContext(IOContext)");
    }

    @Override
    public Optional<Boolean> isLoaded() {
      calls.add("isLoaded()");
      return Optional.empty();
    }

    /** Since Lucene 10.6. */
    public boolean isEfficientFor(IOContext context) {
      calls.add("isEfficientFor(IOContext)");
      return true;
    }

    @Override
    public byte readByte() {
      return 0;
    }

    @Override
    public void readBytes(byte[] target, int offset, int length) {}

    @Override
    public byte readByte(long position) {
      return 0;
    }

    @Override
    public short readShort(long position) {
      return 0;
    }

    @Override
    public int readInt(long position) {
      return 0;
    }

    @Override
    public long readLong(long position) {
      return 0;
    }
  }

  /** With the methods of Lucene 10.0 to 10.2. Nothing may load this where they are missing. */
  private static final class AdvisedInput extends RecordingInput {

    AdvisedInput(Set<String> calls) {
      super(calls);
    }

    public IndexInput slice(String name, long offset, long length, ReadAdvice advice) {
      calls.add("slice(String,long,long,ReadAdvice)");
      return this;
    }

    public void updateReadAdvice(ReadAdvice advice) {
      calls.add("updateReadAdvice(ReadAdvice)");
    }
  }
}
