// Runs command line tools that are modules, one after the other in this one process: a line of standard input names the
// module and its arguments, a line of standard output answers with what it printed. Ends with its standard input.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const answer = process.stdout.write.bind(process.stdout);
const ended = Symbol("the tool ended itself");
let printed = "";
let count = 0;

process.stdout.write = (text) => {
  printed += text;
  return true;
};
process.exit = () => {
  throw ended;
};

for await (const line of createInterface({ input: process.stdin })) {
  const { file, args } = JSON.parse(line);
  printed = "";
  process.argv = [process.argv[0], file, ...args];
  let failure = null;
  try {
    // Another address each time, or it would run once.
    await import(`${pathToFileURL(file).href}?${++count}`);
  } catch (thrown) {
    if (thrown !== ended) failure = String(thrown);
  }
  answer(`${JSON.stringify({ printed, failure })}\n`);
}
