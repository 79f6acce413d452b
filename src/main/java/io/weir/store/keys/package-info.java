/**
 * Terms dictionaries of key fields in memory: a room of {@code store}, which uses {@code held} and
 * {@code reads}. {@link io.weir.store.ResidentDirectory} is the layer above it.
 *
 * <p>{@link io.weir.store.keys.KeyFiles} decides which files of a segment are held. {@link
 * io.weir.store.keys.ResidentDictionaries} has those of an index; each is a {@link
 * io.weir.store.keys.ResidentDictionary}, and a {@link io.weir.store.keys.DictionaryCopy} loads it.
 * {@link io.weir.store.keys.DictionaryMemory} limits and counts an index's memory, {@link
 * io.weir.store.keys.DictionaryLoader} has the threads of the process, and in a {@link
 * io.weir.store.keys.WaitingRoom} dictionaries wait for room. {@link io.weir.store.keys.HeldCopies}
 * keeps the JVM from reclaiming those that are only idle.
 */
package io.weir.store.keys;
