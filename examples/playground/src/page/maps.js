"use strict";

// Random maps, and the versions of a drawing.

// A maze with a few walls less than one that has a single path between any two cells.
function randomMaze(columns = 41, rows = 21) {
  const map = Array.from({ length: rows }, () => Array(columns).fill("#"));
  const below = (most) => Math.floor(Math.random() * most);
  const trail = [[1, 1]];
  map[1][1] = ".";
  while (trail.length > 0) {
    const [x, y] = trail.at(-1);
    const next = [[2, 0], [-2, 0], [0, 2], [0, -2]].map(([dx, dy]) => [x + dx, y + dy]).filter(([x, y]) => map[y]?.[x] === "#");
    if (next.length === 0) {
      trail.pop();
      continue;
    }
    const [toX, toY] = next[below(next.length)];
    map[(y + toY) / 2][(x + toX) / 2] = ".";
    map[toY][toX] = ".";
    trail.push([toX, toY]);
  }
  for (let left = Math.floor((columns * rows) / 60); left > 0;) {
    const [x, y] = [1 + below(columns - 2), 1 + below(rows - 2)];
    const isBetween = (map[y][x - 1] === "." && map[y][x + 1] === ".") !== (map[y - 1][x] === "." && map[y + 1][x] === ".");
    if (map[y][x] !== "#" || !isBetween) continue;
    map[y][x] = ".";
    left -= 1;
  }
  map[1][1] = "S";
  map[rows - 2][columns - 2] = "G";
  return map.map((row) => row.join("")).join("\n");
}

// A cave: random walls that become smooth. The start and the goal are far apart in its largest part.
function randomCave(columns = 48, rows = 27) {
  let map = Array.from({ length: rows }, () => Array.from({ length: columns }, () => (Math.random() < 0.43 ? "#" : ".")));
  const isWall = (x, y) => (map[y]?.[x] ?? "#") === "#";
  for (let round = 0; round < 4; round += 1) {
    map = map.map((row, y) => row.map((_, x) => {
      let walls = 0;
      for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) walls += isWall(x + dx, y + dy) ? 1 : 0;
      return walls >= 5 ? "#" : ".";
    }));
  }
  const seen = new Set();
  // The cells that can be reached, nearest first.
  const part = (from) => {
    const cells = [from];
    const here = new Set(cells);
    for (const at of cells) {
      const [x, y] = [at % columns, Math.floor(at / columns)];
      for (const [nextX, nextY] of [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]]) {
        const next = nextY * columns + nextX;
        if (isWall(nextX, nextY) || here.has(next)) continue;
        here.add(next);
        cells.push(next);
      }
    }
    for (const cell of cells) seen.add(cell);
    return cells;
  };
  let largest = [];
  for (let at = 0; at < columns * rows; at += 1) {
    if (isWall(at % columns, Math.floor(at / columns)) || seen.has(at)) continue;
    const cells = part(at);
    if (cells.length > largest.length) largest = cells;
  }
  if (largest.length < (columns * rows) / 4) return randomCave(columns, rows);
  const start = largest.at(-1);
  const goal = part(start).at(-1);
  map[Math.floor(start / columns)][start % columns] = "S";
  map[Math.floor(goal / columns)][goal % columns] = "G";
  return map.map((row) => row.join("")).join("\n");
}

// What a text was, one change at a time.
class Versions {
  constructor() {
    this.texts = [];
    this.at = -1;
  }

  keep(text) {
    if (this.texts[this.at] === text) return;
    this.texts.splice(this.at + 1);
    this.texts.push(text);
    if (this.texts.length > 1000) this.texts.shift();
    this.at = this.texts.length - 1;
  }

  // The version before (-1) or after (1), or null.
  go(step) {
    const text = this.texts[this.at + step];
    if (text === undefined) return null;
    this.at += step;
    return text;
  }
}

// What drawings have and addresses would have to escape, and what stands for it there.
const DRAWN = "# \n";
const WRITTEN = "-_*";

function inAddress(text) {
  return text.replace(/[# \n]/g, (letter) => WRITTEN[DRAWN.indexOf(letter)]);
}

function fromAddress(text) {
  return text.replace(/[-_*]/g, (letter) => DRAWN[WRITTEN.indexOf(letter)]);
}
