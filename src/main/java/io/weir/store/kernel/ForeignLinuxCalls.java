package io.weir.store.kernel;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.lucene.util.Constants;

/**
 * {@link LinuxCalls} through the Foreign Function API, which is final since Java 22. Weir is
 * compiled for Java 21, so it links the functions by reflection, once; the calls themselves are
 * ordinary method handles.
 *
 * <p>Linking is restricted: without {@code --enable-native-access=ALL-UNNAMED} (or {@code io.weir},
 * on the module path) Java prints a warning, and a later version will refuse. After a refusal, or
 * any other failure to link, Weir works without these calls.
 *
 * <p>Functions are called by their names in the C library, so the library translates them to each
 * machine's system calls.
 */
public final class ForeignLinuxCalls implements LinuxCalls {

  private static final int FIRST_JAVA_VERSION = 22;

  // <fcntl.h> of Linux on x86-64, AArch64, RISC-V, POWER and s390x, which differ only in the last.
  private static final int O_RDONLY = 0;
  private static final int O_CLOEXEC = 02000000;
  private static final int POSIX_FADV_DONTNEED = Constants.OS_ARCH.equals("s390x") ? 6 : 4;

  // Not thread locals: a thread of an application would keep the classes of this library.
  private final Queue<CallState> freeStates = new ConcurrentLinkedQueue<>();
  private final ForeignFunctions functions;
  private final Method segmentOfBuffer;
  private final int stateBytes;
  private final MethodHandle open;
  private final MethodHandle syncFileRange;
  private final MethodHandle fadvise;
  private final MethodHandle pageSize;
  private final MethodHandle mincore;
  private final MethodHandle setAttribute;
  private final MethodHandle getAttribute;
  private final MethodHandle close;
  private final Optional<MethodHandle> threadNumber;
  private final MethodHandle getScheduler;
  private final MethodHandle setScheduler;
  private final Object priorityZero;

  private ForeignLinuxCalls() throws ReflectiveOperationException {
    functions = new ForeignFunctions();
    segmentOfBuffer = functions.segmentOfBuffer;
    stateBytes = functions.stateBytes;
    open = functions.variadic("open", Object.class, int.class);
    syncFileRange =
        functions.plain("sync_file_range", int.class, long.class, long.class, int.class);
    fadvise = functions.plain("posix_fadvise", int.class, long.class, long.class, int.class);
    pageSize = functions.plain("getpagesize");
    mincore = functions.plain("mincore", Object.class, long.class, Object.class);
    setAttribute =
        functions.plain(
            "setxattr", Object.class, Object.class, Object.class, long.class, int.class);
    getAttribute =
        functions.plain("getxattr", Object.class, Object.class, Object.class, long.class);
    close = functions.plain("close", int.class);
    threadNumber = functions.ifThere("gettid");
    getScheduler = functions.plain("sched_getscheduler", int.class);
    setScheduler = functions.plain("sched_setscheduler", int.class, int.class, Object.class);
    priorityZero = segment(ByteBuffer.allocateDirect(Integer.BYTES)); // struct sched_param
  }

  /**
   * The calls of this machine.
   *
   * @throws UnsupportedOperationException with the reason, if they are not available
   */
  public static LinuxCalls get() {
    return Loaded.CALLS.orElseThrow(() -> new UnsupportedOperationException(Loaded.REASON));
  }

  /** The reason why this JVM has none, as far as known before linking. */
  public static Optional<String> reasonAgainst() {
    if (!Constants.LINUX || !Constants.JRE_IS_64BIT) {
      return Optional.of("calls to the kernel need 64-bit Linux; this is " + Constants.OS_NAME);
    }
    int version = Runtime.version().feature();
    return version < FIRST_JAVA_VERSION
        ? Optional.of(
            "calls to the kernel need Java " + FIRST_JAVA_VERSION + "; this is Java " + version)
        : Optional.empty();
  }

  @Override
  public int open(Path path) throws IOException {
    Object name = segment(nulTerminated(path));
    try (CallState state = callState()) {
      int descriptor;
      try {
        descriptor = (int) open.invokeExact(state.segment, name, O_RDONLY | O_CLOEXEC);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (descriptor < 0) {
        throw new ErrnoException("open of " + path, state.errno());
      }
      return descriptor;
    }
  }

  @Override
  public void syncFileRange(int descriptor, long offset, long bytes, int flags) throws IOException {
    try (CallState state = callState()) {
      int result;
      try {
        result = (int) syncFileRange.invokeExact(state.segment, descriptor, offset, bytes, flags);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (result != 0) {
        throw new ErrnoException("sync_file_range", state.errno());
      }
    }
  }

  @Override
  public void dropRange(int descriptor, long offset, long bytes) throws IOException {
    int errno;
    try (CallState state = callState()) {
      errno =
          (int) fadvise.invokeExact(state.segment, descriptor, offset, bytes, POSIX_FADV_DONTNEED);
    } catch (Throwable t) {
      throw unexpected(t);
    }
    if (errno != 0) { // only this call returns the error number itself
      throw new ErrnoException("posix_fadvise", errno);
    }
  }

  @Override
  public int pageBytes() {
    try (CallState state = callState()) {
      return (int) pageSize.invokeExact(state.segment);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public void residency(FileChannel file, long offset, long bytes, ByteBuffer states)
      throws IOException {
    Object answer = segment(states);
    try {
      functions.withMapped(file, offset, bytes, pages -> mincore(pages, bytes, answer));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw unexpected(e);
    } catch (ReflectiveOperationException e) {
      throw unexpected(e);
    }
  }

  private void mincore(Object pages, long bytes, Object answer) throws IOException {
    try (CallState state = callState()) {
      int result;
      try {
        result = (int) mincore.invokeExact(state.segment, pages, bytes, answer);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (result != 0) {
        throw new ErrnoException("mincore", state.errno());
      }
    }
  }

  @Override
  public void setAttribute(Path file, String name, ByteBuffer value) throws IOException {
    Object path = segment(nulTerminated(file));
    Object attribute = segment(nulTerminated(name.getBytes(StandardCharsets.US_ASCII)));
    Object bytes = segment(value);
    try (CallState state = callState()) {
      int result;
      try {
        result =
            (int)
                setAttribute.invokeExact(
                    state.segment, path, attribute, bytes, (long) value.remaining(), 0);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (result != 0) {
        throw new ErrnoException("setxattr of " + name, state.errno());
      }
    }
  }

  @Override
  public int attribute(Path file, String name, ByteBuffer value) throws IOException {
    Object path = segment(nulTerminated(file));
    Object attribute = segment(nulTerminated(name.getBytes(StandardCharsets.US_ASCII)));
    Object bytes = segment(value);
    try (CallState state = callState()) {
      int length;
      try {
        length =
            (int)
                getAttribute.invokeExact(
                    state.segment, path, attribute, bytes, (long) value.remaining());
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (length < 0) {
        throw new ErrnoException("getxattr of " + name, state.errno());
      }
      return length;
    }
  }

  @Override
  public void close(int descriptor) throws IOException {
    try (CallState state = callState()) {
      int result;
      try {
        result = (int) close.invokeExact(state.segment, descriptor);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (result != 0) {
        throw new ErrnoException("close", state.errno());
      }
    }
  }

  @Override
  public OptionalInt threadNumber() {
    if (threadNumber.isEmpty()) {
      return OptionalInt.empty();
    }
    try (CallState state = callState()) {
      return OptionalInt.of((int) threadNumber.orElseThrow().invokeExact(state.segment));
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  @Override
  public int schedulingPolicy(int thread) throws IOException {
    try (CallState state = callState()) {
      int policy;
      try {
        policy = (int) getScheduler.invokeExact(state.segment, thread);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (policy < 0) {
        throw new ErrnoException("sched_getscheduler", state.errno());
      }
      return policy;
    }
  }

  @Override
  public void setSchedulingPolicy(int thread, int policy) throws IOException {
    try (CallState state = callState()) {
      int result;
      try {
        result = (int) setScheduler.invokeExact(state.segment, thread, policy, priorityZero);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (result != 0) {
        throw new ErrnoException("sched_setscheduler", state.errno());
      }
    }
  }

  /**
   * The bytes that the JDK itself passes to the kernel for this path. The path's URI has them
   * exactly, in any locale; its text does not.
   */
  private static ByteBuffer nulTerminated(Path path) {
    URI uri = path.toUri();
    byte[] raw = uri.getRawPath().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.allocateDirect(raw.length + 1);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] == '%') {
        bytes.put((byte) Integer.parseInt(uri.getRawPath().substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.put(raw[i]);
      }
    }
    return bytes.put((byte) 0).flip();
  }

  private static ByteBuffer nulTerminated(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length + 1).put(bytes).put((byte) 0).flip();
  }

  /** For one call; as many exist as calls were made at once. */
  private CallState callState() {
    CallState free = freeStates.poll();
    if (free != null) {
      return free;
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(stateBytes).order(ByteOrder.nativeOrder());
    return new CallState(segment(buffer), buffer, freeStates);
  }

  private Object segment(ByteBuffer buffer) {
    try {
      return segmentOfBuffer.invoke(null, buffer);
    } catch (ReflectiveOperationException e) {
      throw unexpected(e);
    }
  }

  private static IllegalStateException unexpected(Throwable t) {
    return new IllegalStateException("a linked function could not be called", t);
  }

  /** Holds the error number of a call, which ends when this is closed. */
  private record CallState(Object segment, ByteBuffer buffer, Queue<CallState> free)
      implements AutoCloseable {

    /** On Linux the state contains only this number, so it comes first. */
    int errno() {
      return buffer.getInt(0);
    }

    @Override
    public void close() {
      free.add(this);
    }
  }

  /** Linked at first use, once per JVM. */
  private static final class Loaded {

    static final Optional<LinuxCalls> CALLS;
    static final String REASON;

    static {
      LinuxCalls calls = null;
      String reason = reasonAgainst().orElse("");
      if (reason.isEmpty()) {
        try {
          calls = new ForeignLinuxCalls();
        } catch (InvocationTargetException e) {
          reason =
              e.getCause() instanceof IllegalCallerException
                  ? "native access is denied; --enable-native-access=" + module() + " allows it"
                  : "linking failed: " + e.getCause();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
          reason = "linking failed: " + e;
        }
      }
      CALLS = Optional.ofNullable(calls);
      REASON = reason;
    }

    /** As the option of the JVM names it. */
    private static String module() {
      Module module = ForeignLinuxCalls.class.getModule();
      return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }
  }
}
