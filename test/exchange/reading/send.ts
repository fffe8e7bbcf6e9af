// Sends one request with a file for its body, from a process of its own: what it takes to send many megabytes is not to be
// taken for the time of another's requests. Prints the answer.
const { url, method, headers, bodyFile } = JSON.parse(process.argv.at(-1) ?? "");
const answer = await fetch(url, { method, headers, body: await Bun.file(bodyFile).bytes() });
process.stdout.write(JSON.stringify({ status: answer.status, text: await answer.text() }));
