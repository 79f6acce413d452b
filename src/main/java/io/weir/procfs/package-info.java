/**
 * What the Linux kernel tells in text files: ring 0, needs only the JDK.
 *
 * <p>Pure parsers from text to records, and {@link io.weir.procfs.Procfs}, which reads the files
 * below an injected root so that tests run on captures of several kernels. Sizes are bytes,
 * whatever unit the kernel prints. A file or field that is missing is absent, never zero.
 */
package io.weir.procfs;
