// Plays a script under a trace, and keeps what is needed to let the power fail at any moment of it afterwards.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReadOnly } from "../../../src/storage/database/open.ts";
import { PROGRAM } from "../../kit/program.ts";
import { broken, type Contents, contentsOf, momentsOf, type Promised } from "./acknowledged.ts";
import { DiskHistory } from "./disk-image.ts";
import { Recorder } from "./recorder.ts";
import type { Script } from "./scripts.ts";
import { type Running, runUnder, serveUnder } from "./serve.ts";
import { Trace } from "./trace.ts";

/** A script that was played to its end. */
export interface Played {
  readonly name: string;
  readonly history: DiskHistory;
  /** What was promised, and when. */
  readonly promises: ReadonlyMap<Promised, number>;
  /** What the data directory held at the end. */
  readonly final: Contents;
}

/** Where folders of images are quick to write. */
export const QUICK_FOLDER = process.platform === "linux" ? "/dev/shm" : tmpdir();

/** Plays a script, by default with the program as it is. Throws where something promised is not there at the end. */
export async function play(script: Script, program: readonly string[] = PROGRAM): Promise<Played> {
  const base = realpathSync(mkdtempSync(join(QUICK_FOLDER, "captable-power-")));
  const folder = join(base, "disk");
  mkdirSync(folder);
  try {
    const trace = new Trace(folder, join(base, "logs"));
    const client = new Recorder();
    await perform(script, folder, client, trace, program);
    const calls = await trace.calls();
    const promised = client.promised();
    const db = openReadOnly(join(folder, "data", "captable.db"));
    const final = contentsOf(db);
    db.sqlite.close();
    const lost = broken(promised, final, folder);
    if (lost.length > 0) throw new Error(`without any fault, ${script.name} lost ${lost.join(", ")}`);
    return { name: script.name, history: new DiskHistory(folder, calls), promises: momentsOf(promised, calls), final };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function perform(
  script: Script,
  folder: string,
  client: Recorder,
  trace: Trace,
  program: readonly string[],
): Promise<void> {
  const dataDir = join(folder, "data");
  let server: Running | null = null;
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    const running = server;
    server = null;
    await running?.end(signal);
  };
  const serve = async () => {
    server = await serveUnder(trace.under(), dataDir, "", program);
    if (server.url === null) throw new Error(`serve ended: ${(await server.ended).stderr}`);
    client.url = server.url;
    client.key = readFileSync(join(dataDir, "admin.key"), "utf8").trim();
  };
  const command = async (...args: string[]) => {
    const ended = await runUnder(trace.under(), [...args, "--data-dir", dataDir, "--json"], program);
    if (ended.status !== 0) throw new Error(`${args.join(" ")} ended with ${ended.status}: ${ended.stderr}`);
    return ended.stdout;
  };
  try {
    await script.run({ folder, client, serve, end, command });
  } finally {
    await end("SIGTERM");
  }
}
