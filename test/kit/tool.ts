// The independent tools for Open Cap Format beside a checkout. Starting one takes longer than what it does, so all of a run
// share a process.
import { join } from "node:path";
import { present } from "../../src/kernel/assert.ts";

interface Answer {
  readonly printed: string;
  readonly failure: string | null;
}

/** A process that runs tools, one after the other. */
class ToolHost {
  readonly #input: { write(text: string): unknown; flush(): unknown };
  readonly #lines: AsyncIterator<string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    const node = present(Bun.which("node") ?? process.execPath, "a program that runs the tools");
    const root = join(import.meta.dir, "../..");
    const child = Bun.spawn([node, join(import.meta.dir, "tool-host.mjs")], {
      env: { ...process.env, NODE_PATH: join(root, "node_modules") },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    child.unref();
    this.#input = child.stdin;
    this.#lines = linesOf(child.stdout);
  }

  /** Runs a tool after those that were asked for before; returns what it printed, and throws what it threw. */
  run(file: string, args: readonly string[]): Promise<string> {
    const answered = this.#last.then(async () => {
      this.#input.write(`${JSON.stringify({ file, args })}\n`);
      this.#input.flush();
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`${file}: the process that runs the tools ended`);
      const { printed, failure }: Answer = JSON.parse(value);
      if (failure !== null) throw new Error(`${file}: ${failure}`);
      return printed;
    });
    this.#last = answered.catch(() => undefined);
    return answered;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

let host: ToolHost | null = null;

/** What a tool prints: the module `file`, with the arguments that it would have on the command line. */
export function runTool(file: string, args: readonly string[]): Promise<string> {
  host ??= new ToolHost();
  return host.run(file, args);
}
