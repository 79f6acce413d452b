package io.weir.lucene;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import org.apache.lucene.util.Version;

/**
 * Links calls to what differs between versions of Lucene.
 *
 * <p>Weir is compiled against one version. A type that is a class in one version and an interface
 * or a record in another cannot be called by compiled code in both. A method that one version lacks
 * cannot be called there at all. A method handle, found once and kept in a {@code static final}
 * field, can; the compiler of the JVM inlines it like a direct call.
 *
 * <p><b>Failure:</b> a form that every supported version has, and this one lacks, is a {@link
 * LinkageError} when the class that links it is initialized.
 */
final class Link {

  private static final MethodHandles.Lookup LUCENE = MethodHandles.publicLookup();

  private Link() {}

  /**
   * Reads a property: by its accessor, or by its field where the type is a plain class.
   *
   * @return a handle of type {@code (owner)type}
   */
  static MethodHandle property(Class<?> owner, String name, Class<?> type) {
    return method(owner, name, type)
        .or(() -> ifPresent(() -> LUCENE.findGetter(owner, name, type)))
        .orElseThrow(() -> missing(owner.getName() + "." + name));
  }

  /** A method of an object, with the object as the first parameter; empty if there is none. */
  static Optional<MethodHandle> method(
      Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
    return ifPresent(
        () -> LUCENE.findVirtual(owner, name, MethodType.methodType(result, parameters)));
  }

  /** A static method; empty if there is none. */
  static Optional<MethodHandle> staticMethod(
      Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
    return ifPresent(
        () -> LUCENE.findStatic(owner, name, MethodType.methodType(result, parameters)));
  }

  /** A constructor; empty if there is none. */
  static Optional<MethodHandle> constructor(Class<?> owner, Class<?>... parameters) {
    return ifPresent(
        () -> LUCENE.findConstructor(owner, MethodType.methodType(void.class, parameters)));
  }

  /**
   * A class of Lucene by its name; empty if there is none. Weir's own loader finds it, as it finds
   * all of Lucene: a security manager denies most callers Lucene's loader.
   */
  static Optional<Class<?>> type(String name) {
    return ifPresent(() -> Class.forName(name));
  }

  /** The error that says what this version of Lucene lacks. */
  static LinkageError missing(String what) {
    return new LinkageError("Weir does not work with Lucene " + Version.LATEST + ": no " + what);
  }

  /**
   * Throws {@code failure} unchanged. The caller names in {@code X} what the linked method
   * declares.
   */
  @SuppressWarnings("unchecked")
  static <X extends Throwable> X thrown(Throwable failure) throws X {
    throw (X) failure;
  }

  /** A lookup, which fails if there is nothing. */
  @FunctionalInterface
  private interface Find<T> {
    T find() throws ReflectiveOperationException;
  }

  private static <T> Optional<T> ifPresent(Find<T> find) {
    try {
      return Optional.of(find.find());
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }
}
