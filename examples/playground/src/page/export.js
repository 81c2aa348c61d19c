"use strict";

// Makes one file of recordings that plays without a server.

async function exportPage(recordings) {
  const files = ["style.css", "recording.js", "draw.js", "player.js"];
  const texts = await Promise.all(files.map(async (name) => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`the page lacks ${name}`);
    return answer.text();
  }));
  const [style, ...scripts] = texts;
  // Nothing in the data can end the element that it is in.
  const data = JSON.stringify(recordings.map(({ title, lines }) => ({ title, text: lines.join("\n") }))).replaceAll("<", "\\u003c");
  const title = recordings.map((recording) => recording.title).join(" and ");
  const safeTitle = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>${safeTitle} · a search by bestfirst</title>
<style>${style}</style>
</head>
<body>
<header class="masthead">
<h1>${safeTitle}</h1>
<p>A recorded search. <kbd>Space</kbd> plays and pauses, <kbd>,</kbd> and <kbd>.</kbd> step.</p>
</header>
<main><div class="side"></div></main>
<script type="application/json" id="recordings">${data}</script>
${scripts.map((script) => `<script>${script}</script>`).join("\n")}
<script>
"use strict";
const recordings = JSON.parse(document.getElementById("recordings").textContent);
new Player(document.querySelector("main")).load(recordings.map(({ title, text }) => {
  const recording = Recording.read(title, text);
  recording.isWhole = true;
  return recording;
}));
</script>
</body>
</html>
`;
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
