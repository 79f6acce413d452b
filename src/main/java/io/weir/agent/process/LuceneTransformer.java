package io.weir.agent.process;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import io.weir.agent.AgentLog;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType.Builder;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;

/**
 * Adds {@link LuceneAdvice} to three classes of Lucene, in every loader. It changes no other class,
 * and for those it costs one look-up of a name.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> a class that cannot be changed stays as it is; one line
 * says so.
 */
final class LuceneTransformer implements ClassFileTransformer {

  private static final String WRITER = "org/apache/lucene/index/IndexWriter";
  private static final String MANAGER = "org/apache/lucene/search/ReferenceManager";
  private static final String READER = "org/apache/lucene/index/DirectoryReader";
  private static final String DIRECTORY = "org.apache.lucene.store.Directory";
  private static final String WRITER_CONFIG = "org.apache.lucene.index.IndexWriterConfig";
  private static final String CLOSE = "close";

  private final Map<String, UnaryOperator<Builder<?>>> changes =
      Map.of(
          WRITER, LuceneTransformer::changeWriter,
          MANAGER, LuceneTransformer::changeManager,
          READER, LuceneTransformer::changeReader);

  private final Instrumentation instrumentation;

  private LuceneTransformer(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Changes the classes that are loaded, and those that will be. */
  static LuceneTransformer install(Instrumentation instrumentation) {
    LuceneTransformer transformer = new LuceneTransformer(instrumentation);
    instrumentation.addTransformer(transformer, true);
    transformer.retransformLoaded();
    return transformer;
  }

  /** Gives all classes back their own code. */
  void remove() {
    instrumentation.removeTransformer(this);
    retransformLoaded();
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    UnaryOperator<Builder<?>> change = name == null ? null : changes.get(name);
    if (change == null) {
      return null; // unchanged
    }
    String className = name.replace('/', '.');
    try (ClassFileLocator locator =
        new ClassFileLocator.Compound(
            ClassFileLocator.Simple.of(className, classFile),
            ClassFileLocator.ForClassLoader.of(loader))) {
      TypeDescription type = TypePool.Default.of(locator).describe(className).resolve();
      return change.apply(new ByteBuddy().redefine(type, locator)).make().getBytes();
    } catch (Exception | LinkageError e) {
      AgentLog.without(className + " could not be changed: " + AgentLog.rootOf(e));
      return null;
    }
  }

  private static Builder<?> changeWriter(Builder<?> writer) {
    return writer
        .visit(
            advice(
                LuceneAdvice.WriterConstructor.class,
                isConstructor()
                    .and(takesArgument(0, named(DIRECTORY)))
                    .and(takesArgument(1, named(WRITER_CONFIG)))))
        .visit(
            advice(
                LuceneAdvice.WriterClose.class,
                named(CLOSE).or(named("rollback")).and(isPublic()).and(takesNoArguments())));
  }

  private static Builder<?> changeManager(Builder<?> manager) {
    return manager
        .visit(advice(LuceneAdvice.ManagerConstructor.class, isConstructor()))
        .visit(
            advice(
                LuceneAdvice.ManagerClose.class,
                named(CLOSE).and(isPublic()).and(takesNoArguments())));
  }

  private static Builder<?> changeReader(Builder<?> reader) {
    return reader.visit(
        advice(LuceneAdvice.OpenIfChanged.class, named("openIfChanged").and(isStatic())));
  }

  private static AsmVisitorWrapper advice(
      Class<?> advice, ElementMatcher<? super MethodDescription> methods) {
    return Advice.to(advice, ClassFileLocator.ForClassLoader.of(advice.getClassLoader()))
        .on(methods);
  }

  private void retransformLoaded() {
    Class<?>[] loaded =
        Arrays.stream(instrumentation.getAllLoadedClasses())
            .filter(type -> changes.containsKey(type.getName().replace('.', '/')))
            .toArray(Class<?>[]::new);
    if (loaded.length > 0) {
      try {
        instrumentation.retransformClasses(loaded);
      } catch (UnmodifiableClassException | LinkageError e) {
        AgentLog.without("classes that are loaded could not be changed: " + AgentLog.rootOf(e));
      }
    }
  }
}
