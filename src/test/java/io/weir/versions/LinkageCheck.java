package io.weir.versions;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Resolves every reference of a class to Lucene as this JVM would when it executes the reference:
 * the class and its kind, the method or field with its exact type, static or not, and the right of
 * access. Also verifies and initializes the class, and looks for methods that it does not
 * implement.
 */
final class LinkageCheck {

  private static final String LUCENE = "org/apache/lucene/";

  private final ClassLoader loader = LinkageCheck.class.getClassLoader();
  private final Collection<String> broken = new TreeSet<>();
  private int references;

  /** References to Lucene that were resolved, or not. */
  int references() {
    return references;
  }

  /** Those that were not, each with the reason; empty if all is well. */
  Collection<String> broken() {
    return broken;
  }

  /** Checks the class called {@code name}. */
  void check(String name) throws IOException {
    Class<?> type;
    try {
      type = Class.forName(name, true, loader);
    } catch (LinkageError | ClassNotFoundException e) {
      broken.add(name + ": " + e);
      return;
    }
    try (InputStream bytes = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
      Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      findUnimplemented(lookup);
      new ClassReader(bytes).accept(new References(lookup), ClassReader.SKIP_DEBUG);
    } catch (IllegalAccessException e) {
      broken.add(name + ": " + e);
    }
  }

  /** An abstract method of Lucene's that this class would be called by. */
  private void findUnimplemented(Lookup lookup) throws IllegalAccessException {
    Class<?> type = lookup.lookupClass();
    if (Modifier.isAbstract(type.getModifiers())) {
      return;
    }
    for (Class<?> above : lucenesAbove(type, new LinkedHashSet<>())) {
      for (Method method : above.getDeclaredMethods()) {
        if (Modifier.isAbstract(method.getModifiers()) && !isImplemented(lookup, method)) {
          broken.add(type.getName() + ": does not implement " + method);
        }
      }
    }
  }

  private static Set<Class<?>> lucenesAbove(Class<?> type, Set<Class<?>> found) {
    if (type.getName().startsWith(LUCENE.replace('/', '.'))) {
      found.add(type);
    }
    if (type.getSuperclass() != null) {
      lucenesAbove(type.getSuperclass(), found);
    }
    for (Class<?> above : type.getInterfaces()) {
      lucenesAbove(above, found);
    }
    return found;
  }

  private static boolean isImplemented(Lookup lookup, Method method) throws IllegalAccessException {
    MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    try {
      MethodHandle selected = lookup.findVirtual(lookup.lookupClass(), method.getName(), type);
      return !Modifier.isAbstract(lookup.revealDirect(selected).getModifiers());
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** What resolves one reference. */
  @FunctionalInterface
  private interface Resolution {
    Object run() throws ReflectiveOperationException;
  }

  private final class References extends ClassVisitor {

    private final Lookup lookup;

    References(Lookup lookup) {
      super(Opcodes.ASM9);
      this.lookup = lookup;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodReferences(); // the JVM does not resolve the types in the descriptor
    }

    private void resolve(String owner, String what, Resolution resolution) {
      if (!owner.startsWith(LUCENE)) {
        return;
      }
      references++;
      try {
        resolution.run();
      } catch (ReflectiveOperationException | LinkageError e) {
        broken.add(
            lookup.lookupClass().getName() + ": " + owner.replace('/', '.') + what + ": " + e);
      }
    }

    private void resolveClass(Type type) {
      Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
      if (element.getSort() == Type.OBJECT) {
        resolve(element.getInternalName(), "", () -> find(element));
      }
    }

    private Class<?> find(Type type) throws ClassNotFoundException {
      return Class.forName(type.getClassName(), false, loader);
    }

    private void resolveMethod(
        int tag, String owner, String name, String descriptor, boolean isInterface) {
      resolve(
          owner,
          "." + name + descriptor,
          () -> {
            Class<?> type = find(Type.getObjectType(owner));
            if (type.isInterface() != isInterface) {
              throw new IncompatibleClassChangeError("interface or class");
            }
            MethodType method = MethodType.fromMethodDescriptorString(descriptor, loader);
            return switch (tag) {
              case Opcodes.H_INVOKESTATIC -> lookup.findStatic(type, name, method);
              case Opcodes.H_NEWINVOKESPECIAL -> findConstructor(type, method);
              case Opcodes.H_INVOKESPECIAL ->
                  lookup.findSpecial(type, name, method, lookup.lookupClass());
              default -> lookup.findVirtual(type, name, method);
            };
          });
    }

    /** A lookup denies the protected constructors that {@code super(...)} calls. */
    private Object findConstructor(Class<?> type, MethodType method)
        throws ReflectiveOperationException {
      Constructor<?> constructor = type.getDeclaredConstructor(method.parameterArray());
      boolean isVisible =
          Modifier.isPublic(constructor.getModifiers())
              || Modifier.isProtected(constructor.getModifiers());
      if (!isVisible) {
        throw new IllegalAccessException(constructor.toString());
      }
      return constructor;
    }

    private final class MethodReferences extends MethodVisitor {

      MethodReferences() {
        super(Opcodes.ASM9);
      }

      @Override
      public void visitTypeInsn(int opcode, String type) {
        resolveClass(Type.getObjectType(type));
      }

      @Override
      public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
        if (type != null) {
          resolveClass(Type.getObjectType(type));
        }
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        resolve(
            owner,
            "." + name,
            () -> {
              Class<?> type = find(Type.getObjectType(owner));
              Class<?> value =
                  MethodType.fromMethodDescriptorString("()" + descriptor, loader).returnType();
              return switch (opcode) {
                case Opcodes.GETSTATIC -> lookup.findStaticGetter(type, name, value);
                case Opcodes.PUTSTATIC -> lookup.findStaticSetter(type, name, value);
                case Opcodes.PUTFIELD -> lookup.findSetter(type, name, value);
                default -> lookup.findGetter(type, name, value);
              };
            });
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        int tag =
            switch (opcode) {
              case Opcodes.INVOKESTATIC -> Opcodes.H_INVOKESTATIC;
              case Opcodes.INVOKESPECIAL ->
                  name.equals("<init>") ? Opcodes.H_NEWINVOKESPECIAL : Opcodes.H_INVOKESPECIAL;
              default -> Opcodes.H_INVOKEVIRTUAL;
            };
        resolveMethod(tag, owner, name, descriptor, isInterface);
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String descriptor, Handle bootstrap, Object... arguments) {
        for (Type type : Type.getArgumentTypes(descriptor)) {
          resolveClass(type);
        }
        for (Object argument : arguments) {
          visitConstant(argument);
        }
      }

      @Override
      public void visitLdcInsn(Object value) {
        visitConstant(value);
      }

      private void visitConstant(Object value) {
        if (value instanceof Type type && type.getSort() == Type.OBJECT) {
          resolveClass(type);
        } else if (value instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
          resolveMethod(
              handle.getTag(),
              handle.getOwner(),
              handle.getName(),
              handle.getDesc(),
              handle.isInterface());
        }
      }
    }
  }
}
