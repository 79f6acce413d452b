/**
 * Applications that use Weir, each one file that can be read from top to bottom and run. {@code
 * docs/EMBEDDING.md} links to them.
 */
package io.weir.examples;
