"use strict";
// Draws the charts in the element #data, each in the figure that names it. Then <html> has
// data-report="drawn", or the error, and every figure has attributes that say what it drew: for
// tests, and for the developer tools.
(() => {
  const root = document.documentElement;
  const plots = [];
  // Half of an A4 or Letter sheet.
  const PAPER_PIXELS = 330;
  // How far apart the shapes on a line are.
  const SPACE_PIXELS = 70;
  const POINTS = ["dot", "square", "cross", "tick", "shape"];

  let colours = {};
  const probe = document.getElementById("theme");
  // The browser resolves light-dark() only where a property uses it.
  const colour = (name) => {
    if (!colours[name]) {
      probe.style.color = `var(--${name})`;
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
    if (size > 0 && size < 0.0995) return value.toPrecision(3);
    return value.toFixed(size >= 99.95 || value === 0 ? 0 : size >= 9.995 ? 1 : 2);
  };
  const compact = (u, splits) => splits.map((s) => (s == null ? "" : String(Number(s.toPrecision(6)))));

  // Days as ISO writes them, with the hour where they are far apart on the screen.
  const day = (seconds, length) => new Date(seconds * 1000).toISOString().slice(0, length).replace("T", " ");
  const days = (u, splits, index, space, increment) =>
    splits.map((seconds) => day(seconds, increment < 86400 ? 16 : 10).slice(5));
  const moment = (chart, x) => (chart.x.days ? day(x, 16) : `${text(x)} ${chart.x.unit}`);

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

  // A path of strokes, and one to be filled, from what `add` does at each point.
  const paths = (add) => (u, series, from, to) => {
    const [stroke, fill] = [new Path2D(), new Path2D()];
    const ground = u.bbox.top + u.bbox.height;
    eachPoint(u, series, from, to, (x, y) => add(stroke, fill, x, y, ground, uPlot.pxRatio));
    return { stroke, fill };
  };
  const stem = (stroke, x, y, ground) => {
    stroke.moveTo(x, ground);
    stroke.lineTo(x, y);
  };

  const dots = paths((stroke, fill, x, y, ground, pixel) => {
    stem(stroke, x, y, ground);
    fill.moveTo(x + 1.8 * pixel, y);
    fill.arc(x, y, 1.8 * pixel, 0, 2 * Math.PI);
  });
  const squares = paths((stroke, fill, x, y, ground, pixel) => {
    const half = 3 * pixel;
    stem(stroke, x, y, ground);
    fill.rect(x - half, y - half, 2 * half, 2 * half);
  });
  const crosses = paths((stroke, fill, x, y, ground, pixel) => {
    const arm = 4 * pixel;
    stroke.moveTo(x - arm, y - arm);
    stroke.lineTo(x + arm, y + arm);
    stroke.moveTo(x - arm, y + arm);
    stroke.lineTo(x + arm, y - arm);
  });
  const ticks = paths((stroke, fill, x, y, ground, pixel) => stem(stroke, x, ground - 9 * pixel, ground));

  const seriesOf = (series) => {
    const one = {
      label: series.label,
      scale: series.form === "tick" ? "tick" : series.right ? "right" : "left",
      stroke: () => colour(series.colour),
      width: 1.5,
      points: { show: false },
    };
    const faint = { width: 1, stroke: () => alpha(series.colour, "2b"), fill: () => colour(series.colour) };
    switch (series.form) {
      case "dot":
        return { ...one, ...faint, paths: dots };
      case "square":
        return { ...one, ...faint, paths: squares };
      case "cross":
        return { ...one, paths: crosses, width: 2 };
      case "tick":
        return { ...one, paths: ticks };
      case "shape":
        return { ...one, paths: () => null };
      case "dashed":
        return { ...one, dash: [6, 4] };
      case "filled":
        return { ...one, fill: () => alpha(series.colour, "2e") };
      case "area":
        return { ...one, width: 1, fill: () => alpha(series.colour, "2e") };
      case "both":
        return { ...one, spanGaps: true, points: { show: true, size: 7, fill: () => colour(series.colour) } };
      default:
        return one;
    }
  };

  // Draws inside the plot alone.
  const clipped = (draw) => (u) => {
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    u.ctx.clip();
    draw(u, u.ctx, uPlot.pxRatio);
    u.ctx.restore();
  };

  // Spans behind the lines, such as the merge, with their names where there is room.
  const shadeBands = (chart) => clipped((u, ctx, pixel) => {
    for (const band of chart.bands.filter((one) => !one.colour)) {
      const left = u.valToPos(band.from, "x", true);
      ctx.fillStyle = colour("band");
      ctx.fillRect(left, u.bbox.top, u.valToPos(band.to, "x", true) - left, u.bbox.height);
    }
  });
  const nameBands = (chart) => clipped((u, ctx, pixel) => {
    ctx.font = `${11 * pixel}px system-ui, sans-serif`;
    ctx.fillStyle = colour("band-ink");
    ctx.textBaseline = "top";
    ctx.textAlign = "left";
    const inset = 6 * pixel;
    for (const band of chart.bands) {
      const left = Math.max(u.bbox.left, u.valToPos(band.from, "x", true));
      const room = u.bbox.left + u.bbox.width - left;
      const seen = u.valToPos(band.to, "x", true) > left;
      if (band.label && seen && ctx.measureText(band.label).width + 2 * inset < room) {
        ctx.fillText(band.label, left + inset, u.bbox.top + inset);
      }
    }
  });

  // A thin bar at the top for each span that has a colour.
  const drawBars = (chart) => clipped((u, ctx, pixel) => {
    chart.bands.filter((band) => band.colour).forEach((band, i) => {
      const left = u.valToPos(band.from, "x", true);
      ctx.fillStyle = colour(band.colour);
      ctx.fillRect(left, u.bbox.top + (1 + 5 * i) * pixel, u.valToPos(band.to, "x", true) - left, 3 * pixel);
    });
  });

  // Moments: a line, and its name along it.
  const drawMarks = (chart) => clipped((u, ctx, pixel) => {
    for (const mark of chart.marks) {
      const x = u.valToPos(mark.at, "x", true);
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = colour(mark.colour);
      ctx.lineWidth = (mark.strong && mark.label ? 2 : 1) * pixel;
      ctx.setLineDash(mark.strong ? [] : [4 * pixel, 3 * pixel]);
      ctx.beginPath();
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
      ctx.stroke();
      ctx.font = `${11 * pixel}px system-ui, sans-serif`;
      ctx.translate(x + (mark.strong ? 12 : -3) * pixel, u.bbox.top + 4 * pixel);
      ctx.rotate(-Math.PI / 2);
      ctx.textAlign = "right";
      ctx.fillText(mark.label, 0, 0);
      ctx.restore();
    }
  });

  // The shapes of series: at every point of a point series, now and then on a line.
  const drawShapes = (drawn) => clipped((u, ctx, pixel) => {
    drawn.forEach((series, i) => {
      if (!series.shape) return;
      const everywhere = series.form === "shape";
      const shape = new Path2D(series.shape);
      const size = pixel * (everywhere ? 0.55 : 0.9);
      const space = everywhere ? 0 : SPACE_PIXELS * pixel;
      let next = u.bbox.left + (space * (i + 0.5)) / drawn.length;
      eachPoint(u, i + 1, 0, u.data[0].length - 1, (x, y) => {
        if (!everywhere && x < next) return;
        next = Math.max(next, x - space) + space;
        ctx.globalAlpha = everywhere ? 0.75 : 1;
        ctx.setTransform(size, 0, 0, size, x, y);
        ctx.fillStyle = ctx.strokeStyle = colour(series.colour);
        ctx.lineWidth = 1.5;
        if (series.hollow) ctx.stroke(shape);
        else ctx.fill(shape);
      });
    });
  });

  // The notes of a series by its places in the joined data.
  const notesOf = (u, series) => {
    const byX = new Map(series.notes.map((note, i) => [series.x[i], note]));
    return u.data[0].map((x) => byX.get(x));
  };

  // What a note has in brief over its point where there is room: neither the colour nor the shape
  // distinguishes causes.
  const writeNotes = (figure, drawn) => (u) => {
    const ctx = u.ctx;
    const taken = [];
    const room = 9 * uPlot.pxRatio;
    ctx.save();
    ctx.font = `600 ${10 * uPlot.pxRatio}px system-ui, sans-serif`;
    ctx.fillStyle = colour("ink");
    ctx.textAlign = "center";
    ctx.textBaseline = "bottom";
    drawn.forEach((series, at) => {
      if (!series.notes) return;
      const scale = u.scales[u.series[at + 1].scale];
      series.notes.forEach(([brief], i) => {
        const x = u.valToPos(series.x[i], "x", true);
        const y = u.valToPos(Math.min(scale.max, Math.max(scale.min, series.y[i])), u.series[at + 1].scale, true);
        if (!brief || x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
        if (taken.some((other) => Math.abs(other[0] - x) < room && Math.abs(other[1] - y) < room)) return;
        taken.push([x, y]);
        ctx.fillText(brief, x, y - 5 * uPlot.pxRatio);
      });
    });
    ctx.restore();
    if (taken.length > 0) figure.dataset.notes = taken.length;
  };

  // The whole note beside its point; in the legend it would make the chart move.
  const showNote = (u, drawn) => {
    const index = u.cursor.idx;
    const at = drawn.findIndex((series, i) => series.noted?.[index] && u.data[i + 1][index] != null);
    let box = u.over.querySelector(".note");
    if (index == null || at < 0) {
      box?.remove();
      return;
    }
    if (!box) {
      box = document.createElement("div");
      box.className = "note";
      u.over.append(box);
    }
    box.textContent = drawn[at].noted[index][1];
    const x = u.valToPos(u.data[0][index], "x");
    const y = u.valToPos(u.data[at + 1][index], u.series[at + 1].scale);
    const left = x < u.over.clientWidth / 2 ? x + 10 : x - 10 - box.offsetWidth;
    box.style.left = `${Math.max(0, Math.min(left, u.over.clientWidth - box.offsetWidth))}px`;
    box.style.top = `${Math.max(0, Math.min(y + 8, u.over.clientHeight - box.offsetHeight))}px`;
  };

  // Series may have points at different moments: the nearest of each is at the cursor.
  const nearest = (u, series, index) => {
    const column = u.data[series];
    for (let by = 0; by < column.length; by++) {
      if (column[index - by] != null) return index - by;
      if (column[index + by] != null) return index + by;
    }
    return index;
  };

  const draw = (figure, chart, group) => {
    const host = figure.querySelector(".plot");
    const drawn = chart.series;
    const outputs = [...figure.querySelectorAll(".key output")];
    outputs.forEach((out) => out.setAttribute("aria-live", "off"));
    const shaped = drawn.some((series) => series.shape);
    const home = (u) => u.setScale("x", { min: chart.x.low, max: chart.x.high });
    const axis = {
      stroke: () => colour("muted"),
      font: "11px system-ui, sans-serif",
      grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { show: false },
    };
    const side = (scale, of) => ({
      ...axis, scale, gap: 4, space: 26, values: compact, ...(of.log ? { splits: () => of.ticks } : {}),
    });
    const range = (of) => ({ auto: false, range: [of.low, of.high], distr: of.log ? 3 : 1 });
    const show = (u) => outputs.forEach((out, i) => {
      const at = shaped ? u.cursor.idxs?.[i + 1] : u.cursor.idx;
      out.textContent = at == null || u.cursor.idx == null ? "" : text(u.data[i + 1][at]);
    });
    const plot = new uPlot(
      {
        width: Math.max(host.clientWidth, 200),
        height: chart.height,
        padding: [8, chart.right ? 0 : 14, 0, 0],
        legend: { show: false },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
        cursor: {
          y: false,
          sync: { key: group, scales: ["x", null] },
          drag: { x: true, y: false, setScale: false },
          bind: { dblclick: () => () => plots.filter((one) => one.group === group).forEach((one) => one.home()) },
          points: { show: shaped || drawn.some((one) => POINTS.includes(one.form)) ? false : undefined, size: 6 },
          ...(shaped ? { dataIdx: nearest } : {}),
        },
        scales: {
          x: {
            time: chart.x.days, auto: false,
            range: (u, min, max) => [min ?? chart.x.low, max ?? chart.x.high],
          },
          left: range(chart.left),
          ...(chart.right ? { right: range(chart.right) } : {}),
          tick: { auto: false, range: [0, 1] },
        },
        series: [{}, ...drawn.map(seriesOf)],
        axes: [
          {
            ...axis, size: 24, gap: 6, space: chart.x.days ? 70 : 60,
            values: chart.x.days ? days : (u, splits) => compact(u, splits).map((s) => `${s} ${chart.x.unit}`),
          },
          { ...side("left", chart.left), size: 46 },
          ...(chart.right ? [{ ...side("right", chart.right), side: 1, size: 42, grid: { show: false } }] : []),
        ],
        hooks: {
          drawClear: [shadeBands(chart)],
          draw: [nameBands(chart), drawShapes(drawn), drawBars(chart), drawMarks(chart), writeNotes(figure, drawn)],
          setCursor: [show, (u) => showNote(u, drawn)],
          setSelect: [
            (u) => {
              if (u.select.width > 4) {
                const [min, max] = [0, u.select.width].map((by) => u.posToVal(u.select.left + by, "x"));
                plots.filter((one) => one.group === group).forEach((one) => one.setScale("x", { min, max }));
              }
              u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            },
          ],
        },
      },
      drawn.every((one) => one.x === drawn[0].x)
        ? [drawn[0].x, ...drawn.map((one) => one.y)]
        : uPlot.join(drawn.map((one) => [one.x, one.y])),
      host,
    );
    plot.group = group;
    plot.home = () => home(plot);
    drawn.filter((series) => series.notes).forEach((series) => { series.noted = notesOf(plot, series); });
    home(plot);
    plots.push(plot);
    // Usable without a mouse: a tab stop, arrow keys, and the values at the cursor for a screen
    // reader when a key moved it, not when a mouse did.
    host.tabIndex = 0;
    host.addEventListener("keydown", (event) => step(plot, chart, event, () =>
      drawn.map((one, i) => [one.label, outputs[i].textContent, one.unit])));
    new ResizeObserver(() => {
      if (host.clientWidth > 0 && host.clientWidth !== plot.width) {
        plot.setSize({ width: host.clientWidth, height: chart.height });
        measure(figure, plot);
      }
    }).observe(host);
    figure.dataset.points = drawn.reduce((sum, one) => sum + one.y.filter((value) => value != null).length, 0);
    figure.dataset.series = drawn.map((one) => one.id).join(" ");
    figure.dataset.marks = chart.marks.length;
    figure.dataset.colours = drawn.map((one) => colour(one.colour)).join(" ");
    figure.plot = plot;
    // uPlot lays out and paints in a microtask; a timer comes after it.
    setTimeout(() => {
      measure(figure, plot);
      figure.dataset.drawn = "true";
    }, 0);
  };

  // The place of the plot area on the page, in CSS pixels.
  const measure = (figure, plot) => {
    const box = plot.over.getBoundingClientRect();
    figure.dataset.plot = [box.left + scrollX, box.top + scrollY, box.width, box.height]
      .map(Math.round)
      .join(" ");
  };

  const step = (plot, chart, event, values) => {
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
    const shown = values().filter((value) => value[1]).map((value) => value.join(" ").trim());
    document.getElementById("moment").textContent = `${moment(chart, x[index])}: ${shown.join(", ")}`;
  };

  const setTheme = (theme) => {
    root.dataset.theme = theme;
    probe.textContent = theme === "dark" ? "Light theme" : "Dark theme";
    colours = {};
    plots.forEach((plot) => plot.redraw());
  };

  const themes = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const preferred = () => (dark.matches ? "dark" : "light");
    setTheme(preferred());
    probe.hidden = false;
    probe.addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
    dark.addEventListener("change", () => setTheme(preferred()));
    // Paper is light and has its own column width: a wider chart would shrink its letters.
    let before;
    const resize = (width) =>
      plots.forEach((plot) =>
        plot.setSize({ width: width ?? (plot.root.parentNode.clientWidth || plot.width), height: plot.height }));
    addEventListener("beforeprint", () => { before = root.dataset.theme; setTheme("light"); resize(PAPER_PIXELS); });
    addEventListener("afterprint", () => { setTheme(before); resize(); });
  };

  // Two layouts of the arms: beside each other, or overlaid in shared charts, which are drawn when
  // they are wanted. The choice is not stored.
  const layouts = (drawIn) => {
    const choice = document.getElementById("layout");
    if (!choice) return;
    const over = document.getElementById("over");
    const show = () => {
      const wanted = choice.querySelector("input:checked").value === "over";
      document.getElementById("beside").hidden = wanted;
      over.hidden = !wanted;
      if (wanted) drawIn(over, "over");
    };
    choice.hidden = false;
    choice.addEventListener("change", show);
    show();
  };

  const start = () => {
    themes();
    const data = JSON.parse(document.getElementById("data").textContent);
    for (const chart of data.charts) {
      for (const series of chart.series) series.x = chart.xs[series.xs];
    }
    const drawIn = (part, group) =>
      part.querySelectorAll("figure[data-chart]").forEach((figure) => {
        if (!figure.plot) draw(figure, data.charts[Number(figure.dataset.chart)], group);
      });
    drawIn(document.getElementById("beside") ?? document, "beside");
    layouts(drawIn);
    setTimeout(() => { root.dataset.report ??= "drawn"; }, 0);
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
})();
