/** What all benchmarks share: how one is asked to run, and the table it answers with. */
package io.weir.benchmark.kit;
