/**
 * Documents to index: ring 4, uses the JDK and commons-compress.
 *
 * <p>{@link io.weir.corpus.DocumentSource} says where documents come from (synthetic text,
 * luceneutil line files, a Wikipedia dump, a directory tree) and opens a {@link
 * io.weir.corpus.DocumentReader}. Input that cannot be read as a document is counted and named in
 * {@link io.weir.corpus.ReadProblems}, and reading goes on.
 */
package io.weir.corpus;
