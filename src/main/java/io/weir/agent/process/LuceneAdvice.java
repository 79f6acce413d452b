package io.weir.agent.process;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/**
 * The code that is copied into methods of Lucene. It names no class of the agent, because Lucene's
 * loader may not find one: it calls {@link io.weir.agent.Hooks} by reflection. That costs about a
 * microsecond, and these methods are called a few times a second at most.
 *
 * <p>Constructors catch here what else Byte Buddy would catch: a handler may not enclose the call
 * of the super constructor.
 */
final class LuceneAdvice {

  private LuceneAdvice() {}

  /** The constructor of {@code IndexWriter}: its first argument becomes another directory. */
  static final class WriterConstructor {

    private WriterConstructor() {}

    @Advice.OnMethodEnter
    static void enter(
        @Advice.Origin Class<?> lucene,
        @Advice.Argument(value = 0, readOnly = false, typing = Assigner.Typing.DYNAMIC)
            Object directory,
        @Advice.Argument(1) Object config) {
      try {
        directory =
            Class.forName("io.weir.agent.Hooks", true, ClassLoader.getSystemClassLoader())
                .getMethod("writerOpening", Class.class, Object.class, Object.class)
                .invoke(null, lucene, directory, config);
      } catch (Throwable failure) {
        // The writer opens as without the agent.
      }
    }

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Origin Class<?> lucene, @Advice.This Object writer) throws Exception {
      Class.forName("io.weir.agent.Hooks", true, ClassLoader.getSystemClassLoader())
          .getMethod("writerOpened", Class.class, Object.class)
          .invoke(null, lucene, writer);
    }
  }

  /** {@code IndexWriter.close} and {@code rollback}. */
  static final class WriterClose {

    private WriterClose() {}

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Origin Class<?> lucene, @Advice.This Object writer) throws Exception {
      Class.forName("io.weir.agent.Hooks", true, ClassLoader.getSystemClassLoader())
          .getMethod("writerClosed", Class.class, Object.class)
          .invoke(null, lucene, writer);
    }
  }

  /** The constructor of {@code ReferenceManager}. */
  static final class ManagerConstructor {

    private ManagerConstructor() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Origin Class<?> lucene, @Advice.This Object manager) throws Exception {
      Class.forName("io.weir.agent.Hooks", true, ClassLoader.getSystemClassLoader())
          .getMethod("managerOpened", Class.class, Object.class)
          .invoke(null, lucene, manager);
    }
  }

  /** {@code ReferenceManager.close}. */
  static final class ManagerClose {

    private ManagerClose() {}

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Origin Class<?> lucene, @Advice.This Object manager) throws Exception {
      Class.forName("io.weir.agent.Hooks", true, ClassLoader.getSystemClassLoader())
          .getMethod("managerClosed", Class.class, Object.class)
          .invoke(null, lucene, manager);
    }
  }

  /** {@code DirectoryReader.openIfChanged}. */
  static final class OpenIfChanged {

    private OpenIfChanged() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static Object enter(@Advice.Origin Class<?> lucene, @Advice.Argument(0) Object reader)
        throws Exception {
      return Class.forName("io.weir.agent.Hooks", true, ClassLoader.getSystemClassLoader())
          .getMethod("reopenBegun", Class.class, Object.class)
          .invoke(null, lucene, reader);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Origin Class<?> lucene,
        @Advice.Enter Object begun,
        @Advice.Return Object result,
        @Advice.Thrown Throwable failure)
        throws Exception {
      if (begun != null) {
        Class.forName("io.weir.agent.Hooks", true, ClassLoader.getSystemClassLoader())
            .getMethod("reopenEnded", Class.class, Object.class, Object.class, Throwable.class)
            .invoke(null, lucene, begun, result, failure);
      }
    }
  }
}
