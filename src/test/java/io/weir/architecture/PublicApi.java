package io.weir.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Predicate;

/** What applications may use: the public types of the packages that the module exports. */
final class PublicApi {

  private PublicApi() {}

  /** In a stable order. */
  static List<? extends Class<?>> types() {
    return WeirClasses.all().stream()
        .filter(PublicApi::isExported)
        .map(JavaClass::reflect)
        .filter(PublicApi::isPublic)
        .filter(Predicate.not(Class::isAnonymousClass))
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .toList();
  }

  /** Whether an application may name {@code type}; types of others are theirs to export. */
  static boolean mayBeNamed(Class<?> type) {
    return !type.getName().startsWith("io.weir.")
        || isPublic(type) && isExported(WeirClasses.all().get(type));
  }

  /** The rooms below an exported package are not exported with it. */
  private static boolean isExported(JavaClass type) {
    String name = type.getPackageName();
    return Ring.of(name.equals("io.weir") ? "" : name.substring("io.weir.".length()))
        .filter(ring -> ring.isPublic() && ring.fullName().equals(name))
        .isPresent();
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
  }
}
