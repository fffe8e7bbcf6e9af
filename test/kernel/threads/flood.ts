// Asks for one thing many times at a time, until its standard input ends; then prints how often it was answered how.
const { url, method, headers, together, waitMs, bodyFile } = JSON.parse(process.argv.at(-1) ?? "");
const archive = bodyFile === null ? null : await Bun.file(bodyFile).bytes();
const body = archive ?? (method === "POST" ? "{}" : null);
const contentType = archive === null ? "application/json" : "application/zip";
const init: RequestInit = { method, body, headers: { ...headers, "content-type": contentType } };
const counts: Record<string, number> = {};
let [isOver, hasBegun] = [false, false];

const loops = Array.from({ length: together }, async () => {
  while (!isOver) {
    const answer = await fetch(url, init);
    await answer.arrayBuffer();
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    if (!hasBegun) process.stdout.write("begun\n");
    hasBegun = true;
    // As often as the limit of a key's requests lets it, whatever it is told.
    await Bun.sleep(waitMs);
  }
});
for await (const _ of Bun.stdin.stream());
isOver = true;
await Promise.all(loops);
process.stdout.write(JSON.stringify(counts));
