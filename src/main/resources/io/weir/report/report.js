
"use strict";
// Draws the charts of the run in the element #data. Then <html> has data-report="drawn", or the
// error, and every chart has attributes that say what it drew: for tests, and for the developer
// tools. overlay.js uses what this script returns.
const weirCharts = (() => {
  const root = document.documentElement;
  const plots = [];
  // Half of an A4 or Letter sheet.
  const PAPER_PIXELS = 330;

  // The form of each chart. A series names its colour in report.css; `right` puts it on the right
  // scale. A chart has a left scale in `unit` and may have a right one in `rightUnit`.
  const FORMS = {
    reopens: {
      unit: "ms", height: 210, log: true, least: 0.1, note: "logarithmic", noted: "slow",
      series: {
        latency: { label: "latency", colour: "--purple", form: "dot" },
        slow: { label: "slow, by cause", colour: "--wine", form: "diamond" },
        failed: { label: "failed", colour: "--red", form: "cross" },
      },
    },
    searches: {
      unit: "/s", rightUnit: "ms", height: 140,
      series: {
        rate: { label: "searches", colour: "--green" },
        slowest: { label: "slowest", colour: "--ochre", right: true, width: 1 },
      },
    },
    pauses: {
      unit: "ms", height: 110, log: true, least: 0.01, note: "logarithmic", noted: "pause",
      series: {
        pause: { label: "pause", colour: "--rose", form: "dot" },
      },
    },
    dirty: {
      unit: "MB", height: 170,
      series: {
        dirty: { label: "dirty", colour: "--blue", form: "filled" },
        writeback: { label: "writeback", colour: "--orange" },
        "background-threshold": { label: "background threshold", colour: "--slate", form: "dashed" },
        threshold: { label: "threshold", colour: "--red", form: "dashed" },
      },
    },
    merge: {
      unit: "MB/s", rightUnit: "%", height: 150, rightTop: 100,
      series: {
        paused: { label: "paused", colour: "--slate", form: "area", right: true },
        rate: { label: "written", colour: "--teal" },
        cap: { label: "cap", colour: "--red", form: "dashed" },
      },
    },
    goal: {
      unit: "ms", rightUnit: "MB/s", height: 150,
      series: {
        rate: { label: "rate of merges", colour: "--slate", form: "area", right: true },
        floor: { label: "floor", colour: "--teal", form: "dashed", right: true },
        seen: { label: "latency seen", colour: "--purple" },
        limit: { label: "limit", colour: "--red", form: "dashed" },
      },
    },
    pressure: {
      unit: "% of time", height: 120,
      series: {
        some: { label: "at least one task waits", colour: "--brick", form: "filled" },
        full: { label: "all tasks wait", colour: "--wine" },
      },
    },
    memory: {
      unit: "MB", height: 140,
      series: {
        resident: { label: "resident", colour: "--ochre" },
        committed: { label: "heap committed", colour: "--slate", form: "dashed" },
        used: { label: "heap used", colour: "--steel" },
        collections: { label: "collection", colour: "--rose", form: "tick" },
      },
    },
  };

  let colours = {};
  const probe = document.getElementById("theme");
  // The browser resolves light-dark() only where a property uses it.
  const colour = (name) => {
    if (!colours[name]) {
      probe.style.color = `var(${name})`;
      const parts = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3);
      colours[name] = "#" + parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("");
      probe.style.color = "";
    }
    return colours[name];
  };
  const alpha = (name, hex) => colour(name) + hex;

  const text = (value) => {
    if (value == null) return "";
    const size = Math.abs(value);
    return value.toFixed(size >= 99.95 || value === 0 ? 0 : size >= 9.995 ? 1 : 2);
  };

  // Scales: the same for one chart in every arm.

  const values = (data, panel, right) => {
    const all = [];
    for (const arm of data.arms) {
      for (const one of arm.panels[panel]?.series ?? []) {
        const form = FORMS[panel].series[one.id];
        if (form.form !== "tick" && !!form.right === right) {
          for (const value of one.values ?? []) if (value != null) all.push(value);
        }
      }
    }
    return all;
  };

  const most = (all) => all.reduce((a, b) => Math.max(a, b), 0);

  const roundTop = (value) => {
    if (!(value > 0)) return 1;
    const step = 10 ** Math.floor(Math.log10(value)) / 2;
    return Math.ceil((value * 1.04) / step) * step;
  };

  const scaleOf = (data, panel, right) => {
    const all = values(data, panel, right);
    const form = FORMS[panel];
    if (!form.log) {
      const top = roundTop(most(all));
      return [0, right && form.rightTop ? Math.max(form.rightTop, top) : top];
    }
    // The floor is a whole decade below nearly all values, from the form's least to 1 ms; the few
    // faster values are drawn on it. Headroom above the slowest keeps the merge's label free.
    const low = all.sort((a, b) => a - b)[Math.floor(all.length / 20)];
    let floor = 1;
    while (low < floor && floor > form.least * 1.001) floor = Number((floor / 10).toPrecision(1));
    return [floor, Math.max(most(all) * 2.5, floor * 100)];
  };

  const decades = (u, axis, min, max) => {
    const splits = [];
    for (let tick = min; tick <= max * 1.0001; tick *= 10) splits.push(Number(tick.toPrecision(1)));
    return splits;
  };

  const endOf = (data) => {
    let end = 0;
    for (const arm of data.arms) {
      for (const panel of Object.values(arm.panels)) end = Math.max(end, panel.x.at(-1));
      end = Math.max(end, arm.merge?.[1] ?? 0);
    }
    return end || 1;
  };

  // Paths for which uPlot has no builder. Each visits the points that have a value.

  const eachPoint = (u, series, from, to, visit) => {
    const scale = u.scales[u.series[series].scale];
    for (let i = from; i <= to; i++) {
      const value = u.data[series][i];
      if (value == null) continue;
      visit(
        u.valToPos(u.data[0][i], "x", true),
        u.valToPos(Math.min(scale.max, Math.max(scale.min, value)), u.series[series].scale, true),
      );
    }
  };

  const dots = (u, series, from, to) => {
    const stroke = new Path2D();
    const fill = new Path2D();
    const radius = 1.8 * uPlot.pxRatio;
    const ground = u.bbox.top + u.bbox.height;
    eachPoint(u, series, from, to, (x, y) => {
      stroke.moveTo(x, ground);
      stroke.lineTo(x, y);
      fill.moveTo(x + radius, y);
      fill.arc(x, y, radius, 0, 2 * Math.PI);
    });
    return { stroke, fill };
  };

  const diamonds = (u, series, from, to) => {
    const stroke = new Path2D();
    const fill = new Path2D();
    const arm = 4 * uPlot.pxRatio;
    const ground = u.bbox.top + u.bbox.height;
    eachPoint(u, series, from, to, (x, y) => {
      stroke.moveTo(x, ground);
      stroke.lineTo(x, y);
      fill.moveTo(x, y - arm);
      fill.lineTo(x + arm, y);
      fill.lineTo(x, y + arm);
      fill.lineTo(x - arm, y);
      fill.closePath();
    });
    return { stroke, fill };
  };

  const crosses = (u, series, from, to) => {
    const stroke = new Path2D();
    const arm = 4 * uPlot.pxRatio;
    eachPoint(u, series, from, to, (x, y) => {
      stroke.moveTo(x - arm, y - arm);
      stroke.lineTo(x + arm, y + arm);
      stroke.moveTo(x - arm, y + arm);
      stroke.lineTo(x + arm, y - arm);
    });
    return { stroke };
  };

  const ticks = (u, series, from, to) => {
    const stroke = new Path2D();
    const ground = u.bbox.top + u.bbox.height;
    eachPoint(u, series, from, to, (x) => {
      stroke.moveTo(x, ground);
      stroke.lineTo(x, ground - 9 * uPlot.pxRatio);
    });
    return { stroke };
  };

  const seriesOf = (form) => {
    const one = {
      label: form.label,
      scale: form.form === "tick" ? "tick" : form.right ? "right" : "left",
      stroke: () => colour(form.colour),
      width: form.width ?? 1.5,
      points: { show: false },
    };
    switch (form.form) {
      case "dot":
        return { ...one, paths: dots, width: 1, stroke: () => alpha(form.colour, "2b"), fill: () => colour(form.colour) };
      case "diamond":
        return { ...one, paths: diamonds, width: 1, stroke: () => alpha(form.colour, "2b"), fill: () => colour(form.colour) };
      case "cross":
        return { ...one, paths: crosses, width: 2 };
      case "tick":
        return { ...one, paths: ticks, width: 1.5 };
      case "dashed":
        return { ...one, dash: [6, 4], width: 1.5 };
      case "filled":
        return { ...one, fill: () => alpha(form.colour, "2e") };
      case "area":
        return { ...one, width: 1, fill: () => alpha(form.colour, "2e") };
      default:
        return one;
    }
  };

  // The visible part of the merge as [from, to] in canvas pixels; null when no part is visible.
  const mergeSpan = (u, arm) => {
    if (!arm.merge) return null;
    const from = Math.max(u.bbox.left, u.valToPos(arm.merge[0], "x", true));
    const to = Math.min(u.bbox.left + u.bbox.width, u.valToPos(arm.merge[1], "x", true));
    return to > from ? [from, to] : null;
  };

  const shadeMerge = (arm) => (u) => {
    const span = mergeSpan(u, arm);
    if (!span) return;
    u.ctx.save();
    u.ctx.fillStyle = colour("--band");
    u.ctx.fillRect(span[0], u.bbox.top, span[1] - span[0], u.bbox.height);
    u.ctx.restore();
  };

  const nameMerge = (arm) => (u) => {
    const span = mergeSpan(u, arm);
    if (!span) return;
    const ctx = u.ctx;
    const inset = 6 * uPlot.pxRatio;
    ctx.save();
    ctx.font = `${11 * uPlot.pxRatio}px system-ui, sans-serif`;
    ctx.fillStyle = colour("--band-ink");
    ctx.textBaseline = "top";
    ctx.textAlign = "left";
    const room = u.bbox.left + u.bbox.width - span[0];
    if (ctx.measureText(arm.mergeLabel).width + 2 * inset < room) {
      ctx.fillText(arm.mergeLabel, span[0] + inset, u.bbox.top + inset);
    }
    ctx.restore();
  };

  // The first word of each note over its point where there is room: neither the colour nor the
  // shape distinguishes causes.
  const writeNotes = (figure, panel, series) => (u) => {
    if (!panel.notes || series < 1) return;
    const ctx = u.ctx;
    const scale = u.scales[u.series[series].scale];
    const taken = [];
    const room = 9 * uPlot.pxRatio;
    ctx.save();
    ctx.font = `600 ${10 * uPlot.pxRatio}px system-ui, sans-serif`;
    ctx.fillStyle = colour("--ink");
    ctx.textAlign = "center";
    ctx.textBaseline = "bottom";
    panel.notes.forEach((note, i) => {
      const value = u.data[series][i];
      if (note == null || value == null) return;
      const x = u.valToPos(u.data[0][i], "x", true);
      const y = u.valToPos(Math.min(scale.max, Math.max(scale.min, value)), u.series[series].scale, true);
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
      if (taken.some((other) => Math.abs(other[0] - x) < room && Math.abs(other[1] - y) < room)) return;
      taken.push([x, y]);
      ctx.fillText(note.split(" ")[0], x, y - 5 * uPlot.pxRatio);
    });
    ctx.restore();
    figure.dataset.notes = taken.length;
  };

  // The whole note beside its point; in the legend it would make the chart move.
  const showNote = (u, note, series) => {
    let box = u.over.querySelector(".note");
    if (!note) {
      box?.remove();
      return;
    }
    if (!box) {
      box = document.createElement("div");
      box.className = "note";
      u.over.append(box);
    }
    box.textContent = note;
    const x = u.valToPos(u.data[0][u.cursor.idx], "x");
    const y = u.valToPos(u.data[series][u.cursor.idx], u.series[series].scale);
    const left = x < u.over.clientWidth / 2 ? x + 10 : x - 10 - box.offsetWidth;
    box.style.left = `${Math.max(0, Math.min(left, u.over.clientWidth - box.offsetWidth))}px`;
    box.style.top = `${Math.max(0, Math.min(y + 8, u.over.clientHeight - box.offsetHeight))}px`;
  };

  const legendOf = (figure, form, drawn) => {
    const heading = figure.querySelector("h4");
    const unit = document.createElement("small");
    unit.textContent = form.note ? `${form.unit}, ${form.note}` : form.unit;
    heading.append(" ", unit);
    const legend = document.createElement("div");
    legend.className = "legend";
    const outputs = drawn.map((one) => {
      const item = document.createElement("span");
      const mark = document.createElement("i");
      mark.className = one.form ?? "line";
      if (mark.className === "filled") mark.className = "line";
      mark.style.color = `var(${one.colour})`;
      const value = document.createElement("output");
      value.setAttribute("aria-live", "off");
      item.append(mark, one.right ? `${one.label} (${form.rightUnit}, right)` : one.label, value);
      legend.append(item);
      return value;
    });
    figure.querySelector("figcaption").append(legend);
    return outputs;
  };

  // Makes a chart usable without a mouse: a tab stop, arrow keys, and the values at the cursor for a
  // screen reader when a key moved it, not when a mouse did.
  const reachable = (host, plot, values) => {
    host.tabIndex = 0;
    host.addEventListener("keydown", (event) => step(plot, event, values));
  };

  const draw = (figure, data, end) => {
    const armData = data.arms[figure.dataset.arm];
    const id = figure.dataset.panel;
    const panel = armData.panels[id];
    const host = figure.querySelector(".plot");
    if (!panel) return;
    const form = FORMS[id];
    const byId = Object.fromEntries(panel.series.map((one) => [one.id, one.values]));
    const ids = Object.keys(form.series).filter((one) => byId[one]);
    const drawn = ids.map((one) => form.series[one]);
    const outputs = legendOf(figure, form, drawn);
    const noted = ids.indexOf(form.noted) + 1;
    const left = scaleOf(data, id, false);
    const axis = {
      stroke: () => colour("--muted"),
      font: "11px system-ui, sans-serif",
      grid: { stroke: () => colour("--grid"), width: 1 },
      ticks: { show: false },
      gap: 4,
    };
    const compact = (u, splits) => splits.map((s) => (s == null ? "" : String(Number(s.toPrecision(6)))));
    const plot = new uPlot(
      {
        width: Math.max(host.clientWidth, 200),
        height: form.height,
        padding: [8, 0, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          sync: { key: "weir", scales: ["x", null] },
          drag: { x: true, y: false, setScale: false },
          bind: { dblclick: () => () => zoom(0, end) },
          points: { show: drawn.some((one) => ["dot", "diamond", "cross", "tick"].includes(one.form)) ? false : undefined, size: 6 },
        },
        scales: {
          x: { time: false, auto: false, range: (u, min, max) => [min ?? 0, max ?? end] },
          left: { auto: false, range: left, distr: form.log ? 3 : 1 },
          right: { auto: false, range: scaleOf(data, id, true) },
          tick: { auto: false, range: [0, 1] },
        },
        series: [{}, ...drawn.map(seriesOf)],
        axes: [
          { ...axis, size: 24, gap: 6, space: 60, values: (u, splits) => splits.map((s) => `${Number(s.toPrecision(6))} s`) },
          { ...axis, scale: "left", size: 46, space: 26, values: compact, ...(form.log ? { splits: decades } : {}) },
          { ...axis, scale: "right", side: 1, size: 42, space: 26, grid: { show: false }, values: form.rightUnit ? compact : () => [] },
        ],
        hooks: {
          drawClear: [shadeMerge(armData)],
          draw: id === "reopens" ? [nameMerge(armData), writeNotes(figure, panel, noted)] : [],
          setCursor: [
            (u) => outputs.forEach((out, i) => {
              out.textContent = u.cursor.idx == null ? "" : text(u.data[i + 1][u.cursor.idx]);
            }),
            (u) => showNote(u, panel.notes?.[u.cursor.idx], noted),
          ],
          setSelect: [
            (u) => {
              if (u.select.width > 4) {
                zoom(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
              }
              u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            },
          ],
        },
      },
      [panel.x, ...ids.map((one) => byId[one])],
      host,
    );
    plot.setScale("x", { min: 0, max: end });
    plots.push(plot);
    reachable(host, plot, () =>
      drawn.map((one, i) => [one.label, outputs[i].textContent, one.right ? form.rightUnit : form.unit]));
    new ResizeObserver(() => {
      if (host.clientWidth > 0 && host.clientWidth !== plot.width) {
        plot.setSize({ width: host.clientWidth, height: form.height });
        measure(figure, plot);
      }
    }).observe(host);
    figure.dataset.points = plot.data
      .slice(1)
      .reduce((sum, column) => sum + column.filter((value) => value != null).length, 0);
    figure.dataset.series = ids.join(" ");
    figure.dataset.colours = drawn.map((one) => colour(one.colour)).join(" ");
    figure.dataset.drawn = "true";
    figure.plot = plot;
  };

  // The place of the plot area on the page, in CSS pixels.
  const measure = (figure, plot) => {
    const box = plot.over.getBoundingClientRect();
    figure.dataset.plot = [box.left + scrollX, box.top + scrollY, box.width, box.height]
      .map(Math.round)
      .join(" ");
  };

  const zoom = (min, max) =>
    plots.filter((plot) => !plot.overlaid).forEach((plot) => plot.setScale("x", { min, max }));

  const step = (plot, event, values) => {
    if (event.key === "Escape") {
      plot.cursor.bind.dblclick(plot)();
      return;
    }
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const x = plot.data[0];
    const index = Math.min(x.length - 1, Math.max(0, (plot.cursor.idx ?? (by > 0 ? -1 : x.length)) + by));
    plot.setCursor({ left: plot.valToPos(x[index], "x"), top: 1 }, true, true);
    const shown = values().filter((value) => value[1]).map((value) => value.join(" "));
    document.getElementById("moment").textContent = `${text(x[index])} s: ${shown.join(", ")}`;
  };

  const setTheme = (theme) => {
    root.dataset.theme = theme;
    document.getElementById("theme").textContent = theme === "dark" ? "Light theme" : "Dark theme";
    colours = {};
    plots.forEach((plot) => plot.redraw());
  };

  const start = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const button = document.getElementById("theme");
    const preferred = () => (dark.matches ? "dark" : "light");
    setTheme(preferred());
    button.hidden = false;
    button.addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
    dark.addEventListener("change", () => setTheme(preferred()));
    // Paper is light and has its own column width: a wider chart would shrink its letters.
    let before;
    const resize = (width) =>
      plots.forEach((plot) =>
        plot.setSize({ width: width ?? (plot.root.parentNode.clientWidth || plot.width), height: plot.height }));
    addEventListener("beforeprint", () => { before = root.dataset.theme; setTheme("light"); resize(PAPER_PIXELS); });
    addEventListener("afterprint", () => { setTheme(before); resize(); });

    const data = JSON.parse(document.getElementById("data").textContent);
    const end = endOf(data);
    const figures = [...document.querySelectorAll("figure[data-panel]")];
    figures.forEach((figure) => draw(figure, data, end));
    // uPlot lays out and paints in a microtask; a timer comes after it.
    setTimeout(() => {
      figures.forEach((figure) => figure.plot && measure(figure, figure.plot));
      root.dataset.report ??= "drawn";
    }, 0);
  };

  const fail = (what) => { root.dataset.report = "failed: " + what; };
  addEventListener("error", (event) => {
    // Not an error: the observer reports the size the next time.
    if (!event.message?.startsWith("ResizeObserver loop")) fail(event.message);
  });
  try {
    start();
  } catch (error) {
    fail(error.stack ?? error);
    throw error;
  }
  return { FORMS, plots, colour, alpha, text, scaleOf, decades, endOf, measure, reachable };
})();
