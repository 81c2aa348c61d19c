"use strict";

// Draws boards and charts. All colours come from the style sheet, so that they follow the colour scheme.

const COLOURS = [
  "cell", "line", "wall", "terrain", "ink", "muted", "paper", "accent",
  "open", "closed", "open-back", "closed-back", "open-curve", "closed-curve", "path", "rule",
];

function colours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// Sizes a canvas in pixels of the page and returns its context.
function prepare(canvas, width, height) {
  const density = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

const FONT = "ui-sans-serif, system-ui, sans-serif";

// Draws the board of a recording; returns where the cells of a grid are.
function drawBoard(canvas, recording, marks, options) {
  if (recording.isGrid) return drawGrid(canvas, recording, marks, options);
  if (recording.setup?.board === "burrow") return drawBurrow(canvas, recording, marks, options);
  return drawText(canvas, recording, marks, options);
}

// The canvases of the cells of grids.
const layers = new WeakMap();

// The distance between rows of hexagons whose middles are 1 apart, and their radius.
const HEXAGON = { row: Math.sqrt(0.75), radius: 1 / Math.sqrt(3) };

function drawGrid(canvas, recording, marks, { width, height, isEnd, cursor }) {
  const { left, top, columns, rows } = recording.size;
  const isHexagonal = recording.setup?.hexagons === true;
  // In cells.
  const [wide, high] = isHexagonal ? [columns + 0.5, (rows - 1) * HEXAGON.row + 2 * HEXAGON.radius] : [columns, rows];
  const cell = Math.min((width - 1) / wide, height / high, 44);
  const context = prepare(canvas, Math.floor(cell * wide) + 1, Math.floor(cell * high) + 1);
  const c = colours();
  const letters = recording.setup?.rows;
  const gap = cell >= 5 ? 1 : 0;
  // Coordinates of places, not of cells: dots.
  const isSparse = !letters && columns * rows > 250_000;

  const fills = [null, c.open, c.closed, c["open-back"], c["closed-back"]];
  // The middle of a cell.
  const middle = (x, y) => (isHexagonal
    ? [(x + 0.5 + Math.abs(y % 2) / 2) * cell, (y * HEXAGON.row + HEXAGON.radius) * cell]
    : [(x + 0.5) * cell + gap / 2, (y + 0.5) * cell + gap / 2]);
  const special = letters ? specialCells(letters) : [];
  if (isSparse) {
    context.fillStyle = c.cell;
    context.fillRect(0, 0, canvas.width, canvas.height);
    marks.shown.forEach((shown, state) => {
      if (!shown || recording.xs[state] === null) return;
      context.fillStyle = fills[shown];
      context.fillRect((Math.floor(recording.xs[state]) - left) * cell - 1, (Math.floor(recording.ys[state]) - top) * cell - 1, 3, 3);
    });
  } else {
    drawCells();
  }

  // The cells stay on a canvas of their own, on which only what has changed is drawn again.
  function drawCells() {
    const like = [recording, letters, c.cell, c.open, cell, columns, rows, context.getTransform().a];
    let layer = layers.get(canvas);
    const isKept = layer?.like.every((part, at) => part === like[at]) && layer.marks === marks && marks.changed !== null;
    if (!layer) {
      layer = { canvas: document.createElement("canvas") };
      layers.set(canvas, layer);
    }
    const on = isKept ? layer.canvas.getContext("2d") : prepare(layer.canvas, canvas.width / like.at(-1), canvas.height / like.at(-1));
    const draw = (x, y) => {
      // Of several states in a cell, the last one is seen.
      const shown = recording.statesIn(x, y).reduce((seen, state) => marks.shown[state] || seen, 0);
      drawCell(on, x, y, letters?.[y][x] ?? ".", shown);
    };
    if (isKept) {
      for (const state of marks.changed) {
        if (recording.xs[state] !== null) draw(Math.floor(recording.xs[state]) - left, Math.floor(recording.ys[state]) - top);
      }
    } else {
      on.fillStyle = gap > 0 ? c.line : c.cell;
      on.fillRect(0, 0, Math.floor(cell * wide) + gap, Math.floor(cell * high) + gap);
      for (let y = 0; y < rows; y += 1) for (let x = 0; x < columns; x += 1) draw(x, y);
      if (gap === 0) {
        on.strokeStyle = c.rule;
        on.strokeRect(0.5, 0.5, Math.floor(cell * wide), Math.floor(cell * high));
      }
    }
    Object.assign(layer, { like, marks });
    marks.changed = [];
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(layer.canvas, 0, 0);
    context.restore();
  }

  function drawCell(on, x, y, letter, shown) {
    // Edges lie on whole pixels.
    const fill = (colour, inset = 0, between = gap) => {
      on.fillStyle = colour;
      if (isHexagonal) {
        outline(on, middle(x, y), cell * HEXAGON.radius - inset - between / 2);
        on.fill();
        return;
      }
      const [left, top] = [Math.floor(x * cell) + between + inset, Math.floor(y * cell) + between + inset];
      on.fillRect(left, top, Math.floor((x + 1) * cell) - left - inset, Math.floor((y + 1) * cell) - top - inset);
    };
    if (letter === "#") return fill(c.wall, 0, 0);
    fill(c.cell);
    // Open states are smaller squares, so that they differ by more than their colour.
    const inset = cell >= 6 ? Math.max(1, Math.round(cell * 0.14)) : 0;
    if (shown) fill(fills[shown], shown % 2 === OPEN ? inset : 0);
    if (letter < "0" || letter > "9") return;
    if (letter >= "2") {
      // The colours of the search stay what they are in the legend, nearly.
      on.globalAlpha = (shown ? 0.02 : 0.09) * Number(letter);
      fill(c.terrain);
      on.globalAlpha = 1;
    }
    if (cell >= 13) {
      const [middleX, middleY] = middle(x, y);
      on.textAlign = "center";
      on.textBaseline = "middle";
      on.fillStyle = c.ink;
      on.globalAlpha = 0.55;
      on.font = `${Math.round(cell * 0.5)}px ${FONT}`;
      on.fillText(letter, middleX, middleY + 0.5);
      on.globalAlpha = 1;
    }
  }

  const place = (state) => middle(recording.xs[state] - left, recording.ys[state] - top);
  const path = isEnd && recording.solution.length > 0 ? recording.solution : marks.path();
  const isSolution = isEnd && recording.solution.length > 0;
  const places = path.filter((state) => recording.xs[state] !== null).map(place);
  drawLine(context, recording.setup?.jumps ? runs(places, isSolution) : places, isSolution ? c.path : c.ink, c.paper, cell, isSolution);
  if (!isEnd && marks.current >= 0 && recording.xs[marks.current] !== null) {
    const [x, y] = place(marks.current);
    context.strokeStyle = c.ink;
    context.lineWidth = Math.max(1.5, cell * 0.12);
    if (isHexagonal) {
      outline(context, [x, y], cell * HEXAGON.radius - 1);
      context.stroke();
    } else {
      context.strokeRect(x - cell / 2 + 1, y - cell / 2 + 1, cell - 2, cell - 2);
    }
  }
  for (const { letter, x, y } of special) {
    if (letter === "S" || letter === "G") {
      drawEnd(context, letter, ...middle(x, y), cell, c);
    }
  }
  if (cursor) {
    // In two colours, to be seen on every ground.
    for (const [colour, inset] of [[c.paper, -1], [c.accent, 1]]) {
      context.strokeStyle = colour;
      context.lineWidth = 2;
      if (isHexagonal) {
        outline(context, middle(cursor.x, cursor.y), cell * HEXAGON.radius - inset);
        context.stroke();
      } else {
        context.strokeRect(cursor.x * cell + inset, cursor.y * cell + inset, cell - 2 * inset + 1, cell - 2 * inset + 1);
      }
    }
  }
  // The cell at a place of the canvas, which may be beyond the edge of the map.
  const cellAt = (x, y) => {
    if (!isHexagonal) return { x: Math.floor(x / cell), y: Math.floor(y / cell) };
    const near = Math.round((y / cell - HEXAGON.radius) / HEXAGON.row);
    const cells = [near - 1, near, near + 1].map((row) => ({ x: Math.round(x / cell - 0.5 - Math.abs(row % 2) / 2), y: row }));
    const distance = (at) => Math.hypot(...middle(at.x, at.y).map((value, axis) => value - [x, y][axis]));
    return cells.reduce((nearest, other) => (distance(other) < distance(nearest) ? other : nearest));
  };
  return { cell, columns, rows, middle, cellAt };
}

function outline(context, [x, y], radius) {
  context.beginPath();
  for (let corner = 0; corner < 6; corner += 1) {
    const angle = ((2 * corner + 1) * Math.PI) / 6;
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.closePath();
}

// A path by jump points with the places where its runs turn: diagonal first, then straight. A solution is told from the start on,
// and other paths from their ends.
function runs(points, isSolution) {
  const path = isSolution ? points : [...points].reverse();
  return path.flatMap(([x, y], at) => {
    if (at === 0) return [[x, y]];
    const [fromX, fromY] = path[at - 1];
    const diagonal = Math.min(Math.abs(x - fromX), Math.abs(y - fromY));
    return [[fromX + diagonal * Math.sign(x - fromX), fromY + diagonal * Math.sign(y - fromY)], [x, y]];
  });
}

// The cells that are not free, which are looked for once for each map, and not in each frame.
const specialOf = new WeakMap();

function specialCells(rows) {
  let cells = specialOf.get(rows);
  if (!cells) {
    cells = rows.flatMap((row, y) => [...row].flatMap((letter, x) => (letter === "." ? [] : [{ letter, x, y }])));
    specialOf.set(rows, cells);
  }
  return cells;
}

// The start is a disc, a goal a ring around a disc; large cells have their letters.
function drawEnd(context, letter, x, y, cell, c) {
  const radius = Math.max(cell * 0.46, 4.5);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = letter === "S" ? c.accent : c.path;
  context.fill();
  context.lineWidth = Math.max(1, cell * 0.08);
  context.strokeStyle = c.paper;
  context.stroke();
  if (radius >= 6.5) {
    context.fillStyle = c.paper;
    context.font = `600 ${Math.round(radius * 1.25)}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(letter, x, y + radius * 0.08);
  } else if (letter === "G") {
    context.beginPath();
    context.arc(x, y, radius * 0.45, 0, 2 * Math.PI);
    context.fillStyle = c.paper;
    context.fill();
  }
}

function drawLine(context, points, colour, halo, cell, isSolution) {
  if (points.length < 2) return;
  context.lineJoin = "round";
  context.lineCap = "round";
  const widths = isSolution ? [[halo, cell * 0.46 + 2], [colour, Math.max(2, cell * 0.26)]] : [[colour, Math.max(1, cell * 0.09)]];
  for (const [stroke, width] of widths) {
    context.beginPath();
    points.forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.stroke();
  }
}

// The state that a board without cells shows: the one expanded last, or at the end one of the path.
function stateAt(recording, marks, frame) {
  if (frame >= 0 && frame < recording.solution.length) return recording.solution[frame];
  if (marks.current >= 0) return marks.current;
  return recording.states.length > 0 ? recording.states[0] : -1;
}

function drawBurrow(canvas, recording, marks, { width, height, frame }) {
  const { width: columns, doors, depth } = recording.setup;
  const cell = Math.floor(Math.min((width - 2) / (columns + 2), height / (depth + 3), 56));
  const context = prepare(canvas, cell * (columns + 2), cell * (depth + 3));
  const c = colours();
  const state = stateAt(recording, marks, frame);
  const letters = state >= 0 ? recording.ids[state] : "";
  const before = frame > 0 ? recording.ids[recording.solution[frame - 1]] : letters;
  const bottom = Math.max(...doors);
  context.fillStyle = c.wall;
  context.fillRect(0, 0, cell * (columns + 2), 3 * cell);
  context.fillRect((doors[0]) * cell, 2 * cell, (bottom - doors[0] + 3) * cell, (depth + 1) * cell);
  const place = (at) => {
    if (at < columns) return [at + 1, 1];
    const room = Math.floor((at - columns) / depth);
    return [doors[room] + 1, 2 + ((at - columns) % depth)];
  };
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let at = 0; at < columns + doors.length * depth; at += 1) {
    const [x, y] = place(at);
    const letter = letters[at] ?? ".";
    context.fillStyle = c.cell;
    context.fillRect(x * cell + 1, y * cell + 1, cell - 2, cell - 2);
    if (letter === ".") continue;
    const kind = letter.charCodeAt(0) - 65;
    const isHome = at >= columns && Math.floor((at - columns) / depth) === kind;
    const hasMoved = before[at] !== letter;
    // At home they are filled.
    context.beginPath();
    context.arc((x + 0.5) * cell, (y + 0.5) * cell, cell * 0.38, 0, 2 * Math.PI);
    context.fillStyle = isHome ? c.accent : c.cell;
    context.fill();
    context.strokeStyle = hasMoved ? c.ink : c.accent;
    context.lineWidth = hasMoved ? 4 : 1.5;
    context.stroke();
    context.fillStyle = isHome ? c.paper : c.ink;
    context.font = `600 ${Math.round(cell * 0.46)}px ${FONT}`;
    context.fillText(letter, (x + 0.5) * cell, (y + 0.52) * cell);
  }
  return null;
}

function drawText(canvas, recording, marks, { width, frame }) {
  const context = prepare(canvas, width, 132);
  const c = colours();
  const state = stateAt(recording, marks, frame);
  context.fillStyle = c.muted;
  context.font = `13px ${FONT}`;
  context.fillText("The states of this trace have no coordinates. This one was expanded last:", 0, 18, width);
  context.fillStyle = c.ink;
  context.font = `600 22px ${FONT}`;
  (state >= 0 ? recording.ids[state] : "").split("\n").slice(0, 4).forEach((row, at) => {
    context.fillText(row, 0, 56 + 26 * at, width);
  });
  return null;
}

// Two curves over the steps: f with the bound, and the numbers of open and closed states. What is still to come is fainter.
function drawChart(canvas, recording, step, scales) {
  const c = colours();
  const [width, height, labels] = [scales.width, 128, 46];
  const context = prepare(canvas, width, height);
  const density = context.getTransform().a;
  const x = (at) => labels + ((width - labels - 6) * at) / Math.max(1, scales.last);
  // The curves are drawn anew only when they have grown.
  const like = [recording, recording.steps, recording.report, c.ink, density, ...Object.values(scales)];
  let layer = layers.get(canvas);
  if (!layer?.like.every((part, at) => part === like[at])) {
    layer = { like, past: document.createElement("canvas"), coming: document.createElement("canvas") };
    layers.set(canvas, layer);
    drawCurves(prepare(layer.past, width, height), recording, { ...scales, x, labels, c, alpha: 1 });
    drawCurves(prepare(layer.coming, width, height), recording, { ...scales, x, labels, c, alpha: 0.4 });
  }
  const now = Math.min(canvas.width, Math.round(x(step) * density));
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  if (now > 0) context.drawImage(layer.past, 0, 0, now, canvas.height, 0, 0, now, canvas.height);
  if (now < canvas.width) context.drawImage(layer.coming, now, 0, canvas.width - now, canvas.height, now, 0, canvas.width - now, canvas.height);
  context.restore();
  context.strokeStyle = c.ink;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(Math.round(x(step)) + 0.5, 4);
  context.lineTo(Math.round(x(step)) + 0.5, height - 4);
  context.stroke();
}

function drawCurves(context, recording, { width, leastF, mostF, mostStates, x, labels, c, alpha }) {
  const plots = [
    { top: 8, least: Math.min(leastF, mostF), most: mostF, unit: recording.unit, curves: [[recording.f, c.ink, 1.25], [recording.bound, c.accent, 2]], name: "f" },
    { top: 72, least: 0, most: mostStates, unit: 1, curves: [[recording.closed, c["closed-curve"], 1.75], [recording.open, c["open-curve"], 1.75]], name: "states" },
  ];
  context.font = `11px ${FONT}`;
  for (const { top, least, most, unit, curves, name } of plots) {
    const y = (value) => top + 44 - (42 * Math.max(0, value - least)) / Math.max(1e-9, most - least);
    context.strokeStyle = c.rule;
    context.lineWidth = 1;
    context.strokeRect(labels + 0.5, top + 0.5, width - labels - 7, 46);
    context.fillStyle = c.muted;
    context.textAlign = "right";
    context.textBaseline = "top";
    context.fillText(number(most / unit), labels - 6, top - 1);
    context.textBaseline = "middle";
    context.fillText(name, labels - 6, top + 24);
    context.textBaseline = "bottom";
    context.fillText(number(least / unit), labels - 6, top + 49);
    for (const [values, colour, thickness] of curves) {
      context.beginPath();
      let isDrawing = false;
      const stride = Math.max(1, Math.floor(recording.steps / 3000));
      for (let at = 0; at <= recording.steps; at += at === recording.steps ? 1 : Math.min(stride, recording.steps - at)) {
        const value = values[at];
        if (value === null || value === undefined) continue;
        if (isDrawing) context.lineTo(x(at), y(value));
        else context.moveTo(x(at), y(value));
        isDrawing = true;
      }
      context.globalAlpha = alpha;
      context.strokeStyle = colour;
      context.lineWidth = thickness;
      context.stroke();
      context.globalAlpha = 1;
    }
  }
}

function number(value) {
  if (value === null || value === undefined) return "–";
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}
