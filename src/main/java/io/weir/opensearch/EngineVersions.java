package io.weir.opensearch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LiveIndexWriterConfig;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.codec.CodecService;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.InternalEngine;

/**
 * What differs between the versions of OpenSearch that the plug-in works with. It is compiled for
 * one of those from 3.0 on; a method that others lack is found once, by a method handle. {@code
 * PluginLinkageIT} holds the rest of the plug-in to what all of them have.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> a {@link LinkageError} if an engine has neither of the
 * forms that are known; what must work without says so.
 */
final class EngineVersions {

  private static final Lookup LOOKUP = MethodHandles.publicLookup();

  /** From 3.2 on. The engine's agent checks the callers of a file access up to this one. */
  private static final Optional<MethodHandle> PRIVILEGED =
      type("org.opensearch.secure_sm.AccessController")
          .flatMap(type -> staticMethod(type, "doPrivileged", Object.class, Supplier.class));

  /** From 3.7 on: other versions have no formats of data but Lucene's. */
  private static final Optional<MethodHandle> ADD_DATA_FORMAT =
      staticMethod(
          MetadataCreateIndexService.class,
          "updatePluggableDataFormatSettings",
          void.class,
          Settings.Builder.class,
          ClusterSettings.class,
          String.class);

  private EngineVersions() {}

  /** The same configuration of an engine, with other codecs. */
  static EngineConfig withCodecs(EngineConfig config, CodecService codecs) {
    return privileged(() -> Builders.of(config)).codecService(codecs).build();
  }

  /** The live configuration of an engine's writer. */
  static LiveIndexWriterConfig writerConfig(InternalEngine engine) {
    MethodHandle config = privileged(() -> Writers.CONFIG);
    try {
      return (LiveIndexWriterConfig) config.invokeExact(engine);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Adds the format of data that the engine chooses for a new index, where there is a choice. */
  static void addDataFormat(Settings.Builder settings, ClusterSettings cluster, String index) {
    try {
      if (ADD_DATA_FORMAT.isPresent()) {
        ADD_DATA_FORMAT.orElseThrow().invokeExact(settings, cluster, index);
      }
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Calls with the permissions of the plug-in, whatever the callers may do. */
  @SuppressWarnings("unchecked")
  static <T> T privileged(Supplier<T> step) {
    if (PRIVILEGED.isEmpty()) {
      return ofTheJdk(step);
    }
    try {
      return (T) (Object) PRIVILEGED.orElseThrow().invokeExact(step);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Before 3.2 the engine's agent stops at this class, though to the JDK it means nothing. */
  @SuppressWarnings("removal")
  private static <T> T ofTheJdk(Supplier<T> step) {
    return java.security.AccessController.doPrivileged(
        (java.security.PrivilegedAction<T>) step::get);
  }

  /** The writer's field has another name and type from 3.3 on; before 3.0 it was private. */
  private static final class Writers {

    private static final MethodHandle CONFIG =
        find(() -> config("documentIndexWriter", "org.opensearch.index.engine.DocumentIndexWriter"))
            .or(() -> find(() -> config("indexWriter", IndexWriter.class.getName())))
            .orElseThrow(() -> new NoSuchFieldError("InternalEngine has no field of its writer"));

    private Writers() {}

    private static MethodHandle config(String field, String type)
        throws ReflectiveOperationException {
      Class<?> writer = Class.forName(type);
      return MethodHandles.filterReturnValue(
          MethodHandles.privateLookupIn(InternalEngine.class, MethodHandles.lookup())
              .findGetter(InternalEngine.class, field, writer),
          LOOKUP.findVirtual(
              writer, "getConfig", MethodType.methodType(LiveIndexWriterConfig.class)));
    }
  }

  /** Copies a configuration; before 3.3 the engine cannot, so this passes on each value. */
  private static final class Builders {

    private static final Optional<MethodHandle> COPY =
        find(
            () ->
                LOOKUP.findVirtual(
                    EngineConfig.class,
                    "toBuilder",
                    MethodType.methodType(EngineConfig.Builder.class)));

    /** One value: from the configuration to the builder. */
    private record Value(MethodHandle from, MethodHandle to) {}

    private static final List<Value> VALUES = COPY.isPresent() ? List.of() : values();

    private Builders() {}

    static EngineConfig.Builder of(EngineConfig config) {
      try {
        if (COPY.isPresent()) {
          return (EngineConfig.Builder) COPY.orElseThrow().invokeExact(config);
        }
        EngineConfig.Builder copy = new EngineConfig.Builder();
        for (Value value : VALUES) {
          value.to().invoke(copy, value.from().invoke(config));
        }
        return copy;
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    private static List<Value> values() {
      List<Value> found = new ArrayList<>();
      for (Method to : EngineConfig.Builder.class.getMethods()) {
        boolean sets =
            to.getReturnType() == EngineConfig.Builder.class && to.getParameterCount() == 1;
        if (sets && to.getParameterTypes()[0] != CodecService.class) {
          Method from = getter(to.getName());
          found.add(
              find(() -> new Value(LOOKUP.unreflect(from), LOOKUP.unreflect(to))).orElseThrow());
        }
      }
      return List.copyOf(found);
    }

    private static Method getter(String property) {
      String capital = Character.toUpperCase(property.charAt(0)) + property.substring(1);
      return Stream.of("get" + capital, "is" + capital, "getCustom" + capital, property)
          .flatMap(
              name ->
                  Arrays.stream(EngineConfig.class.getMethods())
                      .filter(method -> method.getName().equals(name))
                      .filter(method -> method.getParameterCount() == 0))
          .findFirst()
          .orElseThrow(() -> new NoSuchMethodError("EngineConfig has no getter of " + property));
    }
  }

  private static Optional<Class<?>> type(String name) {
    return find(() -> Class.forName(name));
  }

  private static Optional<MethodHandle> staticMethod(
      Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
    return find(() -> LOOKUP.findStatic(owner, name, MethodType.methodType(result, parameters)));
  }

  /** A lookup, which fails if there is nothing. */
  @FunctionalInterface
  private interface Find<T> {
    T find() throws ReflectiveOperationException;
  }

  private static <T> Optional<T> find(Find<T> find) {
    try {
      return Optional.of(find.find());
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }

  /** Throws what a linked method threw, unchanged; none of them declares a checked exception. */
  private static RuntimeException thrown(Throwable failure) {
    return EngineVersions.<RuntimeException>unchecked(failure);
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> X unchecked(Throwable failure) throws X {
    throw (X) failure;
  }
}
