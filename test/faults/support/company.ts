// A data directory with something of everything in it, made once and copied for each fault; and what must be true of it
// after a fault: nothing acknowledged is lost, nothing refused was kept, `verify` finds nothing, and it can be written.
import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { changeCompany, makeCompany } from "../../exchange/ocf/export/company.ts";
import { runCommand } from "../../kit/command.ts";
import { startTestServer } from "../../kit/service.ts";
import { makeRecords } from "../../matrix/world.ts";
import { type Running, serveUnder } from "./serve.ts";

/** A stopped data directory and how to call a server that is started on it. */
export interface Template {
  readonly dataDir: string;
  /** ADMIN keys of its organizations. */
  readonly keys: readonly [string, string];
  remove(): void;
}

/** A stopped data directory's files, by name, with the keys to it. */
interface Kept {
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array; readonly mode: number }[];
  readonly keys: readonly [string, string];
}

let kept: Promise<Kept> | null = null;

/**
 * Two organizations: one with a long ledger, one with a record of every kind. A run makes them once, and copies the files;
 * `anew` makes others.
 */
export async function makeTemplate({ anew = false }: { readonly anew?: boolean } = {}): Promise<Template> {
  if (!anew) kept ??= makeOrganizations();
  const { files, keys } = await (anew || kept === null ? makeOrganizations() : kept);
  const folder = mkdtempSync(join(tmpdir(), "captable-template-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  for (const { name, bytes, mode } of files) writeFileSync(join(dataDir, name), bytes, { mode });
  return { dataDir, keys, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function makeOrganizations(): Promise<Kept> {
  const server = await startTestServer({ CAPTABLE_LOG: "off", CAPTABLE_CHAIN: "on" });
  const ids = await makeCompany(server);
  await changeCompany(server, ids);
  const other = await server.newOrganization("Other, Inc.");
  await makeRecords(server, other);
  const headers = { authorization: `Bearer ${await server.key("ADMIN")}`, "content-type": "text/plain" };
  const content = { method: "PUT", headers, body: "The charter, in full. ".repeat(400) };
  await fetch(`${server.url}/api/v1/documents/${ids.document}/content`, content);
  const keys = [await server.key("ADMIN"), await server.key("ADMIN", other)] as const;
  await settle(server.url, keys);
  await server.app.stop();
  const found = readdirSync(server.dataDir, { withFileTypes: true }).filter((each) => each.isFile());
  const files = found.map(({ name }) => {
    const path = join(server.dataDir, name);
    return { name, bytes: readFileSync(path), mode: statSync(path).mode };
  });
  rmSync(server.dataDir, { recursive: true });
  return { files, keys };
}

interface Asked {
  readonly items: readonly { readonly id: string }[];
  readonly address: string | null;
  readonly pendingOperations: number;
}

/** Waits until the embedded chain has done what there was to do: a fault must meet a test's own writes. */
async function settle(url: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const ask = async (path: string) =>
      (await (await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).json()) as Asked;
    for (const { id } of (await ask("/share-classes?limit=100")).items) {
      for (let tries = 0; tries < 300; tries++) {
        const token = await ask(`/share-classes/${id}/token`);
        if (token.address !== null && token.pendingOperations === 0) break;
        await Bun.sleep(50);
      }
    }
  }
}

/** What became of the writes that a test made. Those without an answer may be there or not. */
export interface Written {
  readonly acknowledged: string[];
  readonly refused: string[];
}

/** Makes a legend called `name` and notes what became of it; returns the status, null where no answer came. */
export async function write(running: Running, written: Written, name: string, size = 20): Promise<number | null> {
  const answer = await running.call("POST", "/stock-legends", { name, text: "x".repeat(size) }, name);
  if (answer === null) return null;
  if (answer.status === 201) written.acknowledged.push(name);
  else {
    written.refused.push(name);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "application/problem+json"]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(JSON.parse(answer.text)).toMatchObject({ title: "Service Unavailable", status: 503 });
  }
  return answer.status;
}

/** Checks that reads are answered. */
export async function expectReads(running: Running): Promise<void> {
  for (const path of ["/stock-legends?limit=3", "/cap-table/summary", "/securities?limit=100"]) {
    expect([path, (await running.call("GET", path))?.status]).toEqual([path, 200]);
  }
}

/** The names of all legends in a stopped data directory. */
function legendNames(dataDir: string): Set<string> {
  const db = new Database(join(dataDir, "captable.db"), { readonly: true });
  const names = db.prepare<[], string>("select name from stock_legends").pluck().all();
  db.close();
  return new Set(names);
}

/** Checks a stopped data directory after a fault: it starts without one, and holds what was acknowledged and no more. */
export async function expectSound(dataDir: string, key: string, written: Written): Promise<void> {
  const verified = await runCommand(["verify", "--data-dir", dataDir]);
  expect([verified.status, verified.status === 0 ? "" : verified.stdout + verified.stderr]).toEqual([0, ""]);
  const names = legendNames(dataDir);
  expect(written.acknowledged.filter((name) => !names.has(name))).toEqual([]);
  expect(written.refused.filter((name) => names.has(name))).toEqual([]);
  const again = await serveUnder([], dataDir, key);
  expect(await write(again, { acknowledged: [], refused: [] }, `after-${Bun.randomUUIDv7()}`)).toBe(201);
  await expectReads(again);
  expect((await again.end()).status).toBe(0);
}
