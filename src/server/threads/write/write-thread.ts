// The writer thread, so that neither a flush to disk nor a long write delays a request that only reads. It is an entry
// point of its own: `Bun.build` must be given this file beside the program's.
import { join } from "node:path";
import { present } from "../../../kernel/assert.ts";
import { systemRuntime } from "../../../kernel/runtime.ts";
import { Channel } from "../../../kernel/threads/channel.ts";
import { tellError } from "../../../kernel/threads/serialized-error.ts";
import { DATABASE_FILE, openWritable } from "../../../storage/database/open.ts";
import { Writer } from "../../../storage/database/writer.ts";
import type { WireAnswer } from "../../changes/answer.ts";
import type { Changes } from "../../changes/task.ts";
import { allRoutes } from "../../routes.ts";
import { configuredChain } from "../../service/chain-start.ts";
import { roomOf } from "../../service/room-start.ts";
import { Writing } from "../../service/writing.ts";
import type { FromThread, Order, Outcome, Outcomes, ToThread } from "./write-protocol.ts";

declare const self: Worker;

let writing: Writing | null = null;

function say(message: FromThread): void {
  self.postMessage(message);
}

function open({
  config,
  environment,
  publicUrl,
  lastRequest,
  timeOrigin,
}: Extract<ToThread, { kind: "open" }>): Writing {
  const ahead = performance.timeOrigin - timeOrigin;
  const db = openWritable(join(config.dataDir, DATABASE_FILE));
  const writer = new Writer(db, (error) => say({ kind: "broken", error: tellError(error) }));
  const opened = new Writing({
    writer,
    runtime: systemRuntime,
    routes: allRoutes(environment, {
      publicUrl: () => publicUrl,
      room: roomOf(config, db.sqlite.name),
      tellImport: (news) => say({ kind: "import", news }),
    }),
    chain: config.chain === "off" ? null : configuredChain(config, db),
    // On few cores, work here takes time from the reads all the same.
    lastRequestMs: () => present(lastRequest[0], "when a request last came") - ahead,
    onTrouble: (line, thrown) => say({ kind: "trouble", line, error: tellError(thrown) }),
  });
  opened.begin();
  return opened;
}

let settled: Outcome[] = [];

/** Sends the outcome of an order, together with all of the same commit. */
function tell(outcome: Outcome): void {
  if (settled.push(outcome) > 1) return;
  queueMicrotask(() => {
    const { statistics } = present(writing, "the writer").changes;
    say({ kind: "outcomes", outcomes: JSON.stringify({ outcomes: settled, statistics } satisfies Outcomes) });
    settled = [];
  });
}

/** Executes an order and sends its outcome, also if it throws at once. */
async function carryOut(id: number, work: () => Promise<WireAnswer | undefined>): Promise<void> {
  try {
    tell({ id, answer: (await work()) ?? null });
  } catch (thrown) {
    tell({ id, error: tellError(thrown) });
  }
}

/** The pieces of packages that are under way, by the number under which their series is answered. */
const packages = new Map<number, Channel<Uint8Array>>();

function beginSeries(changes: Changes, { id, task }: Extract<ToThread, { kind: "series" }>): void {
  const pieces = new Channel<Uint8Array>();
  packages.set(id, pieces);
  void carryOut(id, () => changes.series({ ...task, pieces }));
}

async function takePiece({ of, bytes }: Extract<ToThread, { kind: "piece" }>): Promise<undefined> {
  await packages.get(of)?.put(bytes);
}

function endPieces({ of, isWhole }: Extract<ToThread, { kind: "pieces-end" }>): void {
  const pieces = packages.get(of);
  packages.delete(of);
  if (isWhole) pieces?.end();
  else pieces?.fail(new Error("the package was not read to its end"));
}

function take(order: Order): void {
  const { changes } = present(writing, "the writer");
  if (order.kind === "use") changes.noteUse(order.use, order.at);
  else if (order.kind === "command") void carryOut(order.id, () => changes.execute(order.task));
  else if (order.kind === "export")
    void carryOut(order.id, () => changes.recordExport(order.task).then(() => undefined));
  else if (order.kind === "try") void carryOut(order.id, () => changes.tryToWrite().then(() => undefined));
  else void carryOut(order.id, () => changes.write(order.task));
}

self.onmessage = async ({ data: message }: MessageEvent<ToThread>) => {
  if (message.kind === "open") writing = open(message);
  else if (message.kind === "stop") {
    await writing?.stop();
    say({ kind: "stopped" });
  } else {
    const { changes } = present(writing, "the writer");
    if (message.kind === "upload") void carryOut(message.id, () => changes.upload(message.task));
    else if (message.kind === "series") beginSeries(changes, message);
    else if (message.kind === "piece") void carryOut(message.id, () => takePiece(message));
    else if (message.kind === "pieces-end") endPieces(message);
    else for (const order of JSON.parse(message.orders) as readonly Order[]) take(order);
  }
};
