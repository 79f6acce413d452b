
// The other layout of the arms: those of a round overlaid in one chart, aligned at the start of the
// merge. The choice is not stored.
(() => {
  const { FORMS, plots, colour, text, scaleOf, decades, endOf, measure, reachable } = weirCharts;
  const choice = document.getElementById("layout");
  if (!choice) return;
  const data = JSON.parse(document.getElementById("data").textContent);

  // The series of each chart by which arms are compared: at each moment the first with a value.
  const SERIES = {
    reopens: ["latency", "slow", "failed"], searches: ["slowest"], dirty: ["dirty"], merge: ["rate"],
  };
  const SPACE_PIXELS = 70;

  const valuesOf = (panel, id) => {
    const columns = SERIES[id]
      .map((name) => panel.series.find((one) => one.id === name)?.values)
      .filter((values) => values);
    return panel.x.map((x, i) => columns.map((values) => values[i]).find((value) => value != null) ?? null);
  };

  // Relative to the start of the merge. A null, where nothing was measured, is a gap in a line.
  const tableOf = (arm, id) => {
    const panel = arm.panels[id];
    const table = [[], []];
    valuesOf(panel, id).forEach((value, i) => {
      if (id !== "reopens" || value != null) {
        table[0].push(panel.x[i] - arm.merge[0]);
        table[1].push(value);
      }
    });
    return table;
  };

  const rangeOfX = () => {
    const end = endOf(data);
    let [min, max] = [0, 1];
    for (const figure of document.querySelectorAll("figure[data-overlay]")) {
      for (const index of indexesOf(figure)) {
        const [from, to] = data.arms[index].merge;
        min = Math.min(min, -from);
        const last = Math.max(...Object.values(data.arms[index].panels).map((panel) => panel.x.at(-1)));
        max = Math.max(max, Math.min(end, Math.max(to, last)) - from);
      }
    }
    return [min, max];
  };

  const indexesOf = (figure) => figure.dataset.arms.split(" ").filter((part) => part).map(Number);

  // The shape of each arm: at every point of a point series, now and then on a line.
  const drawMarks = (arms, everywhere) => (u) => {
    const ctx = u.ctx;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    arms.forEach((arm, i) => {
      const scale = u.scales.left;
      const size = uPlot.pxRatio * (everywhere ? 0.55 : 0.9);
      const space = everywhere ? 0 : SPACE_PIXELS * uPlot.pxRatio;
      let next = u.bbox.left + (space * (i + 0.5)) / arms.length;
      u.data[i + 1].forEach((value, at) => {
        if (value == null) return;
        const x = u.valToPos(u.data[0][at], "x", true);
        if (!everywhere && x < next) return;
        next = Math.max(next, x - space) + space;
        const y = u.valToPos(Math.min(scale.max, Math.max(scale.min, value)), "left", true);
        ctx.globalAlpha = everywhere ? 0.75 : 1;
        ctx.setTransform(size, 0, 0, size, x, y);
        ctx.fillStyle = ctx.strokeStyle = colour(arm.colour);
        if (arm.hollow) {
          ctx.lineWidth = 1.5;
          ctx.stroke(arm.shape);
        } else {
          ctx.fill(arm.shape);
        }
      });
    });
    ctx.restore();
  };

  // The start of the merges, and a bar for each until its end.
  const drawMerges = (arms) => (u) => {
    const ctx = u.ctx;
    const zero = u.valToPos(0, "x", true);
    const pixel = uPlot.pxRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    ctx.fillStyle = colour("--band-ink");
    ctx.fillRect(zero, u.bbox.top, pixel, u.bbox.height);
    arms.forEach((arm, i) => {
      ctx.fillStyle = colour(arm.colour);
      const end = u.valToPos(arm.merge[1] - arm.merge[0], "x", true);
      ctx.fillRect(zero, u.bbox.top + (1 + 5 * i) * pixel, end - zero, 3 * pixel);
    });
    ctx.restore();
  };

  const armsOf = (figure) => {
    const items = [...figure.querySelectorAll(".key li")];
    return indexesOf(figure).map((index, i) => ({
      ...data.arms[index],
      colour: "--" + items[i].classList[0],
      hollow: items[i].classList.contains("hollow"),
      shape: new Path2D(items[i].querySelector("path").getAttribute("d")),
      name: items[i].textContent,
      output: items[i].querySelector("output"),
    }));
  };

  const draw = (figure, rangeX) => {
    const id = figure.dataset.overlay;
    const host = figure.querySelector(".plot");
    if (!host) return;
    const form = FORMS[id];
    const arms = armsOf(figure);
    const points = id === "reopens";
    const unit = form.series[SERIES[id][0]].right ? form.rightUnit : form.unit;
    const small = document.createElement("small");
    small.textContent = form.note ? `${unit}, ${form.note}` : unit;
    figure.querySelector("h4").append(" ", small);
    arms.forEach((arm) => arm.output.setAttribute("aria-live", "off"));
    const axis = {
      stroke: () => colour("--muted"),
      font: "11px system-ui, sans-serif",
      grid: { stroke: () => colour("--grid"), width: 1 },
      ticks: { show: false },
    };
    const show = (u) => arms.forEach((arm, i) => {
      const at = u.cursor.idxs?.[i + 1];
      arm.output.textContent = at == null ? "" : text(u.data[i + 1][at]);
    });
    const home = (u) => u.setScale("x", { min: rangeX[0], max: rangeX[1] });
    const plot = new uPlot(
      {
        width: Math.max(host.clientWidth, 200),
        height: 230,
        padding: [8, 14, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          sync: { key: "weir-overlaid", scales: ["x", null] },
          drag: { x: true, y: false },
          bind: { dblclick: (u) => () => home(u) },
          // Arms have points at different moments: take the nearest of each.
          dataIdx: (u, series, index) => {
            const column = u.data[series];
            for (let by = 0; by < column.length; by++) {
              if (column[index - by] != null) return index - by;
              if (column[index + by] != null) return index + by;
            }
            return index;
          },
          points: { show: false },
        },
        scales: {
          x: { time: false, auto: false, range: (u, min, max) => [min ?? rangeX[0], max ?? rangeX[1]] },
          left: { auto: false, range: scaleOf(data, id, !!form.series[SERIES[id][0]].right), distr: form.log ? 3 : 1 },
        },
        series: [{}, ...arms.map((arm) => ({
          label: arm.name,
          scale: "left",
          stroke: () => colour(arm.colour),
          width: 1.5,
          points: { show: false },
          ...(points ? { paths: () => null } : {}),
        }))],
        axes: [
          { ...axis, size: 24, gap: 6, space: 60, values: (u, splits) => splits.map((s) => `${Number(s.toPrecision(6))} s`) },
          {
            ...axis, scale: "left", size: 46, space: 26, gap: 4,
            values: (u, splits) => splits.map((s) => (s == null ? "" : String(Number(s.toPrecision(6))))),
            ...(form.log ? { splits: decades } : {}),
          },
        ],
        hooks: { draw: [drawMarks(arms, points), drawMerges(arms)], setCursor: [show] },
      },
      uPlot.join(arms.map((arm) => tableOf(arm, id))),
      host,
    );
    plot.overlaid = true;
    home(plot);
    plots.push(plot);
    reachable(host, plot, () => arms.map((arm) => [arm.name, arm.output.textContent, unit]));
    new ResizeObserver(() => {
      if (host.clientWidth > 0 && host.clientWidth !== plot.width) {
        plot.setSize({ width: host.clientWidth, height: plot.height });
        measure(figure, plot);
      }
    }).observe(host);
    figure.dataset.points = plot.data.slice(1)
      .reduce((sum, column) => sum + column.filter((value) => value != null).length, 0);
    figure.dataset.colours = arms.map((arm) => colour(arm.colour)).join(" ");
    figure.plot = plot;
    setTimeout(() => {
      measure(figure, plot);
      figure.dataset.drawn = "true";
    }, 0);
  };

  let drawn = false;
  const show = () => {
    const over = choice.querySelector("input:checked").value === "over";
    document.getElementById("beside").hidden = over;
    document.getElementById("over").hidden = !over;
    if (over && !drawn) {
      drawn = true;
      const rangeX = rangeOfX();
      document.querySelectorAll("figure[data-overlay]").forEach((figure) => draw(figure, rangeX));
    }
  };
  choice.hidden = false;
  choice.addEventListener("change", show);
  show();
})();
