/**
 * What Weir asks the kernel below an index: a room of {@code store}, which uses no other.
 *
 * <p>{@link io.weir.store.kernel.LinuxCalls} are the system calls that the JDK does not offer, and
 * {@link io.weir.store.kernel.ForeignLinuxCalls} makes them. {@link
 * io.weir.store.kernel.ErrnoException} is a call that failed, and says whether data is lost. {@link
 * io.weir.store.kernel.FileStoreKind} says how a file system uses the page cache.
 */
package io.weir.store.kernel;
