/**
 * What was packaged, tried from outside: the library's jar, a project that uses it, and the command
 * line as it is unpacked.
 *
 * <p>These tests need what {@code mvn -Pdist package} makes, so they are named {@code *IT} and run
 * after it: {@code mvn -Pdist verify}, which {@code tools/test} calls.
 */
package io.weir.packaging;
