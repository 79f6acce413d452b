package io.weir.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Memory is taken, freed and counted; no two extents share any of it. */
class PagePoolTest {

  @Test
  void roundUp_isAPowerOfTwo() {
    assertEquals(128, PagePool.roundUp(1));
    assertEquals(128, PagePool.roundUp(128));
    assertEquals(256, PagePool.roundUp(129));
    assertEquals(8192, PagePool.roundUp(4097));
    assertEquals(8192, PagePool.roundUp(8192));
  }

  @Test
  void take_withoutASlab_isRefused_andGrowObeysTheLimit() {
    PagePool pool = new PagePool(3 * PagePool.PAGE_BYTES, new PoisonedMemory());
    assertTrue(pool.take(8).isEmpty());
    assertTrue(pool.grow());
    assertFalse(pool.grow());
    assertEquals(3 * PagePool.PAGE_BYTES, pool.reservedBytes());

    Extent all = pool.take(3 * PagePool.PAGE_BYTES).orElseThrow();
    assertTrue(pool.take(8).isEmpty());
    assertEquals(3 * PagePool.PAGE_BYTES, pool.usedBytes());
    pool.free(all);
    assertEquals(0, pool.usedBytes());
  }

  @Test
  void grow_withoutMemory_saysSo() {
    PagePool pool = new PagePool(1 << 30, new PoisonedMemory(1));
    assertTrue(pool.grow());
    assertFalse(pool.grow());
    assertEquals(PagePool.SLAB_BYTES, pool.reservedBytes());
  }

  @Test
  void take_cells_shareAPage_whichIsWholeAgainAfterTheLastIsFreed() {
    PagePool pool = new PagePool(PagePool.PAGE_BYTES, new PoisonedMemory());
    pool.grow();
    List<Extent> cells = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      cells.add(pool.take(100).orElseThrow());
    }
    assertEquals(PagePool.PAGE_BYTES, pool.usedBytes());
    assertTrue(pool.take(1).isEmpty());
    cells.forEach(pool::free);
    assertTrue(pool.take(PagePool.PAGE_BYTES).isPresent());
  }

  /** Each extent is filled with a number of its own; it must still be there when it is freed. */
  @Test
  void takeAndFree_atRandom_neverOverlap() {
    Random random = new Random(42);
    PagePool pool = new PagePool(9L << 20, new PoisonedMemory());
    Map<Extent, Long> taken = new HashMap<>();
    long usedBytes = 0;
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      int bytes = 8 * (1 + random.nextInt(random.nextBoolean() ? 100 : 12_000));
      Optional<Extent> extent = pool.take(bytes);
      if (extent.isEmpty() && pool.grow()) {
        extent = pool.take(bytes);
      }
      if (extent.isPresent()) {
        fill(extent.get(), i);
        taken.put(extent.get(), (long) i);
        usedBytes += size(bytes);
      } else {
        refused++;
      }
      if (extent.isEmpty() || random.nextInt(3) == 0) {
        Extent victim = taken.keySet().iterator().next();
        check(victim, taken.remove(victim));
        usedBytes -= size(victim.bytes());
        pool.free(victim);
      }
      assertEquals(usedBytes, pool.usedBytes());
      assertTrue(pool.usedBytes() <= pool.reservedBytes());
    }
    assertTrue(refused > 10, "the limit was hardly reached: " + refused);
    taken.forEach(PagePoolTest::check);
    taken.keySet().forEach(pool::free);
    assertEquals(0, pool.usedBytes());
    assertTrue(pool.take(9 << 20).isPresent(), "something is lost");
  }

  private static long size(int bytes) {
    int rest = bytes % PagePool.PAGE_BYTES;
    return bytes - rest + (rest == 0 ? 0 : PagePool.roundUp(rest));
  }

  private static void fill(Extent extent, long value) {
    for (int position = 0; position < extent.bytes(); position += Long.BYTES) {
      extent.putLong(position, value);
    }
  }

  private static void check(Extent extent, long value) {
    for (int position = 0; position < extent.bytes(); position += Long.BYTES) {
      assertEquals(value, extent.longAt(position));
    }
  }
}
