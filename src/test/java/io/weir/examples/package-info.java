/**
 * Applications that use Weir, each one file that can be read from top to bottom and run: plain
 * Lucene, two indexes that share a disk, and a framework that collects binders, as Spring Boot
 * does.
 */
package io.weir.examples;
