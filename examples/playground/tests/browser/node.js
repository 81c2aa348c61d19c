"use strict";

// Runs the worker of the page without a browser: each line of the standard input is a question, each line of the output has the
// messages of the worker. With `--slow`, a second passes whenever the clock is read.

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const [folder, option] = process.argv.slice(2);
const module_ = new WebAssembly.Module(fs.readFileSync(path.join(folder, "playground.wasm")));
if (option === "--slow") {
  let seconds = 0;
  Object.defineProperty(globalThis, "performance", { value: { now: () => (seconds += 1) * 1000 } });
}
let messages = [];
globalThis.onmessage = null;
globalThis.postMessage = (message) => messages.push(message);
vm.runInThisContext(fs.readFileSync(path.join(folder, "worker.js"), "utf8"));
const answers = fs.readFileSync(0, "utf8").trim().split("\n").map((line) => {
  messages = [];
  globalThis.onmessage({ data: { module: module_, question: JSON.parse(line) } });
  return JSON.stringify(messages);
});
fs.writeFileSync(1, `${answers.join("\n")}\n`);
