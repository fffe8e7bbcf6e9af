// A whole service that is given files from outside, beside another tenant that goes on with its work.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../kit/command.ts";
import type { Served } from "../../kit/program.ts";

/** An answer. */
export interface Told {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
  readonly json: any;
}

/** Calls the API of a served program. */
export async function call(
  { url, key }: Pick<Served, "url" | "key">,
  method: string,
  path: string,
  body?: object,
  type = "application/json",
): Promise<Told> {
  const sent = body instanceof Uint8Array ? body : JSON.stringify(body);
  const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": type }) };
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: sent }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith("{") ? JSON.parse(text) : {} };
}

/** Posts a file from a process of its own: what it takes to make and send it is then not the measuring one's. */
export async function send(
  { url, key }: Pick<Served, "url" | "key">,
  path: string,
  bodyFile: string,
  type: string,
): Promise<Told> {
  const headers = { authorization: `Bearer ${key}`, "content-type": type };
  const given = JSON.stringify({ url: `${url}/api/v1${path}`, method: "POST", headers, bodyFile });
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "send.ts"), given], { stdout: "pipe" });
  const told = (await new Response(child.stdout).json()) as Omit<Told, "json">;
  return { ...told, json: JSON.parse(told.text) };
}

/** Another organization in a served data directory, as its ADMIN. */
export async function anotherTenant(
  { url }: Pick<Served, "url">,
  dataDir: string,
): Promise<Pick<Served, "url" | "key">> {
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runCommand([...args, "--data-dir", dataDir, "--json"]);
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const { id } = await run("org", "create", "--name", "Other");
  const { key } = await run("keys", "create", "--name", "other", "--role", "ADMIN", "--org", id);
  return { url, key };
}

/** Stores a file as a document and asks for its import; answers the import's id. */
export async function importFile(
  served: Pick<Served, "url" | "key">,
  name: string,
  bytes: Uint8Array,
): Promise<string> {
  const made = await call(served, "POST", "/documents", { title: name, path: name });
  const { id: documentId } = made.json;
  await call(served, "PUT", `/documents/${documentId}/content`, bytes, "application/octet-stream");
  return (await call(served, "POST", "/imports", { documentId })).json.data.id;
}

/** Waits until an import is not being read any more. */
export async function read(served: Pick<Served, "url" | "key">, id: string) {
  for (;;) {
    const { data } = (await call(served, "GET", `/imports/${id}`)).json;
    if (data.state !== "READING") return data;
    await Bun.sleep(20);
  }
}

/** Resident memory of a process in bytes, and the most that it was; Linux alone tells it. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
  return { now: of("VmRSS"), most: of("VmHWM") };
}

/** The processes that a process has begun and that still run. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const listed = readFileSync(`/proc/${pid}/task/${task}/children`, "utf8");
    return listed.split(" ").filter(Boolean).map(Number);
  });
}

/** Waits until a process that is to read a file has stopped itself (`faults/support/held-readers.ts`). */
export async function heldReaderOf(pid: number): Promise<number> {
  for (;;) {
    const held = childrenOf(pid).find((child) => stateOf(child) === "T");
    if (held !== undefined) return held;
    await Bun.sleep(2);
  }
}

/** The state of a process as Linux names it, `T` of a stopped one; nothing of one that has ended. */
function stateOf(pid: number): string | undefined {
  try {
    return /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

/** What another tenant met: how long each write and each read took, in milliseconds. */
export interface Met {
  readonly writes: readonly number[];
  readonly reads: readonly number[];
}

/** Has another tenant write and read while `work` goes on. Every one of its requests must succeed. */
export async function beside<T>(served: Pick<Served, "url" | "key">, work: () => Promise<T>): Promise<[T, Met]> {
  const met = { writes: [] as number[], reads: [] as number[] };
  let isOver = false;
  const ada = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
  const repeat = async (times: number[], pauseMs: number, ask: () => Promise<Told>) => {
    while (!isOver) {
      const started = performance.now();
      const { status, text } = await ask();
      if (status >= 300) throw new Error(`another tenant was refused: ${text}`);
      times.push(performance.now() - started);
      await Bun.sleep(pauseMs);
    }
  };
  const others = [
    repeat(met.writes, 5, () =>
      call(served, "POST", "/stakeholders", { ...ada, displayName: `Ada ${met.writes.length}` }),
    ),
    repeat(met.reads, 2, () => call(served, "GET", "/stakeholders?limit=1")),
  ];
  try {
    return [await work(), met];
  } finally {
    isOver = true;
    await Promise.all(others);
  }
}

/** The largest of all but the given share, rounded. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
