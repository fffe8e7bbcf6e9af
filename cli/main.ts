// The program `captable`: a command, or, where the program has begun itself to read a file, that and nothing else. Each
// import of a file waits for the latter to start, so that it loads neither commands nor their output.
import { READ_FILE } from "../src/exchange/reading/reading-protocol.ts";

async function main(): Promise<void> {
  const [, , word, ...words] = process.argv;
  if (word === READ_FILE) await (await import("../src/exchange/reading/reading-child.ts")).readFileByPipes(words);
  else await (await import("./run.ts")).run();
}

void main();
