/**
 * The text files of the Linux kernel as records.
 *
 * <p>Ring 0: needs only the JDK. Start at {@link io.weir.procfs.Procfs}, which reads the files
 * below an injected root, so that tests can use captures of several kernels. Pure parsers turn the
 * text into records. Sizes are in bytes, whatever unit the kernel prints. A missing file or field
 * is absent, never zero.
 */
package io.weir.procfs;
