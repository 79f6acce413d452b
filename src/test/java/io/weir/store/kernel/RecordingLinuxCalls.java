package io.weir.store.kernel;

import io.weir.store.writeback.FileWriteback;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A kernel that writes down what it is asked, about which file, in units of 64 KiB where that is
 * exact, and fails when told. It refuses a range that the file does not have yet, for such a call
 * would miss what is still in a buffer, and to start one later than it could have been.
 */
public final class RecordingLinuxCalls implements LinuxCalls {

  private final List<String> calls = new ArrayList<>(); // guarded by this
  private final Map<Integer, Path> open = new HashMap<>(); // guarded by this
  private int lastDescriptor = 100; // guarded by this
  private int failFrom = Integer.MAX_VALUE; // guarded by this
  private int failUntil = Integer.MAX_VALUE; // guarded by this
  private int errno; // guarded by this
  private Runnable onWait = () -> {};

  /** The failure of a call. */
  public static ErrnoException failure(String call, int errno) {
    return new ErrnoException(call, errno);
  }

  /** Call number {@code index} (from 0), and all after it but closes, fail. */
  public synchronized void failFrom(int index, int newErrno) {
    failFrom = index;
    failUntil = Integer.MAX_VALUE;
    errno = newErrno;
  }

  /** Call number {@code index} (from 0) fails if it is not a close, and no other does. */
  public synchronized void failAt(int index, int newErrno) {
    failFrom = index;
    failUntil = index + 1;
    errno = newErrno;
  }

  /** What happens in each call that waits. */
  public void onWait(Runnable action) {
    onWait = action;
  }

  /** One line for each call, those that failed included. */
  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  /** Call number {@code index} (from 0), if there was one. */
  public synchronized String callAt(int index) {
    return index < calls.size() ? calls.get(index) : "none";
  }

  /** Forgets the calls so far. */
  public synchronized void clear() {
    calls.clear();
  }

  /** Descriptors that are open. */
  public synchronized int openDescriptors() {
    return open.size();
  }

  @Override
  public synchronized int open(Path path) throws IOException {
    record("open " + path.getFileName());
    lastDescriptor++;
    open.put(lastDescriptor, path);
    return lastDescriptor;
  }

  @Override
  public synchronized void syncFileRange(int descriptor, long offset, long bytes, int flags)
      throws IOException {
    Path path = open.get(descriptor);
    String verb =
        switch (flags) {
          case WRITE -> "start ";
          case WAIT_BEFORE | WRITE | WAIT_AFTER -> "await ";
          default -> "flags " + flags + " ";
        };
    record(verb + range(offset, bytes));
    long beyondBytes = Files.size(path) - (offset + bytes);
    if (beyondBytes < 0 || flags == WRITE && beyondBytes > FileWriteback.LAG_BYTES) {
      throw new AssertionError(range(offset, bytes) + " of " + Files.size(path) + " bytes");
    }
    if (flags != WRITE) {
      onWait.run();
    }
  }

  @Override
  public synchronized void dropRange(int descriptor, long offset, long bytes) throws IOException {
    record("drop " + range(offset, bytes));
  }

  @Override
  public int pageBytes() {
    throw new UnsupportedOperationException("nobody who writes asks for it");
  }

  @Override
  public void residency(FileChannel file, long offset, long bytes, ByteBuffer states) {
    throw new UnsupportedOperationException("nobody who writes asks for it");
  }

  @Override
  public void setAttribute(Path file, String name, ByteBuffer value) {
    throw new UnsupportedOperationException("nobody who writes asks for it");
  }

  @Override
  public int attribute(Path file, String name, ByteBuffer value) {
    throw new UnsupportedOperationException("nobody who writes asks for it");
  }

  @Override
  public OptionalInt threadNumber() {
    throw new UnsupportedOperationException("nobody who writes asks for it");
  }

  @Override
  public int schedulingPolicy(int thread) {
    throw new UnsupportedOperationException("nobody who writes asks for it");
  }

  @Override
  public void setSchedulingPolicy(int thread, int policy) {
    throw new UnsupportedOperationException("nobody who writes asks for it");
  }

  @Override
  public synchronized void close(int descriptor) throws IOException {
    calls.add("close");
    if (open.remove(descriptor) == null) {
      throw new AssertionError("closed twice: " + descriptor);
    }
  }

  private void record(String call) throws IOException {
    int index = calls.size();
    calls.add(call);
    if (index >= failFrom && index < failUntil) {
      throw new ErrnoException(call, errno);
    }
  }

  private static String range(long offset, long bytes) {
    return units(offset) + "+" + units(bytes);
  }

  private static String units(long bytes) {
    return bytes % 65536 == 0 ? Long.toString(bytes / 65536) : bytes + "b";
  }
}
