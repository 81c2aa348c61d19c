"use strict";

// Draws on the boards of grids, by pointer and by keys.

class Editor {
  // `changed` is called after each change, `settled` when a stroke or a key has ended; `brush` returns the letter to draw.
  constructor({ changed, settled, brush, redraw, announce }) {
    Object.assign(this, { changed, settled, brush, redraw, announce });
    this.rows = null;
    this.cursor = { x: 0, y: 0 };
    this.panels = [];
  }

  // Takes the rows of a map, or null where there is nothing to draw on.
  use(rows) {
    this.rows = rows?.map((row) => [...row]) ?? null;
    if (rows) {
      const start = rows.findIndex((row) => row.includes("S"));
      const isOutside = this.cursor.y >= rows.length || this.cursor.x >= rows[0].length;
      if (isOutside || !this.hasMoved) this.cursor = { x: Math.max(0, rows[Math.max(0, start)].indexOf("S")), y: Math.max(0, start) };
    }
    for (const { board } of this.panels) this.dress(board);
  }

  dress(board) {
    const isGrid = this.rows !== null;
    board.tabIndex = isGrid ? 0 : -1;
    board.setAttribute("role", isGrid ? "application" : "img");
    if (isGrid) board.setAttribute("aria-describedby", "drawing-help");
    else board.removeAttribute("aria-describedby");
  }

  attach(panel) {
    const { board } = panel;
    this.panels = this.panels.filter(({ board: other }) => other.isConnected);
    this.panels.push(panel);
    this.dress(board);
    board.addEventListener("pointerdown", (event) => {
      const cell = this.cellAt(panel, event);
      if (!cell || event.button !== 0) return;
      event.preventDefault();
      board.focus({ preventScroll: true });
      board.setPointerCapture(event.pointerId);
      const letter = this.brush();
      const old = this.rows[cell.y][cell.x];
      if (isEnd(old) && !event.shiftKey) {
        this.stroke = { letter, last: cell, carried: old, under: "." };
        this.cursor = cell;
        this.hasMoved = true;
        return this.redraw();
      }
      const isErasing = old === letter && !isEnd(letter);
      this.stroke = { letter: isErasing ? "." : letter, last: cell, adds: event.shiftKey };
      this.put(cell, this.stroke.letter, event.shiftKey);
    });
    board.addEventListener("pointermove", (event) => {
      const cell = this.cellAt(panel, event);
      board.classList.toggle("over-end", Boolean(this.stroke?.carried) || (cell !== null && isEnd(this.rows[cell.y][cell.x])));
      if (!cell || !this.stroke) return;
      if (this.stroke.carried) return this.carry(cell);
      for (const between of cellsBetween(this.stroke.last, cell)) this.put(between, this.stroke.letter);
      this.stroke.last = cell;
    });
    for (const name of ["pointerup", "pointercancel"]) {
      board.addEventListener(name, () => {
        const { stroke } = this;
        this.stroke = null;
        // A click on one of several goals draws over it.
        if (stroke?.carried && !stroke.isCarried) this.put(stroke.last, stroke.letter);
        if (stroke) this.settled();
      });
    }
    board.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["focus", "blur"]) board.addEventListener(name, () => this.redraw());
  }

  cellAt({ board, layout }, event) {
    if (!this.rows || !layout) return null;
    const box = board.getBoundingClientRect();
    const { x, y } = layout.cellAt(event.clientX - box.left, event.clientY - box.top);
    return this.rows[y]?.[x] === undefined ? null : { x, y };
  }

  put({ x, y }, letter, adds = false) {
    const old = this.rows[y][x];
    this.cursor = { x, y };
    this.hasMoved = true;
    // The only start or goal is moved, not drawn over.
    if (old === letter || (isEnd(old) && this.count(old) === 1)) return this.redraw();
    if (letter === "S" || (letter === "G" && !adds)) {
      this.rows.forEach((row) => row.forEach((other, at) => { if (other === letter) row[at] = "."; }));
    }
    this.rows[y][x] = letter;
    this.changed(this.rows.map((row) => row.join("")));
  }

  // Moves the start or the goal that is dragged. What is under it comes back when it leaves.
  carry(cell) {
    const { last, carried, under } = this.stroke;
    const there = this.rows[cell.y][cell.x];
    if (isEnd(there)) return;
    this.rows[last.y][last.x] = under;
    this.rows[cell.y][cell.x] = carried;
    Object.assign(this.stroke, { last: cell, under: there, isCarried: true });
    this.cursor = cell;
    this.changed(this.rows.map((row) => row.join("")));
  }

  get text() {
    return this.rows?.map((row) => row.join("")).join("\n") ?? null;
  }

  count(letter) {
    return this.rows.flat().filter((other) => other === letter).length;
  }

  key(event) {
    if (!this.rows || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (move) {
      const x = Math.min(this.rows[0].length - 1, Math.max(0, this.cursor.x + move[0]));
      const y = Math.min(this.rows.length - 1, Math.max(0, this.cursor.y + move[1]));
      this.cursor = { x, y };
      this.hasMoved = true;
      this.redraw();
      this.tell();
    } else {
      const letters = { "#": "#", w: "#", ".": ".", Delete: ".", Backspace: ".", s: "S", S: "S", g: "G", G: "G", Enter: this.brush() };
      const letter = /^[0-9]$/.test(event.key) ? event.key : letters[event.key];
      if (letter === undefined) return;
      const isErasing = event.key === "Enter" && letter !== "S" && letter !== "G" && this.rows[this.cursor.y][this.cursor.x] === letter;
      this.put(this.cursor, isErasing ? "." : letter, event.shiftKey && event.key === "Enter");
      this.settled();
      this.tell();
    }
    event.preventDefault();
  }

  tell() {
    const { x, y } = this.cursor;
    const letter = this.rows[y][x];
    const names = { "#": "wall", ".": "free", S: "start", G: "goal" };
    this.announce(`column ${x + 1}, row ${y + 1}: ${names[letter] ?? `cost ${letter}`}`);
  }
}

function isEnd(letter) {
  return letter === "S" || letter === "G";
}

// The cells of a straight line after the first.
function cellsBetween(from, to) {
  const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  return Array.from({ length: steps }, (_, at) => ({
    x: Math.round(from.x + ((to.x - from.x) * (at + 1)) / steps),
    y: Math.round(from.y + ((to.y - from.y) * (at + 1)) / steps),
  }));
}
