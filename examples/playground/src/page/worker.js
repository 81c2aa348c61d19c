"use strict";

// Runs the searches of a page that has no server: takes a question, and sends the text of its recording, piece by piece.
// Each search has an instance of the module of its own, and so all of the memory.

function search(module, question) {
  let instance = null;
  let panic = null;
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(instance.exports.memory.buffer, at, length));
  const host = {
    now: () => performance.now(),
    write: (at, length) => postMessage({ text: text(at, length) }),
    refuse: (at, length) => postMessage({ refusal: JSON.parse(text(at, length)) }),
    panicked: (at, length) => { panic = text(at, length); },
  };
  try {
    instance = new WebAssembly.Instance(module, { host });
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const at = instance.exports.question(bytes.length);
    new Uint8Array(instance.exports.memory.buffer, at, bytes.length).set(bytes);
    instance.exports.search();
    postMessage({ isDone: true });
  } catch (fault) {
    postMessage({ trap: panic ?? String(fault) });
  }
}

onmessage = ({ data: { module, question } }) => search(module, question);
