"use strict";

// The events of a search, as the JSON lines of `bestfirst::trace` have them, and what they say step by step.
// A step is one expansion with the states that it generates; step 0 is the start.

const GENERATED = 0;
const EXPANDED = 1;

class Recording {
  constructor(title) {
    this.title = title;
    this.lines = [];
    this.setup = null;
    this.report = null;
    this.fault = null;
    this.dropped = 0;
    // The states, by their numbers.
    this.numbers = new Map();
    this.ids = [];
    this.xs = [];
    this.ys = [];
    // The events about states.
    this.kinds = [];
    this.states = [];
    this.parents = [];
    this.gs = [];
    this.hs = [];
    // For each step, where its events end, and what is known after it.
    this.ends = [0];
    this.f = [null];
    this.open = [0];
    this.closed = [0];
    this.generated = [0];
    this.bound = [null];
    this.best = [null];
    this.solution = [];
    this.seen = { step: 0, leastF: Infinity, mostF: 0, mostStates: 0 };
    this.marks = new Marks(this);
  }

  // Reads a whole text. An error names the line.
  static read(title, text) {
    const recording = new Recording(title);
    text.split("\n").forEach((line, at) => {
      if (line.trim() === "") return;
      try {
        recording.add(line);
      } catch (fault) {
        throw new Error(`line ${at + 1}: ${fault.message}`);
      }
    });
    if (recording.kinds.length === 0) {
      throw new Error("there is no event of a search; a trace has a JSON object in each line, as TraceWriter::json_lines writes them");
    }
    return recording;
  }

  get steps() {
    return this.ends.length - 1;
  }

  // The least and the greatest f, and the most open or closed states. What is complete is looked at once.
  get extremes() {
    const at = this.seen;
    const look = (into, step) => {
      const f = this.f[step];
      if (f !== null) {
        into.leastF = Math.min(into.leastF, f);
        into.mostF = Math.max(into.mostF, f);
      }
      into.mostStates = Math.max(into.mostStates, this.open[step], this.closed[step]);
    };
    for (; at.step < this.steps; at.step += 1) look(at, at.step);
    const now = { ...at };
    look(now, this.steps);
    return now;
  }

  // The numbers of the states in a cell, whose columns and rows count from those of `size`.
  statesIn(x, y) {
    const { left, top, columns, rows } = this.size;
    const place = `${left},${top},${columns},${rows}`;
    if (this.cells?.place !== place) this.cells = { place, count: 0, of: new Map() };
    for (const { cells } = this; cells.count < this.ids.length; cells.count += 1) {
      const state = cells.count;
      if (this.xs[state] === null) continue;
      const cell = (Math.floor(this.ys[state]) - top) * columns + Math.floor(this.xs[state]) - left;
      const there = cells.of.get(cell);
      if (there) there.push(state);
      else cells.of.set(cell, [state]);
    }
    return this.cells.of.get(y * columns + x) ?? [];
  }

  get unit() {
    return this.setup?.unit ?? 1;
  }

  // Steps after the last expansion that show the path, where a state is a whole picture.
  get film() {
    return this.isGrid ? 0 : this.solution.length;
  }

  get isGrid() {
    return this.setup ? this.setup.board === "grid" : this.xs.length > 0 && this.xs[0] !== null;
  }

  add(line) {
    let event;
    try {
      event = JSON.parse(line);
    } catch {
      throw new Error("this is no JSON");
    }
    if (event === null || typeof event !== "object" || typeof event.event !== "string") {
      throw new Error('an object with a member "event" is expected');
    }
    this.lines.push(line);
    const last = this.steps;
    switch (event.event) {
      case "generated":
        this.put(GENERATED, event, event.parent === null ? -1 : this.number(event.parent));
        if (event.parent !== null) this.generated[last] += 1;
        break;
      case "expanded":
        this.ends.push(this.kinds.length);
        for (const list of [this.open, this.closed, this.generated, this.bound, this.best]) list.push(list[last]);
        this.f.push(cost(event, "f"));
        this.put(EXPANDED, event, -1);
        break;
      case "bound":
        this.bound[last] = cost(event, "bound");
        break;
      case "incumbent":
        this.best[last] = cost(event, "cost");
        if (typeof event.bound === "number") this.bound[last] = Math.max(event.bound, this.bound[last] ?? 0);
        break;
      case "solution":
        this.solution.push(this.number(event.id, event));
        break;
      case "setup":
        checkSetup(event);
        this.setup = event;
        // A trace has the name of its file.
        this.title = event.title ?? this.title;
        break;
      case "report":
        this.bound[last] = cost(event, "bound");
        this.best[last] = cost(event, "cost");
        this.report = event;
        break;
      case "fault":
        this.fault = event.message;
        break;
      case "dropped":
        this.dropped = event.events;
        break;
      default: // Later versions may have more.
    }
  }

  put(kind, event, parent) {
    this.kinds.push(kind);
    this.states.push(this.number(event.id, event));
    this.parents.push(parent);
    this.gs.push(cost(event, "g"));
    this.hs.push(kind === EXPANDED ? cost(event, "h") : null);
    this.marks.apply(this.kinds.length - 1);
    const last = this.steps;
    this.ends[last] = this.kinds.length;
    this.open[last] = this.marks.open;
    this.closed[last] = this.marks.closed;
  }

  number(id, event) {
    if (typeof id !== "string" && typeof id !== "number") throw new Error("a state has no id");
    let number = this.numbers.get(id);
    if (number === undefined) {
      number = this.ids.length;
      this.numbers.set(id, number);
      this.ids.push(String(id));
      this.xs.push(null);
      this.ys.push(null);
    }
    if (event && typeof event.x === "number" && typeof event.y === "number") {
      this.xs[number] = event.x;
      this.ys[number] = event.y;
    }
    return number;
  }

  // Columns and rows, where states are cells.
  get size() {
    const rows = this.setup?.rows;
    if (rows) return { left: 0, top: 0, columns: rows[0].length, rows: rows.length };
    // Traces need not tell the size of their map.
    if (this.measured?.count === this.ids.length) return this.measured;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    this.xs.forEach((x, number) => {
      if (x === null) return;
      left = Math.min(left, Math.floor(x));
      right = Math.max(right, Math.floor(x));
      top = Math.min(top, Math.floor(this.ys[number]));
      bottom = Math.max(bottom, Math.floor(this.ys[number]));
    });
    this.measured = { left, top, columns: right - left + 1, rows: bottom - top + 1, count: this.ids.length };
    return this.measured;
  }
}

// What the members of a setup are, if they are there; a burrow has its own.
const SETUP = [
  [["title", "board"], "a string", (value) => typeof value === "string"],
  [["rows"], "a list of strings", (value) => isList(value, "string")],
  [["doors"], "a list of numbers", (value) => isList(value, "number")],
  [["width", "depth", "unit"], "a number above 0", (value) => typeof value === "number" && value > 0],
  [["from_both_ends", "hexagons", "jumps"], "true or false", (value) => typeof value === "boolean"],
];
const OF_BURROWS = ["doors", "width", "depth"];

function isList(value, type) {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === type);
}

function checkSetup(setup) {
  for (const [members, expected, isRight] of SETUP) {
    for (const member of members) {
      const value = setup[member] ?? null;
      const isNeeded = setup.board === "burrow" && OF_BURROWS.includes(member);
      if ((value !== null || isNeeded) && !isRight(value)) throw new Error(`the member ${JSON.stringify(member)} must be ${expected}`);
    }
  }
}

function cost(event, key) {
  const value = event[key];
  if (value === null || typeof value === "number") return value;
  if (typeof value === "string") return Number.isNaN(Number(value)) ? null : Number(value);
  throw new Error(`the member ${JSON.stringify(key)} is missing, or no cost`);
}

const NOTHING = 0;
const OPEN = 1;
const CLOSED = 2;

// Which states are open and closed after some of the events. A search from both ends has two sides.
class Marks {
  constructor(recording) {
    this.recording = recording;
    this.clear();
  }

  clear() {
    this.applied = 0;
    this.roots = 0;
    this.current = -1;
    this.clearStates();
  }

  clearStates() {
    this.open = 0;
    this.closed = 0;
    this.expansions = 0;
    // By state and side.
    this.status = [];
    this.g = [];
    this.h = [];
    this.parent = [];
    // By state: the side of its last expansion, and what is drawn: 0, or status + 2 · side.
    this.side = [];
    this.shown = [];
    // The states whose mark has changed since they were drawn, or null for all.
    this.changed = null;
  }

  // Applies events until `end` are applied, again from the first if that is before.
  seek(end) {
    if (end < this.applied) this.clear();
    while (this.applied < end) this.apply(this.applied);
  }

  apply(event) {
    const { kinds, states, parents, gs, hs, setup } = this.recording;
    const bothEnds = setup?.from_both_ends === true;
    const state = states[event];
    const g = gs[event];
    this.applied = event + 1;
    if (kinds[event] === GENERATED) {
      const parent = parents[event];
      let side = 0;
      if (parent >= 0) {
        side = this.side[parent] ?? 0;
      } else {
        // Engines that search in passes begin each with the start.
        if (this.expansions > 0) this.clearStates();
        side = bothEnds && this.roots > 0 ? 1 : 0;
        this.roots += 1;
      }
      const key = 2 * state + side;
      const status = this.status[key] ?? NOTHING;
      if (status !== NOTHING && !(g < this.g[key])) return;
      this.g[key] = g;
      this.parent[key] = parent;
      if (status === CLOSED) this.closed -= 1;
      if (status !== OPEN) this.open += 1;
      this.mark(state, side, OPEN);
    } else {
      const opened = (side) => this.status[2 * state + side] === OPEN && this.g[2 * state + side] === g;
      const side = bothEnds && !opened(0) && opened(1) ? 1 : 0;
      const status = this.status[2 * state + side] ?? NOTHING;
      if (status === OPEN) this.open -= 1;
      if (status !== CLOSED) this.closed += 1;
      this.h[2 * state + side] = hs[event];
      this.side[state] = side;
      this.expansions += 1;
      this.current = state;
      this.mark(state, side, CLOSED);
    }
  }

  mark(state, side, status) {
    this.status[2 * state + side] = status;
    this.shown[state] = status + 2 * side;
    this.changed?.push(state);
  }

  // The states from the root to the one that was expanded last.
  path() {
    const path = [];
    const side = this.side[this.current] ?? 0;
    let state = this.current;
    while (state >= 0 && path.length <= this.status.length) {
      path.push(state);
      state = this.parent[2 * state + side] ?? -1;
    }
    return path;
  }
}
