package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever a user of the library sees, a user may name: its module exports it. */
class ExportedApiTest {

  /** The pages for those who use the library, and the front page. */
  private static final List<String> PAGES =
      List.of(
          "README.md",
          "docs/COMPATIBILITY.md",
          "docs/EMBEDDING.md",
          "docs/LIMIT-MERGES.md",
          "docs/METRICS.md",
          "docs/QUERY-CACHE.md");

  private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]+`", Pattern.DOTALL);
  private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z]\\w+");

  @Test
  void signatures_ofExportedTypes_nameExportedTypesOnly() {
    Set<String> hidden = new TreeSet<>();
    for (Class<?> type : PublicApi.types()) {
      for (Class<?> named : named(type)) {
        if (!PublicApi.mayBeNamed(named)) {
          hidden.add(type.getName() + " names " + named.getName());
        }
      }
    }
    assertTrue(PublicApi.types().size() > 100, "types were found");
    assertEquals(Set.of(), hidden);
  }

  @Test
  void pages_showExportedTypesOnly() throws IOException {
    Map<String, List<Class<?>>> library =
        WeirClasses.all().stream()
            .filter(ExportedApiTest::isForApplications)
            .map(JavaClass::reflect)
            .collect(Collectors.groupingBy(Class::getSimpleName));
    Set<String> hidden = new TreeSet<>();
    for (String page : PAGES) {
      for (String name : typeNames(Files.readString(Path.of(page)))) {
        List<Class<?>> types = library.getOrDefault(name, List.of());
        if (!types.isEmpty() && types.stream().noneMatch(PublicApi::mayBeNamed)) {
          hidden.add(page + " shows " + types);
        }
      }
    }
    assertEquals(Set.of(), hidden);
  }

  private static boolean isForApplications(JavaClass type) {
    String name = type.getPackageName();
    return Ring.of(name.equals("io.weir") ? "" : name.substring("io.weir.".length()))
        .orElseThrow()
        .isForApplications();
  }

  private static Set<String> typeNames(String page) {
    return CODE.matcher(page)
        .results()
        .flatMap(code -> TYPE_NAME.matcher(code.group()).results())
        .map(MatchResult::group)
        .collect(Collectors.toSet());
  }

  /** All that the declaration of {@code type} and of its visible members name. */
  private static Set<Class<?>> named(Class<?> type) {
    List<Type> types = new ArrayList<>(List.of(type.getGenericInterfaces()));
    types.addAll(bounds(type.getTypeParameters()));
    if (type.getGenericSuperclass() instanceof ParameterizedType parent) {
      types.addAll(List.of(parent.getActualTypeArguments())); // the parent itself may be hidden
    }
    for (Field field : type.getDeclaredFields()) {
      if (isVisible(field.getModifiers())) {
        types.add(field.getGenericType());
      }
    }
    Stream.<Executable>concat(
            Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
        .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
        .forEach(
            member -> {
              types.addAll(List.of(member.getGenericParameterTypes()));
              types.addAll(List.of(member.getGenericExceptionTypes()));
              types.addAll(bounds(member.getTypeParameters()));
              if (member instanceof Method method) {
                types.add(method.getGenericReturnType());
              }
            });
    Set<Class<?>> classes = new LinkedHashSet<>();
    types.forEach(each -> collect(each, classes));
    return classes;
  }

  private static List<Type> bounds(TypeVariable<?>[] variables) {
    return Arrays.stream(variables).flatMap(each -> Arrays.stream(each.getBounds())).toList();
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static void collect(Type type, Set<Class<?>> classes) {
    switch (type) {
      case Class<?> plain when plain.isArray() -> collect(plain.getComponentType(), classes);
      case Class<?> plain -> classes.add(plain);
      case ParameterizedType generic -> {
        collect(generic.getRawType(), classes);
        for (Type argument : generic.getActualTypeArguments()) {
          collect(argument, classes);
        }
      }
      case GenericArrayType array -> collect(array.getGenericComponentType(), classes);
      case WildcardType wildcard -> {
        for (Type bound : wildcard.getUpperBounds()) {
          collect(bound, classes);
        }
        for (Type bound : wildcard.getLowerBounds()) {
          collect(bound, classes);
        }
      }
      default -> {} // a variable; its bounds were collected where it is declared
    }
  }
}
