package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.report.SampleRun;
import io.weir.stress.Await;
import io.weir.suite.Slow;
import io.weir.why.ComparisonReport;
import io.weir.why.Observation;
import io.weir.why.ObservationFile;
import io.weir.why.WhyReport;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The report without a mouse, a script, colours or a wide screen, in a real browser. */
@Slow("starts a browser")
class HtmlReportAccessTest {

  @TempDir static Path directory;
  private static ChromiumTab tab;
  private static Path pair;
  private static Path many;

  @BeforeAll
  static void openBrowser() throws IOException, InterruptedException {
    Optional<Chromium> found = Chromium.find(directory);
    assumeTrue(
        found.isPresent(),
        "no chromium, chromium-browser or google-chrome on PATH; Debian's package is: chromium");
    pair = report(new SampleRun().arm("uncapped", 1, 0).arm("cap=10MB/s", 1, 10), "pair");
    SampleRun run = new SampleRun();
    for (int round = 1; round <= 2; round++) {
      run.arm("stock", round, 0)
          .arm("weir", round, 40)
          .arm("cap=20MB/s, unmap=deferred", round, 20);
      run.failedArm("a-name-that-is-rather-long-and-has-nowhere-to-break", round, "its JVM ended");
    }
    many = report(run, "many");
    tab = found.get().tab();
  }

  @AfterAll
  static void closeBrowser() {
    if (tab != null) {
      tab.close();
    }
  }

  @BeforeEach
  void asAScreen() {
    tab.size(1280, 900);
    tab.media("screen", false, false);
  }

  @ParameterizedTest
  @CsvSource({"1280, false", "1280, true", "390, false", "390, true"})
  void page_ofAnyWidth_fitsAndNothingOverlaps(int width, boolean over) {
    tab.size(width, 900);
    for (Path page : List.of(pair, many)) {
      tab.open(page, true);
      if (over) {
        overlay();
      }
      assertEquals(width, tab.eval("document.documentElement.scrollWidth").asInt());
      assertNothing("beyond the page", BEYOND);
      assertNothing("over each other", OVERLAPPING);
      assertNothing("cut", CUT);
      assertNothing("too small to read", SMALL);
    }
  }

  /** An answer of {@code weir why}, and two of them compared. */
  @ParameterizedTest
  @ValueSource(ints = {1280, 390})
  void page_ofWeirWhy_fitsAndNothingOverlaps(int width) throws Exception {
    Path recorded = Path.of("src/test/resources/io/weir/why");
    Observation before = ObservationFile.read(recorded.resolve("compared/before.json"));
    Observation after = ObservationFile.read(recorded.resolve("compared/after.json"));
    Path one = directory.resolve("why.html");
    Path two = directory.resolve("why-comparison.html");
    Files.writeString(
        one, new WhyReport(ObservationFile.read(recorded.resolve("forced-merge.json"))).html());
    Files.writeString(two, new ComparisonReport("before", before, "after", after).html());
    tab.size(width, 900);
    for (Path page : List.of(one, two)) {
      tab.open(page, false);
      assertEquals(width, tab.eval("document.documentElement.scrollWidth").asInt());
      assertNothing("beyond the page", BEYOND);
      assertNothing("over each other", OVERLAPPING);
      assertNothing("cut", CUT);
      assertNothing("too small to read", SMALL);
      assertNothing(
          "tables that scroll",
          "[...document.querySelectorAll('.table')].filter(t => t.scrollWidth > t.clientWidth)"
              + ".map(t => t.ariaLabel)");
    }
  }

  /** Words of a picture that is drawn without a script; they do not shrink with the page. */
  private static final String SMALL =
      """
      [...document.querySelectorAll('svg.chart text')].filter(t => t.getClientRects().length
        && parseFloat(getComputedStyle(t).fontSize) * (t.getScreenCTM()?.a ?? 1) < 11)
        .map(t => t.textContent + ' ' + getComputedStyle(t).fontSize)
      """;

  /** What sticks out at the right, and is not in a box that scrolls. */
  private static final String BEYOND =
      """
      [...document.querySelectorAll('body *')].filter(e => e.getClientRects().length
        && !e.closest('.table table, .unseen, .uplot, pre')
        && (e.getBoundingClientRect().right > innerWidth + 0.5 || e.getBoundingClientRect().left < -0.5))
        .map(e => e.tagName + '.' + (e.getAttribute('class') ?? '') + ' ' + e.textContent.slice(0, 30))
      """;

  /**
   * What its own box hides, from below, or from the side where nothing scrolls; and small charts.
   */
  private static final String CUT =
      """
      [...document.querySelectorAll('main *')].filter(e => e.checkVisibility() && !e.closest('.uplot, .unseen')
        && (e.matches('.table') && e.scrollHeight > e.clientHeight + 1
          || e.matches('caption') && e.getBoundingClientRect().right > innerWidth
          || e.matches('svg.percentiles') && e.clientHeight < 260
          || e.matches('.plot') && e.clientHeight < 100))
        .map(e => e.outerHTML.slice(0, 120) + ' ' + e.scrollHeight + ' in ' + e.clientHeight)
      """;

  /** Blocks of one parent, and words of one picture. */
  private static final String OVERLAPPING =
      """
      [...document.querySelectorAll('main, section, figure, .two, .arms, .tables, figcaption, header, svg.chart')]
        .flatMap(p => {
          const boxes = (p.matches('svg') ? [...p.querySelectorAll('.left, .below, .behind, .ends text')] : [...p.children])
            .filter(e => e.getClientRects().length && !e.matches('.unseen'))
            .map(e => [e, e.getBoundingClientRect()]);
          return boxes.flatMap(([a, r], i) => boxes.slice(i + 1)
            .filter(([b, s]) => Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1
              && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 3)
            .map(([b]) => a.textContent.slice(0, 30) + ' | ' + b.textContent.slice(0, 30)));
        })
      """;

  @Test
  void page_narrow_widenessOfTablesScrollsInABoxThatTakesTheFocus() {
    tab.size(390, 900);
    tab.open(many, true);
    assertTrue(
        tab.eval(
                "[...document.querySelectorAll('.table')].some(t => t.scrollWidth > t.clientWidth)")
            .asBoolean());
    assertNothing(
        "tables outside of a box that scrolls and takes the focus",
        "[...document.querySelectorAll('table')].filter(t => { const b = t.parentNode;"
            + " return b.tabIndex !== 0 || getComputedStyle(b).overflowX !== 'auto' || !b.ariaLabel; })"
            + ".map(t => t.caption.textContent)");
  }

  /** Tables were cut without a sign: a shadow now stands where one goes on. */
  @ParameterizedTest
  @CsvSource({"400, false", "400, true", "1280, false"})
  void table_thatGoesOn_hasAShadowThereAndNoneAtItsEnd(int width, boolean dark) throws Exception {
    tab.size(width, 900);
    tab.media("screen", dark, false);
    tab.open(many, true);
    String table = "[...document.querySelectorAll('.table.wide')].at(0)";
    tab.eval(table + ".style.maxWidth = '300px', 1");
    tab.eval(table + ".scrollIntoView(), 1");
    assertTrue(tab.eval(table + ".scrollWidth > 310").asBoolean());

    assertTrue(shade(table, "right - 1") > 25, "it goes on at the right");
    assertTrue(shade(table, "left + 1") < 8, "it begins at the left");
    tab.eval(table + ".scrollLeft = 9999, 1");
    assertTrue(shade(table, "right - 1") < 8, "it ends at the right");
    assertTrue(shade(table, "left + 1") > 25, "it goes on at the left");
  }

  /** How much the end of a table differs from the page, in the gap above its caption. */
  private static int shade(String table, String x) throws IOException {
    JsonNode at =
        tab.eval(
            "(b => [Math.round(b.%s), Math.round(b.top + 1)])(%s.getBoundingClientRect())"
                .formatted(x, table));
    BufferedImage picture = tab.picture();
    Color there = new Color(picture.getRGB(at.get(0).asInt(), at.get(1).asInt()));
    Color page = new Color(picture.getRGB(1, 1));
    return Math.abs(there.getGreen() - page.getGreen());
  }

  @Test
  void page_withoutScripts_hasFiguresCurvesAndBarsAndOffersNothingThatWouldNotWork() {
    tab.open(pair, false);
    assertTrue(tab.eval("document.querySelectorAll('table').length >= 8").asBoolean());
    assertEquals(2, tab.eval("document.querySelectorAll('svg.percentiles').length").asInt());
    assertEquals(2, tab.eval("document.querySelectorAll('svg.bars').length").asInt());
    assertNothing(
        "pictures of no size",
        "[...document.querySelectorAll('svg.chart')].filter(s => s.clientWidth < 200"
            + " || s.clientHeight < 200).map(s => s.ariaLabel)");
    assertNothing(
        "controls without a script",
        "[...document.querySelectorAll('button, input, #over, .script')].filter(e => e.getClientRects().length)"
            + ".map(e => e.outerHTML)");
    assertTrue(
        tab.text("document.querySelector('main').innerText").contains("scripts are switched off"));
    assertNothing("beyond the page", BEYOND);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void page_onPaper_isLightAndWhole(boolean scripts) {
    tab.size(718, 1000); // what A4 has between its margins
    tab.media("print", true, false);
    tab.open(many, scripts);
    String ink = tab.text("getComputedStyle(document.querySelector('h1')).color");
    assertEquals("rgb(30, 34, 39)", ink);
    assertEquals(718, tab.eval("document.documentElement.scrollWidth").asInt());
    assertNothing(
        "cut",
        "[...document.querySelectorAll('.table, .plot')].filter(e => e.scrollWidth > e.clientWidth + 1"
            + " && e.getClientRects().length).map(e => e.ariaLabel)");
    assertNothing(
        "charts wider than their column",
        "[...document.querySelectorAll('#beside canvas')].filter(c => c.getBoundingClientRect().right"
            + " > c.closest('figure').getBoundingClientRect().right).map(c => c.outerHTML)");
    assertNothing(
        "controls on paper",
        "[...document.querySelectorAll('button, input')].filter(e => e.getClientRects().length)"
            + ".map(e => e.outerHTML)");
    assertNothing("over each other", OVERLAPPING);
    byte[] pdf = tab.pdf();
    assertTrue(new String(pdf, 0, 5, StandardCharsets.US_ASCII).equals("%PDF-"), "a document");
  }

  @Test
  void page_darkWhenPrinted_isDarkAgainAfterwards() {
    tab.media("screen", true, false);
    tab.open(pair, true);
    assertEquals("dark", tab.text("document.documentElement.dataset.theme"));
    int width = tab.eval("document.querySelector('figure[data-panel]').plot.width").asInt();
    tab.eval("dispatchEvent(new Event('beforeprint')), 1");
    assertEquals("light", tab.text("document.documentElement.dataset.theme"));
    assertEquals(330, tab.eval("document.querySelector('figure[data-panel]').plot.width").asInt());
    tab.eval("dispatchEvent(new Event('afterprint')), 1");
    assertEquals("dark", tab.text("document.documentElement.dataset.theme"));
    assertEquals(
        width, tab.eval("document.querySelector('figure[data-panel]').plot.width").asInt());
  }

  @Test
  void keyboard_tabulator_reachesEveryControlAndShowsWhereItIs() {
    tab.open(pair, true);
    Set<String> reached = new TreeSet<>();
    Set<String> unseen = new TreeSet<>();
    String first = null;
    for (int i = 0; i < 200; i++) {
      tab.key("Tab");
      String name = tab.text(FOCUSED);
      if (name.equals(first) || name.startsWith("BODY")) {
        break;
      }
      first = first == null ? name : first;
      reached.add(name);
      if (!tab.eval(
              "(s => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2)"
                  + "(getComputedStyle(document.activeElement))")
          .asBoolean()) {
        unseen.add(name);
      }
    }
    Set<String> wanted = new TreeSet<>();
    tab.eval(
            "[...document.querySelectorAll('button, summary, .table, #beside .plot, input:checked')]"
                + ".filter(e => e.checkVisibility()).map(%s)".formatted(NAME))
        .forEach(name -> wanted.add(name.asText()));
    assertTrue(wanted.size() > 20, wanted.toString());
    assertEquals(wanted, reached);
    assertEquals(Set.of(), unseen);
  }

  private static final String NAME =
      "(e => e.tagName + ' ' + (e.ariaLabel ?? e.value ?? '') + ' ' + (e.ariaLabel ? '' :"
          + " e.closest('figure')?.textContent.slice(0, 30) ?? e.textContent.slice(0, 30)))";
  private static final String FOCUSED = NAME + "(document.activeElement)";

  @Test
  void keyboard_arrowsOnAChart_tellItsValues() {
    tab.open(pair, true);
    tab.eval("document.querySelector('#beside .plot').focus(), 1");
    tab.key("ArrowRight");
    tab.key("ArrowRight");
    String told = tab.text("document.getElementById('moment').textContent");
    assertTrue(told.matches("0\\.25 s: latency [0-9.]+ ms"), told);
  }

  @Test
  void keyboard_switch_overlaysTheArmsFromTheMergesBeginning() {
    tab.open(pair, true);
    assertEquals("Arms", tab.text("document.querySelector('#layout legend').textContent"));
    overlay();
    assertEquals("over", tab.text("document.querySelector('#layout input:checked').value"));
    assertFalse(tab.eval("document.getElementById('beside').checkVisibility()").asBoolean());
    assertEquals(
        List.of("reopens", "searches", "dirty", "merge"),
        texts("[...document.querySelectorAll('[data-overlay]')].map(f => f.dataset.overlay)"));
    for (String figure : List.of("reopens", "searches", "dirty", "merge")) {
      String plot = "document.querySelector('[data-overlay=%s]').plot".formatted(figure);
      assertEquals(2, tab.eval(plot + ".series.length - 1").asInt(), "one line an arm");
      assertEquals(-20, tab.eval(plot + ".scales.x.min").asDouble(), 0.5, "20 s before the merge");
    }
    // Every reopen is there, at its distance from the merge.
    assertEquals(
        texts("[...document.querySelectorAll('[data-panel=reopens]')].map(f => f.dataset.points)"),
        texts(
            "[1, 2].map(i => document.querySelector('[data-overlay=reopens]').plot.data[i]"
                + ".filter(v => v != null).length)"));
    tab.eval("document.querySelector('#layout input:checked').focus(), 1");
    tab.key("ArrowLeft");
    assertTrue(tab.eval("document.getElementById('beside').checkVisibility()").asBoolean());
    tab.open(pair, true);
    assertEquals("beside", tab.text("document.querySelector('#layout input:checked').value"));
    assertEquals(0, tab.eval("document.cookie.length").asInt());
  }

  @Test
  void switch_runOfOneArm_isNotOffered() throws IOException {
    tab.open(report(new SampleRun().arm("a", 1, 0), "single"), true);
    assertTrue(tab.eval("document.getElementById('layout') === null").asBoolean());
    assertEquals("drawn", tab.text("document.documentElement.dataset.report"));
  }

  @Test
  void structure_pictureTableAndHeading_saysWhatItIs() {
    for (Path page : List.of(pair, many)) {
      tab.open(page, true);
      overlay();
      assertNothing(
          "pictures without figures in their names",
          "[...document.querySelectorAll('svg.chart, .plot')].filter(e => e.role !== 'img'"
              + " || !/\\d/.test(e.ariaLabel)).map(e => e.outerHTML.slice(0, 90))");
      assertNothing(
          "headings out of order",
          """
          (() => { let before = 0; return [...document.querySelectorAll('h1, h2, h3, h4')].filter(h => {
            const level = +h.tagName[1]; const skips = level > before + 1; before = level; return skips;
          }).map(h => h.textContent); })()
          """);
      assertEquals(1, tab.eval("document.querySelectorAll('h1').length").asInt());
      assertEquals(
          3,
          tab.eval("document.querySelectorAll('body > header, body > main, body > footer').length")
              .asInt());
      assertNothing(
          "sections without a name",
          "[...document.querySelectorAll('section')].filter(s => !s.ariaLabel"
              + " && !document.getElementById(s.getAttribute('aria-labelledby'))?.textContent).map(s => s.outerHTML.slice(0, 90))");
      assertNothing(
          "tables without captions or headers without a scope or a word",
          "[...document.querySelectorAll('table')].filter(t => !t.caption?.textContent"
              + " || [...t.querySelectorAll('th')].some(th => !th.scope || !th.textContent.trim()))"
              + ".map(t => t.outerHTML.slice(0, 200))");
      assertNothing(
          "rows of unlike length",
          """
          [...document.querySelectorAll('table')].filter(t => { let left = 0; return [...t.rows].some(r => {
            const span = r.cells[0].rowSpan; const cells = r.cells.length + (left > 0 ? 1 : 0);
            left = left > 0 ? left - 1 : span - 1; return cells !== t.rows[0].cells.length; }); })
            .map(t => t.caption.textContent)
          """);
      assertNothing(
          "ids twice",
          "(ids => ids.filter((id, i) => ids.indexOf(id) !== i))([...document.querySelectorAll('[id]')].map(e => e.id))");
    }
  }

  /** WCAG 2.2 AA: 4.5 for text, 3 for what else has to be seen. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void colours_inTheme_haveContrast(boolean dark) {
    tab.media("screen", dark, false);
    for (Path page : List.of(pair, many)) {
      tab.open(page, true);
      overlay();
      tab.eval("document.querySelectorAll('details').forEach(d => { d.open = true; }), 1");
      tab.eval("document.getElementById('beside').hidden = false, 1");
      assertNothing("too faint", CONTRAST);
    }
  }

  private static final String CONTRAST =
      """
      (() => {
        const parts = (c) => c.startsWith('#') ? c.match(/\\w\\w/g).map((h) => parseInt(h, 16)) : c.match(/[\\d.]+/g).map(Number);
        const lum = (c) => { const [r, g, b] = parts(c).slice(0, 3)
          .map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const ratio = (a, b) => { const [x, y] = [lum(a), lum(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
        const ground = (e) => { for (let at = e; at; at = at.parentElement) {
          const c = getComputedStyle(at).backgroundColor; if ((parts(c)[3] ?? 1) > 0) return c; } return 'rgb(255, 255, 255)'; };
        const faint = [];
        const check = (what, front, back, least) => { const r = ratio(front, back);
          if (!(r >= least)) faint.push(`${what}: ${front} on ${back} is ${r.toFixed(2)}, wanted ${least}`); };
        let texts = 0;
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
          const e = walk.currentNode.parentElement;
          const text = walk.currentNode.textContent.trim();
          if (!text || !e.getClientRects().length || e.closest('title, script, .unseen, .uplot')) continue;
          texts++;
          const style = getComputedStyle(e);
          const within = e.classList.contains('within');
          check(text.slice(0, 30), e.closest('svg') ? style.fill : style.color,
            within ? getComputedStyle(e.previousElementSibling).fill : ground(e.closest('svg') ?? e), 4.5);
        }
        document.querySelectorAll('.mark path, .bars rect:not(.track)').forEach((e) =>
          check(e.parentElement.outerHTML.slice(0, 60), getComputedStyle(e.closest('.hollow') ? e.closest('g, li') : e).fill, ground(e.closest('figure, section')), 3));
        document.querySelectorAll('figure[data-colours]').forEach((f) =>
          f.dataset.colours.split(' ').forEach((c) => check(f.dataset.panel ?? f.dataset.overlay, c, ground(f), 3)));
        if (texts < 300) faint.push('only ' + texts + ' texts were found');
        return [...new Set(faint)];
      })()
      """;

  @Test
  void motion_reducedOrNot_nothingMoves() {
    for (boolean reduced : List.of(true, false)) {
      tab.media("screen", false, reduced);
      tab.open(pair, true);
      overlay();
      assertNothing(
          "moving",
          "[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration !== '0s'"
              + " || getComputedStyle(e).animationName !== 'none' || getComputedStyle(e).scrollBehavior !== 'auto')"
              + ".map(e => e.outerHTML.slice(0, 90))");
      assertEquals(0, tab.eval("document.getAnimations().length").asInt());
    }
  }

  /** As a keyboard does it. */
  private static void overlay() {
    tab.eval("document.querySelector('#layout input:checked').focus(), 1");
    tab.key("ArrowRight");
    Await.until(
        "the charts over each other",
        () ->
            tab.eval(
                    "[...document.querySelectorAll('[data-overlay]')]"
                        + ".every(f => f.dataset.drawn || f.querySelector('.absent'))")
                .asBoolean());
    assertEquals("drawn", tab.text("document.documentElement.dataset.report"));
  }

  private static void assertNothing(String what, String expression) {
    assertEquals(List.of(), texts(expression), what);
  }

  private static List<String> texts(String expression) {
    List<String> texts = new ArrayList<>();
    for (JsonNode text : tab.eval(expression)) {
      texts.add(text.asText());
    }
    return texts;
  }

  private static Path report(SampleRun run, String name) throws IOException {
    var files = run.write(directory.resolve(name));
    new HtmlReport().write(files);
    return files.reportHtml();
  }
}
