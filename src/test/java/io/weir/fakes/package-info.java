/**
 * Stand-ins that tests share: clocks that are moved by hand, directories that count or fail. Each
 * is the real thing but for the one property it adds.
 */
package io.weir.fakes;
