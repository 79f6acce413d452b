/**
 * The arm's copy of the index and everything between its writer and the disk. {@link
 * io.weir.stress.arm.storage.CacheCondition} prepares the page cache, {@link
 * io.weir.stress.arm.storage.ArmIndex} opens the copy through a {@link
 * io.weir.stress.arm.storage.WritePath}, and checks what the arm leaves behind.
 */
package io.weir.stress.arm.storage;
