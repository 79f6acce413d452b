/**
 * Lookups by primary key: Weir's resident dictionary beside what Lucene has, and what each takes of
 * disk and memory.
 */
package io.weir.benchmark.residentkeys;
