package io.weir.store.kernel;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Functions of the C library as method handles. It uses the Foreign Function API, {@code
 * java.lang.foreign}, by reflection, because Weir is compiled for Java 21, where that API is a
 * preview.
 *
 * <p>A handle takes a segment of {@link #stateBytes} for the error number, followed by the
 * arguments of the function, and returns an {@code int}. All segments are typed {@code Object}
 * here.
 *
 * <p><b>Threads:</b> any thread may call handles; linking is for one thread.
 *
 * <p><b>Failure:</b> {@link ReflectiveOperationException} or an unchecked exception if this Java
 * lacks the API, the library lacks the function, or native access is denied.
 */
final class ForeignFunctions {

  final Method segmentOfBuffer;
  final int stateBytes;
  private final Method confinedArena;
  private final Method closeArena;
  private final Method map;
  private final Class<?> optionType = type("Linker$Option");
  private final Class<?> layoutType = type("MemoryLayout");
  private final Method downcallHandle;
  private final Method descriptorOf;
  private final Method find;
  private final Object linker;
  private final Object library;
  private final Object captureErrno;

  ForeignFunctions() throws ReflectiveOperationException {
    Class<?> segment = type("MemorySegment");
    Class<?> descriptor = type("FunctionDescriptor");
    segmentOfBuffer = segment.getMethod("ofBuffer", Buffer.class);
    Class<?> arena = type("Arena");
    confinedArena = arena.getMethod("ofConfined");
    closeArena = arena.getMethod("close");
    map = FileChannel.class.getMethod("map", MapMode.class, long.class, long.class, arena);
    descriptorOf = descriptor.getMethod("of", layoutType, layoutType.arrayType());
    downcallHandle =
        type("Linker").getMethod("downcallHandle", segment, descriptor, optionType.arrayType());
    find = type("SymbolLookup").getMethod("find", String.class);
    linker = type("Linker").getMethod("nativeLinker").invoke(null);
    library = type("Linker").getMethod("defaultLookup").invoke(linker);
    captureErrno =
        optionType
            .getMethod("captureCallState", String[].class)
            .invoke(null, (Object) new String[] {"errno"});
    Object stateLayout = optionType.getMethod("captureStateLayout").invoke(null);
    stateBytes = Math.toIntExact((long) layoutType.getMethod("byteSize").invoke(stateLayout));
  }

  /**
   * Passes {@code use} a segment that maps a range of a file, and unmaps it on return; a {@code
   * MappedByteBuffer} would stay mapped until it is garbage-collected.
   */
  void withMapped(FileChannel file, long offset, long bytes, SegmentUse use)
      throws ReflectiveOperationException, IOException {
    Object arena = confinedArena.invoke(null);
    try {
      use.look(map.invoke(file, MapMode.READ_ONLY, offset, bytes, arena));
    } finally {
      closeArena.invoke(arena);
    }
  }

  /** Uses a segment while it is mapped. */
  @FunctionalInterface
  interface SegmentUse {
    void look(Object segment) throws IOException;
  }

  MethodHandle plain(String function, Class<?>... parameters) throws ReflectiveOperationException {
    return link(function, parameters, captureErrno);
  }

  /** A function without parameters that not every library has. */
  Optional<MethodHandle> ifThere(String function) throws ReflectiveOperationException {
    boolean isThere = ((Optional<?>) find.invoke(library, function)).isPresent();
    return isThere ? Optional.of(plain(function)) : Optional.empty();
  }

  /** A variadic function with these fixed parameters. */
  MethodHandle variadic(String function, Class<?>... parameters)
      throws ReflectiveOperationException {
    Object variadic =
        optionType.getMethod("firstVariadicArg", int.class).invoke(null, parameters.length);
    return link(function, parameters, captureErrno, variadic);
  }

  private MethodHandle link(String function, Class<?>[] parameters, Object... options)
      throws ReflectiveOperationException {
    Object symbol =
        ((Optional<?>) find.invoke(library, function))
            .orElseThrow(() -> new NoSuchElementException("no function " + function));
    Object layouts = Array.newInstance(layoutType, parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      Array.set(layouts, i, layout(parameters[i]));
    }
    Object optionArray = Array.newInstance(optionType, options.length);
    for (int i = 0; i < options.length; i++) {
      Array.set(optionArray, i, options[i]);
    }
    Object descriptor = descriptorOf.invoke(null, layout(int.class), layouts);
    MethodHandle handle =
        (MethodHandle) downcallHandle.invoke(linker, symbol, descriptor, optionArray);
    return handle.asType(
        MethodType.methodType(int.class, parameters).insertParameterTypes(0, Object.class));
  }

  private static Object layout(Class<?> type) throws ReflectiveOperationException {
    String name = type == int.class ? "JAVA_INT" : type == long.class ? "JAVA_LONG" : "ADDRESS";
    return type("ValueLayout").getField(name).get(null);
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName("java.lang.foreign." + name);
  }
}
