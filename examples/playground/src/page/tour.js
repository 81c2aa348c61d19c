"use strict";

// A tour of six stops. Each sets the map, the engines and what they take, says what is to be seen, and asks a question.

const STOPS = [
  {
    name: "What a heuristic does",
    shows: "example=Village&engine=dijkstra&engine2=astar&heuristic2=distance",
    says: "Dijkstra's algorithm expands by g, the cost so far, in all directions. A* expands by f = g + h, where h is a lower bound on the cost to go.",
    asks: "Which cells does Dijkstra's algorithm expand, and A* not?",
    answer: "Those whose f is above 57, the cost of a cheapest path: no path through them can be as cheap. A* expands 317 states and Dijkstra's algorithm 795.",
  },
  {
    name: "A better heuristic",
    shows: "example=Trap&engine=astar&heuristic=distance&engine2=astar&heuristic2=landmarks",
    says: "The distance ignores walls, so A* first fills the trap. Landmarks are four cells to which the true distances are known, so h knows of the walls.",
    asks: "What is left to expand with the heuristic Perfect, and what does it cost to have it?",
    answer: "37 states, those of one path, instead of 233 by the distance and 51 by landmarks. But to have it, a search from the goal has reached all cells before.",
  },
  {
    name: "What a weight does",
    shows: "example=Village&engine=astar&heuristic=distance&engine2=weighted&weight2=2&heuristic2=distance",
    says: "Weighted A* expands by g + w·h. It trusts h more, ends sooner, and its path costs at most w times the least.",
    asks: "How much worse is the path with the weight 2, and how much worse can it be, by what the search has proved?",
    answer: "It costs 59 instead of 57, after 139 expansions instead of 317. The lower bound is 47, so the factor 1.26 is proved: much less than 2, and still more than the true one.",
  },
  {
    name: "Too much weight",
    shows: "example=Hills&engine=weighted&weight=1.5&heuristic=distance&engine2=weighted&weight2=5&heuristic2=distance",
    says: "The distance knows nothing of the hills. With a large weight nearly h alone decides, and the path goes straight over them.",
    asks: "Between which of the weights 1.5, 2 and 5 does the path become worse, and when does it become bad?",
    answer: "With 1.5 it still costs 71, the least. With 2 it costs 72, and with 5 it costs 136, after 40 expansions.",
  },
  {
    name: "From both ends",
    shows: "example=Trap&engine=dijkstra&engine2=bidirectional&heuristic2=none",
    says: "Two searches, one from the start and one from the goal, meet between them. Without a heuristic each goes half as far, and both together expand less.",
    asks: "Choose A* instead of Dijkstra's algorithm, and the heuristic Distance for both engines. Which expands less now?",
    answer: "A*, with 233 states against 260. Without a heuristic it was 500 against 311. A heuristic already gives the search a direction, so the second end saves less, or nothing.",
  },
  {
    name: "IDA*",
    shows: "example=Maze&engine=astar&heuristic=distance&engine2=idastar&heuristic2=distance",
    says: "IDA* goes depth first up to a bound on f, then begins again with a higher bound. It remembers little more than its path, and expands the same states again and again.",
    asks: "In this maze, IDA* expands 3,225 states and A* 218. Choose the example Trap: what is worse there, and what helps?",
    answer: "Few paths lead to a cell of a maze, but very many to one of an open field, and IDA* follows them all: after 20,000 expansions it has no path. With the heuristic Landmarks, 155 are enough.",
  },
];

// What all stops set.
const AT_EACH_STOP = { board: "grid", neighbours: "4", expansions: "20000" };

class Tour {
  // `show` takes the settings of a stop, as in the address of the page, and `ended` is told when nothing of the tour is shown.
  constructor(root, { show, ended }) {
    Object.assign(this, { root, ended });
    this.at = null;
    const find = (selector) => root.querySelector(selector);
    this.place = find(".place");
    this.name = find("h2");
    this.says = find(".says");
    this.asks = find(".asks");
    this.answer = find("details");
    this.back = find(".back");
    this.next = find(".next");
    const go = (step) => {
      this.open(this.at + step);
      if (this.at === null) return ended();
      show(this.settings);
      // The button that was pressed may be hidden now.
      if (this.back.hidden) this.next.focus();
    };
    this.back.onclick = () => go(-1);
    this.next.onclick = () => go(1);
    find(".leave").onclick = () => go(Infinity);
    this.begin = () => {
      this.at = -1;
      go(1);
      this.next.focus();
    };
  }

  get settings() {
    return new URLSearchParams({ ...AT_EACH_STOP, ...Object.fromEntries(new URLSearchParams(STOPS[this.at].shows)) });
  }

  // Shows a stop; where there is none of this number, the tour is over.
  open(at) {
    const stop = STOPS[at];
    this.at = stop ? at : null;
    this.root.hidden = !stop;
    if (!stop) return;
    this.place.textContent = `${at + 1} of ${STOPS.length}`;
    this.name.textContent = stop.name;
    this.says.textContent = stop.says;
    this.asks.textContent = stop.asks;
    this.answer.open = false;
    this.answer.querySelector("p").textContent = stop.answer;
    this.back.hidden = at === 0;
    this.next.textContent = at + 1 < STOPS.length ? "Next stop" : "End the tour";
  }
}
