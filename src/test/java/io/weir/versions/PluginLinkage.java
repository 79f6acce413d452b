package io.weir.versions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The classes of a plug-in against the jars of one version of its engine, which are read and not
 * loaded: the classes and members that the plug-in names, with their kind and right of access; the
 * methods that it must implement; and those by which the engine calls it.
 *
 * <p>An engine that does not call a method any more breaks a plug-in in silence. So the methods
 * that override something in the version that the plug-in is compiled for are compared.
 *
 * <p><b>Threads:</b> one. Closing it closes the jars.
 */
public final class PluginLinkage implements AutoCloseable {

  private static final String OURS = "io/weir/";

  /** What is asked of a class: the engine's, its Lucene's, and its log's. */
  private static final List<String> THEIRS =
      List.of(
          "org/opensearch/",
          "org/elasticsearch/",
          "org/apache/solr/",
          "org/apache/lucene/",
          "org/apache/logging/");

  /** A class as its file declares it; members by name and descriptor, with their access flags. */
  private record Declared(
      String name,
      int access,
      List<String> above,
      Map<String, Integer> methods,
      Map<String, Integer> fields) {

    boolean is(int flag) {
      return (access & flag) != 0;
    }
  }

  /** A member, and the class that declares it. */
  private record Member(Declared owner, int access) {

    boolean is(int flag) {
      return (access & flag) != 0;
    }
  }

  private final Path classes;
  private final List<JarFile> jars = new ArrayList<>();
  private final Map<String, Optional<Declared>> read = new HashMap<>();
  private final Collection<String> broken = new TreeSet<>();
  private final Collection<String> overriding = new TreeSet<>();
  private int references;

  private PluginLinkage(Path classes) {
    this.classes = classes;
  }

  /**
   * Checks the classes below some packages.
   *
   * @param classes the directory that the build compiles to
   * @param jars a directory with the jars of an engine, at any depth
   * @param packages of the plug-in, such as {@code io/weir/solr}
   */
  public static PluginLinkage of(Path classes, Path jars, String... packages) throws IOException {
    PluginLinkage linkage = new PluginLinkage(classes);
    try (Stream<Path> files = Files.walk(jars)) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        linkage.jars.add(new JarFile(jar.toFile()));
      }
      for (String plugin : packages) {
        linkage.check(classes.resolve(plugin));
      }
      return linkage;
    } catch (IOException | RuntimeException e) {
      linkage.close();
      throw e;
    }
  }

  private void check(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        ClassReader reader = new ClassReader(Files.readAllBytes(file));
        Declared type = find(reader.getClassName()).orElseThrow();
        type.above().forEach(above -> resolveClass(type.name(), above));
        findUnimplemented(type);
        findOverriding(type);
        reader.accept(new References(type.name()), ClassReader.SKIP_DEBUG);
      }
    }
  }

  /** References to classes that are not ours, of whatever package was asked for. */
  public int references() {
    return references;
  }

  /** What this version lacks, each with the class of ours that names it. */
  public Collection<String> broken() {
    return broken;
  }

  /** The methods of ours that this version may call in place of its own. */
  public Collection<String> overriding() {
    return overriding;
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
  }

  private static boolean isTheirs(String type) {
    return THEIRS.stream().anyMatch(type::startsWith);
  }

  private Optional<Declared> find(String type) {
    return read.computeIfAbsent(type, this::read);
  }

  private Optional<Declared> read(String type) {
    try (InputStream in = open(type + ".class")) {
      return in == null ? Optional.empty() : Optional.of(declared(new ClassReader(in)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private InputStream open(String file) throws IOException {
    if (file.startsWith(OURS) && Files.exists(classes.resolve(file))) {
      return Files.newInputStream(classes.resolve(file));
    }
    for (JarFile jar : jars) {
      if (jar.getEntry(file) != null) {
        return jar.getInputStream(jar.getEntry(file));
      }
    }
    return ClassLoader.getPlatformClassLoader().getResourceAsStream(file);
  }

  private static Declared declared(ClassReader reader) {
    List<String> above = new ArrayList<>(List.of(reader.getInterfaces()));
    if (reader.getSuperName() != null) {
      above.addFirst(reader.getSuperName());
    }
    Declared type =
        new Declared(
            reader.getClassName(),
            reader.getAccess(),
            above,
            new LinkedHashMap<>(),
            new LinkedHashMap<>());
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            type.methods().put(name + descriptor, access);
            return null;
          }

          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            type.fields().put(name + ":" + descriptor, access);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return type;
  }

  /** The member as the JVM looks for it: in the class, then above it, superclasses first. */
  private Optional<Member> member(String type, String member) {
    Declared declared = find(type).orElse(null);
    if (declared == null) {
      return Optional.empty();
    }
    Integer access = (member.contains("(") ? declared.methods() : declared.fields()).get(member);
    if (access != null) {
      return Optional.of(new Member(declared, access));
    }
    return declared.above().stream()
        .map(above -> member(above, member))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private void resolveClass(String from, String type) {
    if (!isTheirs(type)) {
      return;
    }
    references++;
    Optional<Declared> found = find(type);
    if (found.isEmpty()) {
      broken.add(from + ": no class " + type);
    } else if (!found.get().is(Opcodes.ACC_PUBLIC)) {
      broken.add(from + ": not public " + type);
    }
  }

  private void resolve(
      String from, String owner, String member, boolean isStatic, Optional<Boolean> isInterface) {
    if (owner.startsWith("[") || (!isTheirs(owner) && !owner.startsWith(OURS))) {
      return;
    }
    resolveClass(from, owner);
    Declared declared = find(owner).orElse(null);
    if (declared == null) {
      return; // said above
    }
    references++;
    String named = from + ": " + owner + "." + member;
    Member found = member(owner, member).orElse(null);
    if (found == null) {
      broken.add(named + " is missing");
    } else if (found.is(Opcodes.ACC_STATIC) != isStatic) {
      broken.add(named + " is static, or is not any more");
    } else if (isTheirs(found.owner().name()) && !isAccessible(from, found)) {
      broken.add(named + " is not accessible");
    } else if (isInterface.isPresent()
        && declared.is(Opcodes.ACC_INTERFACE) != isInterface.orElseThrow()) {
      broken.add(named + ": its owner is an interface, or is not any more");
    }
  }

  private boolean isAccessible(String from, Member member) {
    if (member.is(Opcodes.ACC_PROTECTED)) {
      List<Declared> above = new ArrayList<>();
      collectAbove(find(from).orElseThrow(), above);
      return above.contains(member.owner());
    }
    return member.is(Opcodes.ACC_PUBLIC);
  }

  /** All that a class inherits, nearest first, itself excluded. */
  private void collectAbove(Declared type, List<Declared> found) {
    for (String name : type.above()) {
      find(name)
          .ifPresent(
              above -> {
                found.add(above);
                collectAbove(above, found);
              });
    }
  }

  private void findUnimplemented(Declared type) {
    if (type.is(Opcodes.ACC_ABSTRACT)) {
      return;
    }
    List<Declared> all = new ArrayList<>(List.of(type));
    collectAbove(type, all);
    for (Declared above : all) {
      above
          .methods()
          .forEach(
              (method, access) -> {
                boolean isAbstract = (access & Opcodes.ACC_ABSTRACT) != 0;
                if (isAbstract && isTheirs(above.name()) && !isImplemented(all, method)) {
                  broken.add(type.name() + ": does not implement " + above.name() + "." + method);
                }
              });
    }
  }

  private static boolean isImplemented(List<Declared> all, String method) {
    return all.stream()
        .map(type -> type.methods().get(method))
        .anyMatch(access -> access != null && (access & Opcodes.ACC_ABSTRACT) == 0);
  }

  private void findOverriding(Declared type) {
    List<Declared> above = new ArrayList<>();
    collectAbove(type, above);
    type.methods()
        .forEach(
            (method, access) -> {
              if (method.startsWith("<")
                  || (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) != 0) {
                return;
              }
              for (Declared theirs : above) {
                Integer overridden = theirs.methods().get(method);
                if (overridden == null
                    || !isTheirs(theirs.name())
                    || (overridden & Opcodes.ACC_PRIVATE) != 0) {
                  continue;
                }
                overriding.add(type.name() + "." + method);
                if ((overridden & Opcodes.ACC_FINAL) != 0) {
                  broken.add(type.name() + ": final is " + theirs.name() + "." + method);
                }
              }
            });
  }

  private final class References extends ClassVisitor {

    private final String from;

    References(String from) {
      super(Opcodes.ASM9);
      this.from = from;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      named(Type.getReturnType(descriptor)); // an engine that looks for methods resolves these
      for (Type type : Type.getArgumentTypes(descriptor)) {
        named(type);
      }
      return new MethodVisitor(Opcodes.ASM9) {

        @Override
        public void visitTypeInsn(int opcode, String type) {
          named(Type.getObjectType(type));
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
          if (type != null) {
            named(Type.getObjectType(type));
          }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
          boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
          resolve(from, owner, field + ":" + type, isStatic, Optional.empty());
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String method, String type, boolean isInterface) {
          resolve(
              from, owner, method + type, opcode == Opcodes.INVOKESTATIC, Optional.of(isInterface));
        }

        @Override
        public void visitInvokeDynamicInsn(
            String method, String type, Handle bootstrap, Object... arguments) {
          for (Type argument : Type.getArgumentTypes(type)) {
            named(argument);
          }
          for (Object argument : arguments) {
            visitLdcInsn(argument);
          }
        }

        @Override
        public void visitLdcInsn(Object value) {
          if (value instanceof Type type) {
            named(type);
          } else if (value instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
            resolve(
                from,
                handle.getOwner(),
                handle.getName() + handle.getDesc(),
                handle.getTag() == Opcodes.H_INVOKESTATIC,
                Optional.of(handle.isInterface()));
          }
        }
      };
    }

    private void named(Type type) {
      Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
      if (element.getSort() == Type.OBJECT) {
        resolveClass(from, element.getInternalName());
      }
    }
  }
}
