"use strict";
// Draws the line charts in the element #data. Then <html> has data-report="drawn", or the error, and
// each figure has data-points, the number of values that it shows: for tests.
(() => {
  const root = document.documentElement;
  const probe = document.getElementById("theme");
  const plots = [];

  // The browser resolves light-dark() only where a property uses it.
  const colour = (name) => {
    probe.style.color = `var(${name})`;
    const found = getComputedStyle(probe).color;
    probe.style.color = "";
    return found;
  };

  const text = (value) => {
    if (value == null) return "-";
    const size = Math.abs(value);
    if (size > 0 && size < 0.0995) return value.toPrecision(3);
    return value.toFixed(size >= 999.5 || value === 0 ? 0 : size >= 9.995 ? 1 : 2);
  };

  // Spans behind the lines, such as a steady part.
  const drawBands = (u, chart) => {
    for (const band of chart.bands) {
      const left = u.valToPos(Math.max(band.from, u.scales.x.min), "x", true);
      const right = u.valToPos(Math.min(band.to, u.scales.x.max), "x", true);
      if (right <= left) continue;
      u.ctx.fillStyle = colour("--band");
      u.ctx.fillRect(left, u.bbox.top, right - left, u.bbox.height);
    }
  };

  // Moments that have a name: a line, and the name along it.
  const drawMarks = (u, chart) => {
    const ctx = u.ctx;
    const ratio = devicePixelRatio;
    for (const mark of chart.marks) {
      if (mark.x < u.scales.x.min || mark.x > u.scales.x.max) continue;
      const x = u.valToPos(mark.x, "x", true);
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = colour(mark.colour);
      ctx.lineWidth = (mark.strong ? 2 : 1) * ratio;
      ctx.setLineDash(mark.strong ? [] : [4 * ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
      ctx.stroke();
      ctx.font = `${11 * ratio}px sans-serif`;
      ctx.translate(x + (mark.strong ? 12 : -3) * ratio, u.bbox.top + 4 * ratio);
      ctx.rotate(-Math.PI / 2);
      ctx.textAlign = "right";
      ctx.fillText(mark.label, 0, 0);
      ctx.restore();
    }
  };

  const seriesOf = (one) => ({
    label: one.label,
    stroke: () => colour(one.colour),
    width: one.form === "dashed" ? 1.5 : 1.6,
    dash: one.form === "dashed" ? [6, 4] : undefined,
    points: { show: one.form === "both", size: 7, fill: () => colour(one.colour) },
    spanGaps: one.form === "both",
    value: (u, value) => text(value),
  });

  // Days as ISO writes them, with the hour where days are far apart on the screen.
  const days = (u, splits, index, space, increment) =>
    splits.map((seconds) => new Date(seconds * 1000).toISOString().slice(5, increment < 86400 ? 16 : 10).replace("T", " "));

  const draw = (figure, chart) => {
    const host = figure.querySelector(".plot");
    const axis = { stroke: () => colour("--muted"), grid: { stroke: () => colour("--grid") } };
    const plot = new uPlot(
      {
        width: host.clientWidth,
        height: chart.height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
        scales: {
          x: { time: chart.time },
          y: { range: (u, low, high) => [0, Math.max(high, 1e-9) * 1.08] },
          right: { range: (u, low, high) => [0, Math.max(high, 1e-9) * 1.08] },
        },
        axes: [
          { ...axis, ...(chart.time ? { values: days, space: 70 } : {}) },
          { ...axis, label: chart.unit, size: 62, values: (u, all) => all.map(text) },
          ...(chart.series.some((one) => one.right)
            ? [{ ...axis, scale: "right", side: 1, label: chart.rightUnit, size: 62, grid: { show: false }, values: (u, all) => all.map(text) }]
            : []),
        ],
        series: [
          { label: chart.time ? "run" : "s", value: chart.time ? "{YYYY}-{MM}-{DD} {HH}:{mm}" : (u, value) => text(value) },
          ...chart.series.map((one) => ({ ...seriesOf(one), scale: one.right ? "right" : "y" })),
        ],
        hooks: { drawClear: [(u) => drawBands(u, chart)], draw: [(u) => drawMarks(u, chart)] },
      },
      [chart.x, ...chart.series.map((one) => one.values)],
      host,
    );
    plots.push(plot);
    const shown = [...chart.x, ...(chart.time ? chart.marks.map((mark) => mark.x) : [])];
    if (shown.length > 1) plot.setScale("x", { min: Math.min(...shown), max: Math.max(...shown) });
    new ResizeObserver(() => {
      if (host.clientWidth > 0 && host.clientWidth !== plot.width) {
        plot.setSize({ width: host.clientWidth, height: chart.height });
      }
    }).observe(host);
    figure.dataset.points = chart.series
      .reduce((sum, one) => sum + one.values.filter((value) => value != null).length, 0);
    figure.dataset.marks = chart.marks.length;
  };

  const setTheme = (theme) => {
    root.dataset.theme = theme;
    probe.textContent = theme === "dark" ? "Light theme" : "Dark theme";
    plots.forEach((plot) => plot.redraw());
  };

  try {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    setTheme(dark.matches ? "dark" : "light");
    probe.hidden = false;
    probe.addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
    dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
    const data = JSON.parse(document.getElementById("data").textContent);
    document.querySelectorAll("figure[data-chart]").forEach((figure) =>
      draw(figure, data.charts[Number(figure.dataset.chart)]));
    root.dataset.report = "drawn";
  } catch (error) {
    root.dataset.report = "failed: " + (error.stack ?? error);
    throw error;
  }
})();
