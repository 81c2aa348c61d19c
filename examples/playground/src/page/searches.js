"use strict";

// Asks for searches: of the server, or of workers in a page that has none. An answer is a stream of the text of a recording.
// A question that cannot be answered is an error with its member, line and column.

function refusal(told) {
  return Object.assign(new Error(told.message), told);
}

class Server {
  async ask(question, signal) {
    let answer;
    try {
      answer = await fetch("search", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(question),
        signal,
      });
    } catch (fault) {
      if (signal.aborted) throw fault;
      throw refusal({ field: "server", message: "The server does not answer. Start the playground again and reload the page." });
    }
    if (!answer.ok) throw refusal(await answer.json());
    return answer.body.pipeThrough(new TextDecoderStream());
  }
}

class Workers {
  constructor(module) {
    this.module = module;
    this.idle = [];
  }

  static async open() {
    const answer = await fetch("playground.wasm");
    if (!answer.ok) throw new Error("there is no playground.wasm beside the page");
    // Not while it is loaded, for which its type would have to be known to the server.
    return new Workers(await WebAssembly.compile(await answer.arrayBuffer()));
  }

  // A search is stopped by ending its worker. So is one that was trapped, as by want of memory; the next has a new worker.
  ask(question, signal) {
    return new Promise((resolve, reject) => {
      const worker = this.idle.pop() ?? new Worker("worker.js");
      let sink;
      const stream = new ReadableStream({ start: (controller) => { sink = controller; } });
      const leave = (isReusable) => {
        signal.removeEventListener("abort", stop);
        worker.onmessage = null;
        worker.onerror = null;
        if (isReusable) this.idle.push(worker);
        else worker.terminate();
      };
      const stop = () => {
        leave(false);
        sink.error(signal.reason);
        reject(signal.reason);
      };
      const trapped = (why) => {
        leave(false);
        const message = `the search was ended by a fault, perhaps for want of memory: ${why}`;
        sink.enqueue(`${JSON.stringify({ event: "fault", message })}\n`);
        sink.close();
        resolve(stream);
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop);
      worker.onerror = (event) => trapped(event.message ?? "the worker cannot begin");
      worker.onmessage = ({ data: { text, refusal: told, trap, isDone } }) => {
        if (text !== undefined) {
          sink.enqueue(text);
          resolve(stream);
        } else if (told) {
          reject(refusal(told));
        } else if (isDone) {
          leave(true);
          sink.close();
        } else {
          trapped(trap);
        }
      };
      worker.postMessage({ module: this.module, question });
    });
  }
}
