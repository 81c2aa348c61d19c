"use strict";

// Plays one or two recordings on one clock: boards, transport, curves and numbers.

const VIEW = `
  <div class="view">
    <section class="stage" aria-label="Boards"></section>
    <section class="transport" aria-label="Playback">
      <div class="buttons">
        <button type="button" class="play primary">Play</button>
        <button type="button" class="first">First</button>
        <button type="button" class="back">Back</button>
        <button type="button" class="step">Step</button>
        <button type="button" class="end">End</button>
        <label class="speed">Speed <input type="range" min="0" max="100" value="50"><output></output></label>
      </div>
      <label class="position"><span class="hidden">Position</span><input type="range" min="0" max="0" value="0"><output></output></label>
      <div class="notes"><p class="now" aria-live="polite"></p><p class="under"></p></div>
    </section>
    <section class="charts" aria-label="Curves"></section>
  </div>`;

const READOUT = `
  <section class="readout" aria-label="Counts">
    <table>
      <thead><tr></tr></thead>
      <tbody></tbody>
    </table>
    <ul class="legend">
      <li><i class="open"></i>open</li>
      <li><i class="closed"></i>closed</li>
      <li class="both"><i class="open-back"></i>open, from the goal</li>
      <li class="both"><i class="closed-back"></i>closed, from the goal</li>
      <li class="bound"><i></i>lower bound</li>
    </ul>
  </section>`;

const ROWS = ["Expanded", "Generated", "Open", "Closed", "f = g + h", "Lower bound", "Best path", "Proven factor", "Time in all, ms"];

class Player {
  // The numbers go first into what is at the side of the root. `editor` may be told of keys and pointers on the boards
  // of grids, and `more` may offer more where a search was stopped.
  constructor(root, editor = null, more = null) {
    root.insertAdjacentHTML("afterbegin", VIEW);
    root.querySelector(".side").insertAdjacentHTML("afterbegin", READOUT);
    const find = (selector) => root.querySelector(selector);
    this.root = root;
    this.editor = editor;
    this.more = more;
    this.stage = find(".stage");
    this.charts = find(".charts");
    this.head = find(".readout thead tr");
    this.body = find(".readout tbody");
    this.playButton = find(".play");
    this.slider = find(".position input");
    this.clock = find(".position output");
    this.speed = find(".speed input");
    this.now = find(".now");
    this.under = find(".under");
    this.pointer = null;
    this.panels = [];
    this.position = 0;
    this.isPlaying = false;
    this.isWaiting = false;
    this.owed = 0;

    this.playButton.onclick = () => this.toggle();
    find(".first").onclick = () => this.go(0);
    find(".back").onclick = () => this.go(this.position - 1);
    find(".step").onclick = () => this.go(this.position + 1);
    find(".end").onclick = () => this.go(this.last);
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.speed.oninput = () => this.showSpeed();
    this.showSpeed();
    document.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  get last() {
    return Math.max(0, ...this.panels.map(({ recording }) => recording.steps + recording.film));
  }

  get isAtEnd() {
    return this.position >= this.last && this.last > 0;
  }

  // From 1 to 10,000 steps a second.
  get stepsPerSecond() {
    return Math.round(10 ** (Number(this.speed.value) / 25));
  }

  showSpeed() {
    const text = `${number(this.stepsPerSecond)}/s`;
    this.root.querySelector(".speed output").textContent = text;
    this.speed.setAttribute("aria-valuetext", `${number(this.stepsPerSecond)} steps a second`);
  }

  // Shows recordings, which may still grow: see `refresh`.
  load(recordings, { atEnd = false } = {}) {
    this.pause();
    if (this.panels.length !== recordings.length) this.build(recordings.length);
    this.panels.forEach((panel, at) => {
      panel.recording = recordings[at];
      panel.marks = new Marks(recordings[at]);
    });
    this.staysAtEnd = atEnd;
    this.position = 0;
    this.refresh();
  }

  build(count) {
    const had = this.stage.contains(document.activeElement);
    this.stage.replaceChildren();
    this.charts.replaceChildren();
    this.stage.dataset.count = count;
    this.charts.dataset.count = count;
    this.panels = Array.from({ length: count }, () => {
      const figure = document.createElement("figure");
      figure.innerHTML = `<figcaption><h2></h2><p class="outcome"></p><button type="button" class="link more" hidden></button></figcaption><div class="fit"><canvas class="board"></canvas></div>`;
      const chart = document.createElement("canvas");
      chart.className = "chart";
      chart.setAttribute("role", "img");
      const holder = document.createElement("div");
      holder.append(chart);
      this.stage.append(figure);
      this.charts.append(holder);
      const panel = {
        figure,
        title: figure.querySelector("h2"),
        outcome: figure.querySelector(".outcome"),
        more: figure.querySelector(".more"),
        board: figure.querySelector(".board"),
        chart,
      };
      panel.more.onclick = () => this.more.go();
      panel.board.addEventListener("pointermove", (event) => {
        const { left, top } = panel.board.getBoundingClientRect();
        this.pointer = { panel, x: event.clientX - left, y: event.clientY - top };
        this.draw();
      });
      panel.board.addEventListener("pointerleave", () => {
        this.pointer = null;
        this.draw();
      });
      this.editor?.attach(panel);
      return panel;
    });
    if (had) this.panels[0]?.board.focus();
  }

  // To be called when recordings have grown.
  refresh() {
    if (this.staysAtEnd) this.position = this.last;
    this.draw();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (this.isAtEnd) this.position = 0;
    this.staysAtEnd = false;
    this.isPlaying = true;
    this.owed = 1;
    let before = performance.now();
    const tick = (time) => {
      if (!this.isPlaying) return;
      this.owed += (Math.min(250, Math.max(0, time - before)) / 1000) * this.stepsPerSecond;
      before = time;
      const steps = Math.floor(this.owed);
      this.owed -= steps;
      if (steps > 0) {
        // What shows the path goes slower than the search.
        const film = Math.min(...this.panels.map(({ recording }) => recording.steps));
        const most = this.position >= film && this.panels.some(({ recording }) => recording.film > 0) ? this.filmSteps(time) : steps;
        this.position = Math.min(this.last, this.position + most);
        this.draw();
      }
      const isOver = this.panels.every(({ recording }) => recording.report || recording.isWhole);
      if (this.position >= this.last && isOver) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.draw();
  }

  // At most three frames of a film a second.
  filmSteps(time) {
    const others = Math.max(...this.panels.map(({ recording }) => (recording.film > 0 ? 0 : recording.steps)));
    if (this.position < others) return 1;
    if (time - (this.filmed ?? 0) < 330) return 0;
    this.filmed = time;
    return 1;
  }

  pause() {
    this.isPlaying = false;
    this.draw();
  }

  go(position) {
    this.staysAtEnd = false;
    this.isPlaying = false;
    this.position = Math.min(this.last, Math.max(0, position));
    this.draw();
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target.closest("textarea, select, input:not([type=range]):not([type=radio]):not([type=checkbox])")) return;
    const presses = target.closest("button, summary, a, input[type=checkbox], input[type=radio]");
    const slides = target.closest("input[type=range], input[type=radio]");
    const actions = {
      " ": () => this.toggle(),
      ".": () => this.go(this.position + 1),
      ",": () => this.go(this.position - 1),
      ArrowRight: () => this.go(this.position + 1),
      ArrowLeft: () => this.go(this.position - 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
    };
    const action = actions[event.key];
    if (!action || (event.key === " " && presses) || (event.key.length > 1 && slides)) return;
    event.preventDefault();
    action();
  }

  draw() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.drawNow();
    });
  }

  drawNow() {
    const { last, position } = this;
    this.playButton.textContent = this.isPlaying ? "Pause" : "Play";
    this.slider.max = last;
    this.slider.value = position;
    this.clock.textContent = `${number(position)} of ${number(last)}`;
    this.slider.setAttribute("aria-valuetext", this.clock.textContent);
    const extremes = this.panels.map(({ recording }) => recording.extremes);
    const most = {
      last: Math.max(...this.panels.map(({ recording }) => recording.steps)),
      leastF: Math.min(...extremes.map(({ leastF }) => leastF)),
      mostF: Math.max(...extremes.map(({ mostF }) => mostF)),
      mostStates: Math.max(...extremes.map(({ mostStates }) => mostStates)),
    };
    for (const panel of this.panels) this.drawPanel(panel, most);
    this.drawReadout();
    this.root.dataset.playing = this.isPlaying;
  }

  // The step of a panel, which may be at its end before the other.
  stepOf({ recording }) {
    return Math.min(this.position, recording.steps);
  }

  drawPanel(panel, most) {
    const { recording, marks, board } = panel;
    const step = this.stepOf(panel);
    const isOver = Boolean(recording.report || recording.isWhole);
    const isEnd = this.position >= recording.steps && isOver;
    marks.seek(recording.ends[step]);
    panel.title.textContent = recording.title;
    panel.outcome.textContent = outcome(recording);
    const next = recording.report && this.more ? this.more.next(recording.report) : null;
    panel.more.hidden = next === null;
    panel.more.textContent = `Allow ${next}`;
    panel.outcome.classList.toggle("fault", recording.fault !== null);
    const count = this.panels.length;
    const isNarrow = innerWidth < 700;
    const height = Math.max(220, innerHeight - 300) / (isNarrow && count > 1 ? 2 : 1);
    const frame = isEnd && recording.film > 0 ? Math.min(this.position - recording.steps, recording.film) - 1 : -1;
    const cursor = document.activeElement === board && this.editor ? this.editor.cursor : null;
    if (recording.kinds.length > 0 || recording.setup) {
      const options = { width: panel.figure.clientWidth, height, isEnd, frame, cursor };
      panel.layout = drawBoard(board, recording, marks, options);
    }
    if (!this.isPlaying) board.setAttribute("aria-label", this.describe(panel, step));
    drawChart(panel.chart, recording, step, { width: panel.chart.parentElement.clientWidth, ...most });
    const peak = (list) => number(Math.max(...list.slice(-1), list[Math.floor(list.length / 2)]));
    panel.chart.setAttribute(
      "aria-label",
      `${recording.title}: f is ${number(valueOf(recording, recording.f[step]))}, ${peak(recording.open)} states are open and ${peak(recording.closed)} closed at the end`,
    );
  }

  describe({ recording }, step) {
    if (!recording.isGrid) return `${recording.title}, step ${step}: ${recording.setup?.board ?? "states without coordinates"}`;
    const { columns, rows } = recording.size;
    return `${recording.title}: grid of ${columns} columns and ${rows} rows, ${number(recording.open[step])} cells open, ${number(recording.closed[step])} closed`;
  }

  buildReadout(count) {
    const cells = (tag) => Array.from({ length: count }, () => document.createElement(tag));
    this.head.replaceChildren(document.createElement("td"), ...cells("th"));
    this.body.replaceChildren(...ROWS.map((name) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.textContent = name;
      head.scope = "row";
      row.append(head, ...cells("td"));
      return row;
    }));
  }

  drawReadout() {
    const columns = this.panels.map((panel) => {
      const { recording } = panel;
      const step = this.stepOf(panel);
      const [bound, best] = [recording.bound[step], recording.best[step]];
      const factor = best !== null && best > 0 && bound > 0 ? (best / bound).toFixed(2) : "–";
      return [
        number(step),
        number(recording.generated[step]),
        number(recording.open[step]),
        number(recording.closed[step]),
        number(valueOf(recording, recording.f[step])),
        number(valueOf(recording, bound)),
        number(valueOf(recording, best)),
        best !== null && best <= bound ? "1" : factor,
        number(recording.report?.milliseconds),
      ];
    });
    const titles = this.panels.map(({ recording }) => recording.title);
    if (this.head.cells.length !== titles.length + 1) this.buildReadout(titles.length);
    // Only what is new, as each text has its place found anew.
    const show = (cell, text) => {
      if (cell.textContent !== text) cell.textContent = text;
    };
    titles.forEach((title, at) => show(this.head.cells[at + 1], title));
    columns.forEach((column, at) => column.forEach((text, row) => show(this.body.rows[row].cells[at + 1], text)));
    for (const item of this.root.querySelectorAll(".legend .both")) {
      item.hidden = !this.panels.some(({ recording }) => recording.setup?.from_both_ends);
    }
    const [panel] = this.panels;
    this.now.setAttribute("aria-live", this.isPlaying ? "off" : "polite");
    this.now.textContent = panel ? this.sentence(panel) : "";
    this.under.textContent = this.underPointer();
  }

  // What is known of the cell under the pointer, or else under the cursor of the keys.
  underPointer() {
    const { pointer, editor } = this;
    if (pointer?.panel.layout) {
      const { panel, x, y } = pointer;
      const cell = panel.layout.cellAt(x, y);
      return aboutCell(panel, cell.x, cell.y);
    }
    const panel = this.panels.find(({ board, layout }) => layout && board === document.activeElement);
    return panel && editor?.rows ? aboutCell(panel, editor.cursor.x, editor.cursor.y) : "";
  }

  // What the step does.
  sentence(panel) {
    const { recording, marks } = panel;
    const step = this.stepOf(panel);
    const name = this.panels.length > 1 ? `${recording.title}: ` : "";
    if (this.position > recording.steps && recording.film > 0) {
      const frame = Math.min(this.position - recording.steps, recording.film);
      return `${name}the path, state ${number(frame)} of ${number(recording.film)}`;
    }
    if (step === 0) return `${name}the start is open`;
    const event = recording.ends[step - 1];
    const [g, h] = [recording.gs[event], recording.hs[event]].map((value) => number(valueOf(recording, value)));
    const id = recording.ids[marks.current] ?? "";
    let which = recording.setup?.board === "burrow" || id.length > 24 ? "a state" : id;
    if (recording.setup?.board === "grid") which = `column ${recording.xs[marks.current] + 1}, row ${recording.ys[marks.current] + 1},`;
    return `${name}expands ${which} with g ${g}, h ${h}`;
  }
}

// What is known of a cell after the events that are applied.
function aboutCell({ recording, marks }, x, y) {
  const { left, top, columns, rows } = recording.size;
  if (!recording.isGrid || x < 0 || y < 0 || x >= columns || y >= rows) return "";
  const place = (state) => `column ${Math.floor(recording.xs[state]) - left + 1}, row ${Math.floor(recording.ys[state]) - top + 1}`;
  const here = `column ${x + 1}, row ${y + 1}`;
  if (recording.setup?.rows?.[y][x] === "#") return `${here}: wall`;
  const shown = (value) => number(valueOf(recording, value));
  const known = [];
  for (const state of recording.statesIn(x, y)) {
    for (const side of [0, 1]) {
      const key = 2 * state + side;
      const status = marks.status[key] ?? NOTHING;
      if (status === NOTHING) continue;
      const [g, h, parent] = [marks.g[key], marks.h[key] ?? null, marks.parent[key]];
      const estimate = h === null ? "" : `, h ${shown(h)}, f ${shown(g + h)}`;
      const from = parent >= 0 ? `, parent ${place(parent)}` : ", no parent";
      known.push({ g, text: `${status === OPEN ? "open" : "closed"}${side === 1 ? " from the goal" : ""}, g ${shown(g)}${estimate}${from}` });
    }
  }
  if (known.length === 0) return `${here}: not reached`;
  known.sort((one, other) => one.g - other.g);
  const more = known.length > 2 ? `; ${known.length - 2} more states` : "";
  return `${here}: ${known.slice(0, 2).map(({ text }) => text).join("; ")}${more}`;
}

function valueOf(recording, value) {
  return value === null || value === undefined ? null : value / recording.unit;
}

function outcome(recording) {
  const { report, fault } = recording;
  if (fault !== null) return fault;
  if (!report) return recording.isWhole ? (recording.dropped ? `${number(recording.dropped)} more events were not stored` : "a recorded trace") : "searching …";
  const expanded = `${number(report.expanded)} expanded`;
  if (report.outcome === "exhausted") return `no path, ${expanded}`;
  if (report.outcome === "stopped") return `stopped: ${report.reason}, ${expanded}`;
  const proof = report.optimal ? "a cheapest path" : report.factor ? `at most ${report.factor.toFixed(2)} times the least` : "a path";
  return `cost ${number(valueOf(recording, report.cost))}, ${proof}, ${expanded}`;
}
