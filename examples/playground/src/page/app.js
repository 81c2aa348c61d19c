"use strict";

// The page: what is searched, by which engines, and traces that are dropped.

const MOST_TRACE = 96 * 2 ** 20;
const LANE_FIELDS = ["engine", "heuristic", "weight", "width"];

const element = (id) => document.getElementById(id);
const form = element("setup");
const fields = form.elements;
const problem = { grid: null, burrow: null };
const versions = { grid: new Versions(), burrow: new Versions() };
let choices = null;
let searches = null;
let request = null;
let traces = null;

const editor = new Editor({
  brush: () => (fields.brush.value === "terrain" ? fields.cost.value : fields.brush.value),
  changed: (rows) => {
    for (const { recording } of player.panels) {
      if (recording.setup?.rows) recording.setup.rows = rows;
    }
    fields.text.value = rows.join("\n");
    problem.grid = fields.text.value;
    fields.example.value = "";
    player.draw();
    searchSoon({ isLive: Boolean(editor.stroke?.carried) });
  },
  settled: () => versions.grid.keep(problem.grid),
  redraw: () => player.draw(),
  announce: (text) => { element("announcement").textContent = text; },
});
const player = new Player(document.querySelector("main"), editor, {
  // What to ask for where a search was stopped by the number of expansions.
  next: (report) => {
    const { options, selectedIndex, value } = fields.expansions;
    const isStopped = report.outcome === "stopped" && report.expanded >= Number(value);
    return traces === null && isStopped ? options[selectedIndex + 1]?.text ?? null : null;
  },
  go: () => {
    fields.expansions.selectedIndex += 1;
    search();
  },
});

const tour = new Tour(element("tour"), {
  show: (settings) => {
    take(settings);
    player.go(0);
    search();
  },
  ended: () => {
    element("begin-tour").focus();
    keepAddress();
  },
});

function option(value, text) {
  return new Option(text, value);
}

function lane(at) {
  return form.querySelector(`[data-lane="${at}"]`);
}

function control(at, name) {
  return lane(at).querySelector(`[data-name="${name}"]`);
}

// Fills what depends on the board: examples, engines, heuristics.
function fillBoard() {
  const board = fields.board.value;
  fields.example.replaceChildren(
    ...choices.examples.filter((example) => example.board === board).map(({ name }) => option(name, name)),
    option("", "Drawn by you"),
  );
  for (const at of [0, 1]) {
    const [engine, heuristic] = [control(at, "engine"), control(at, "heuristic")];
    const [chosen, estimate] = [engine.value, heuristic.value];
    const engines = choices.engines.filter((entry) => board === "grid" || !entry.grid_only);
    engine.replaceChildren(...engines.map(({ id, name }) => option(id, name)));
    if (engines.some(({ id }) => id === chosen)) engine.value = chosen;
    heuristic.replaceChildren(...choices.heuristics[board].map(({ id, name }) => option(id, name)));
    if (choices.heuristics[board].some(({ id }) => id === estimate)) heuristic.value = estimate;
  }
  for (const part of form.querySelectorAll("[data-board]")) part.hidden = part.dataset.board !== board;
  element("drawing").open = board === "burrow" || element("drawing").open;
  if (problem[board] === null) problem[board] = choices.examples.find((example) => example.board === board).text;
  showText();
}

function showText() {
  const text = problem[fields.board.value];
  versions[fields.board.value].keep(text);
  fields.text.value = text;
  const example = choices.examples.find((entry) => entry.text === text);
  fields.example.value = example?.name ?? "";
  fields.text.rows = Math.min(14, Math.max(5, text.split("\n").length));
}

function capital(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

// Shows what the chosen engines take.
function fillLanes() {
  element("steps").textContent = capital(choices.steps.find(({ id }) => id === fields.neighbours.value).about);
  lane(1).hidden = !fields.compare.checked;
  for (const at of [0, 1]) {
    const engine = choices.engines.find(({ id }) => id === control(at, "engine").value);
    const heuristic = choices.heuristics[fields.board.value].find(({ id }) => id === control(at, "heuristic").value);
    control(at, "about").textContent = engine.about;
    control(at, "estimate").textContent = capital(heuristic.about);
    for (const name of ["weight", "width"]) control(at, name).closest("label").hidden = engine.parameter !== name;
    const blind = engine.id === "dijkstra";
    control(at, "heuristic").closest("label").hidden = blind;
    control(at, "estimate").hidden = blind;
  }
}

function question(at) {
  const value = (name) => control(at, name).value;
  const number = (name) => (value(name) === "" ? null : Number(value(name)));
  return {
    board: fields.board.value,
    text: fields.text.value,
    engine: value("engine"),
    heuristic: value("heuristic"),
    neighbours: fields.neighbours.value,
    weight: control(at, "weight").closest("label").hidden ? null : number("weight"),
    width: control(at, "width").closest("label").hidden ? null : number("width"),
    expansions: Number(fields.expansions.value),
  };
}

let timer = 0;

// Waits for more changes; of those that come one after the other, as of a goal that is dragged, some are searched meanwhile.
function searchSoon({ isLive = false } = {}) {
  if (isLive && timer !== 0) return;
  clearTimeout(timer);
  timer = setTimeout(search, isLive ? 80 : 120);
}

// Asks for the searches; the player shows them as they arrive.
async function search() {
  clearTimeout(timer);
  timer = 0;
  const asked = fields.text.value;
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  traces = null;
  element("traces").hidden = true;
  const lanes = fields.compare.checked ? [0, 1] : [0];
  try {
    const answers = await Promise.all(lanes.map((at) => searches.ask(question(at), signal).catch((fault) => {
      throw Object.assign(fault, { lane: at });
    })));
    showFault(null);
    const atEnd = player.isAtEnd && player.panels.length === lanes.length;
    const recordings = answers.map(() => new Recording(""));
    // The first lines have the board.
    const readers = answers.map((answer, at) => lines(answer, recordings[at]));
    await Promise.all(readers.map((reader) => reader.next()));
    if (signal.aborted) return;
    // What was drawn since then stays, and is searched next.
    const isDrawnOn = editor.text !== null && editor.text === fields.text.value && asked !== editor.text;
    if (!isDrawnOn) editor.use(recordings[0].setup?.rows ?? null);
    else for (const { setup } of recordings) if (setup) setup.rows = editor.text.split("\n");
    player.load(recordings, { atEnd });
    await Promise.all(readers.map(async (reader) => {
      for await (const _ of reader) if (!signal.aborted) player.refresh();
    }));
    if (signal.aborted) return;
    for (const recording of recordings) {
      if (!recording.report && recording.fault === null) recording.fault = "the answer ends in the middle of the search";
    }
    player.refresh();
    keepAddress();
    document.body.dataset.searches = Number(document.body.dataset.searches ?? 0) + 1;
  } catch (fault) {
    if (!signal.aborted) showFault(fault);
  }
}

// What is searched, for the address of the page: a link shows the same search.
function address() {
  const params = new URLSearchParams({ board: fields.board.value });
  if (fields.example.value !== "") params.set("example", fields.example.value);
  else params.set("map", inAddress(fields.text.value));
  if (fields.board.value === "grid") params.set("neighbours", fields.neighbours.value);
  if (fields.expansions.selectedIndex > 0) params.set("expansions", fields.expansions.value);
  for (const at of fields.compare.checked ? [0, 1] : [0]) {
    for (const name of LANE_FIELDS) {
      const field = control(at, name);
      if (!field.closest("label").hidden && field.value !== "") params.set(`${name}${at === 0 ? "" : 2}`, field.value);
    }
  }
  if (tour.at !== null) params.set("tour", tour.at + 1);
  return `#${params}`;
}

let addressTimer = 0;

// Not with each of many searches: browsers ignore addresses that change too often. Nor do they keep very long ones.
function keepAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const hash = address();
    history.replaceState(null, "", hash.length < 50_000 ? hash : location.pathname + location.search);
  }, 250);
}

function readAddress() {
  const params = new URLSearchParams(location.hash.slice(1));
  tour.open(Number(params.get("tour")) - 1);
  take(params);
}

// Takes of the settings what is offered; the rest stays as it is.
function take(params) {
  if (Object.hasOwn(problem, params.get("board"))) fields.board.value = params.get("board");
  const board = fields.board.value;
  const example = choices.examples.find((entry) => entry.board === board && entry.name === params.get("example"));
  if (example) problem[board] = example.text;
  else if (params.has("map")) problem[board] = fromAddress(params.get("map"));
  fillBoard();
  const set = (field, name) => {
    const isOffered = !field.options || [...field.options].some(({ value }) => value === params.get(name));
    if (params.has(name) && isOffered) field.value = params.get(name);
  };
  set(fields.neighbours, "neighbours");
  set(fields.expansions, "expansions");
  fields.compare.checked = params.has("engine2");
  for (const name of LANE_FIELDS) {
    set(control(0, name), name);
    set(control(1, name), `${name}2`);
  }
  fillLanes();
}

// Takes another problem.
function replace(text) {
  problem[fields.board.value] = text;
  showText();
  player.go(0);
  search();
}

// Takes back the last change (-1), or makes it again (1).
function revert(step) {
  const board = fields.board.value;
  versions[board].keep(fields.text.value);
  const text = versions[board].go(step);
  if (text === null) {
    element("announcement").textContent = step < 0 ? "there is nothing to undo" : "there is nothing to redo";
    return;
  }
  problem[board] = text;
  showText();
  search();
}

// Adds the lines of an answer to a recording; yields after each piece.
async function* lines(stream, recording) {
  const reader = stream.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const pieces = (rest + value).split("\n");
    rest = pieces.pop();
    for (const piece of pieces) recording.add(piece);
    if (pieces.length > 0) yield;
  }
}

// Shows a fault at the field that it is about.
function showFault(fault) {
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-errormessage");
  }
  for (const message of form.querySelectorAll(".fault")) message.hidden = true;
  if (!fault) return;
  let field = fields.text;
  let message = element("text-fault");
  if (["engine", "heuristic", "weight", "width"].includes(fault.field)) {
    field = control(fault.lane ?? 0, fault.field);
    message = control(fault.lane ?? 0, "fault");
  } else if (fault.field === "neighbours") {
    field = fields.neighbours;
    message = element("steps-fault");
  } else {
    element("drawing").open = true;
  }
  message.hidden = false;
  message.textContent = fault.message;
  if (fault.field === "server") return;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-errormessage", message.id);
  if (fault.line && fault.field === "text") {
    const go = document.createElement("button");
    go.type = "button";
    go.className = "link";
    go.textContent = "Show";
    go.onclick = () => select(fault.line, fault.column);
    message.append(" ", go);
  }
}

// Selects a character of the text.
function select(line, column) {
  const before = fields.text.value.split("\n").slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
  fields.text.focus();
  fields.text.setSelectionRange(before + column - 1, before + column);
}

async function openTraces(files) {
  const chosen = [...files].slice(0, 2);
  if (chosen.length === 0) return;
  const note = element("trace-note");
  element("traces").hidden = false;
  try {
    const recordings = await Promise.all(chosen.map(async (file) => {
      try {
        if (file.size > MOST_TRACE) throw new Error("the file is too large to be played here; record fewer events");
        const recording = Recording.read(file.name, await file.text());
        recording.isWhole = true;
        return recording;
      } catch (fault) {
        throw new Error(`${file.name}: ${fault.message}`);
      }
    }));
    request?.abort();
    clearTimeout(timer);
    traces = recordings;
    editor.use(null);
    player.load(recordings);
    note.textContent = recordings.map(({ title, lines: { length } }) => `${title}, ${number(length)} events`).join("; ");
    note.classList.remove("fault");
  } catch (fault) {
    note.textContent = fault.message;
    note.classList.add("fault");
  }
  note.hidden = false;
}

function listen() {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    if (target.name === "brush") element("cost").hidden = target.value !== "terrain";
    if (["brush", "cost", "text", "trace"].includes(target.name)) return;
    if (target.name === "board") fillBoard();
    if (target.name === "example") {
      const example = choices.examples.find(({ name }) => name === target.value);
      if (!example) return;
      return replace(example.text);
    }
    fillLanes();
    player.go(0);
    search();
  });
  fields.text.addEventListener("input", () => {
    problem[fields.board.value] = fields.text.value;
    fields.example.value = "";
    searchSoon();
  });
  fields.text.addEventListener("change", () => versions[fields.board.value].keep(fields.text.value));
  element("maze").addEventListener("click", () => replace(randomMaze()));
  element("cave").addEventListener("click", () => replace(randomCave()));
  element("undo").addEventListener("click", () => revert(-1));
  element("redo").addEventListener("click", () => revert(1));
  document.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const isWriting = event.target.closest("textarea, input:not([type=range]):not([type=radio]):not([type=checkbox])");
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isWriting || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    revert(key === "y" || event.shiftKey ? 1 : -1);
  });
  element("begin-tour").addEventListener("click", () => tour.begin());
  addEventListener("hashchange", () => {
    readAddress();
    search();
  });
  fields.trace.addEventListener("change", () => openTraces(fields.trace.files));
  element("leave-traces").addEventListener("click", () => {
    fields.trace.value = "";
    search();
    player.playButton.focus();
  });
  element("export").addEventListener("click", async () => {
    const recordings = player.panels.map(({ recording }) => recording);
    try {
      save(`${recordings.map(({ title }) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")).join("-and-")}.html`, await exportPage(recordings));
    } catch (fault) {
      showFault(Object.assign(fault, { field: "server" }));
    }
  });
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    openTraces(event.dataTransfer.files);
  });
}

async function begin() {
  try {
    choices = await (await fetch("choices.json")).json();
    searches = choices.searches === "workers" ? await Workers.open() : new Server();
  } catch (fault) {
    return showFault(Object.assign(new Error(`The page is not whole; reload it through its server. (${fault.message})`), { field: "server" }));
  }
  fields.neighbours.replaceChildren(...choices.steps.map(({ id, name }) => option(id, name)));
  fillBoard();
  control(1, "engine").value = "dijkstra";
  readAddress();
  // What is not shown need not come back.
  versions[fields.board.value] = new Versions();
  showText();
  listen();
  await search();
}

begin();
