// Exports and imports for tests: a package as objects, and packages between organizations.
import { expect } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { importPackage } from "../../../../src/exchange/ocf/import/run.ts";
import type { JsonObject } from "../../../../src/exchange/ocf/json.ts";
import { commandLineCall } from "../../../../src/kernel/call.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";
import { MATERIAL, SCHEMAS } from "../../../kit/ocf-material.ts";
import { RELEASE } from "../../../kit/release.ts";
import type { TestServer } from "../../../kit/service.ts";
import { runTool } from "../../../kit/tool.ts";
import { officialFaults } from "../official-schemas.ts";
import { readPackage, validatePath } from "../reading.ts";
import type { Shape } from "./company.ts";

/** An export: its bytes in a file, and its parsed files by name. */
export interface Exported {
  readonly path: string;
  readonly headers: Headers;
  readonly files: Readonly<Record<string, Shape>>;
  /** All objects of the item files. */
  readonly objects: readonly JsonObject[];
}

/** Exports an organization over the API as a VIEWER. */
export async function exportOf(server: TestServer, orgId = server.orgId, query = ""): Promise<Exported> {
  const headers = { authorization: `Bearer ${await server.key("VIEWER", orgId)}` };
  const response = await fetch(`${server.url}/api/v1/cap-table/ocf-export${query}`, { headers });
  if (response.status !== 200) throw new Error(`export: ${response.status} ${await response.text()}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const path = join(mkdtempSync(join(tmpdir(), "captable-export-")), "export.ocf.zip");
  writeFileSync(path, bytes);
  const texts = Object.entries(unzipSync(bytes)).map(([name, data]) => [name, new TextDecoder().decode(data)] as const);
  const files = Object.fromEntries(texts.map(([name, text]) => [name, JSON.parse(text)]));
  return { path, headers: response.headers, files, objects: Object.values(files).flatMap((file) => file.items ?? []) };
}

/** The objects of one type in an export. */
export function ofType(exported: Exported, objectType: string): readonly Readonly<Record<string, Shape>>[] {
  return exported.objects.filter((object) => object.object_type === objectType);
}

/**
 * The package has none of the problems that our own checks find, nor of those that the official schemas do. A release run
 * asks the independent validator as well, which looks at the references again and takes most of a second for it;
 * export.test.ts always does.
 */
export async function expectNoProblems({ path }: Pick<Exported, "path">): Promise<void> {
  expect((await validatePath(path)).problems.filter(({ severity }) => severity === "problem")).toEqual([]);
  const files = Object.values(unzipSync(readFileSync(path))).map((data) => JSON.parse(new TextDecoder().decode(data)));
  expect(officialFaults(files)).toEqual([]);
  if (!RELEASE) return;
  expect(await tool("ocf-validate.mjs", path, SCHEMAS)).toMatch(/^0 problems in /m);
}

/** Calls the API for one organization; throws what it refuses. */
export function callerOf(server: TestServer, orgId: string) {
  return async (method: string, path: string, body?: unknown): Promise<Shape> => {
    const answer = await server.api(method, path, body, { orgId });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json.data ?? answer.json;
  };
}

/** Imports the package at `path` and returns the report. */
export async function importInto(server: TestServer, orgId: string, path: string) {
  const call = () => commandLineCall(systemRuntime, orgId);
  return importPackage({ call, writer: server.app.writer }, await readPackage(path));
}

/** What tools printed, by what they were asked, and the bytes of the packages: the same package is looked at once. */
const printed = new Map<string, Promise<string>>();

/** What one of the independent tools prints of a package. */
export function tool(name: string, ...args: readonly string[]): Promise<string> {
  const asked = [name, ...args.map((arg) => (arg.endsWith(".zip") ? contentsOf(arg) : arg))].join("\n");
  const said = printed.get(asked) ?? runTool(join(MATERIAL, name), args);
  printed.set(asked, said);
  return said;
}

/** The texts in an archive, whatever the order of its members and the moment that they tell of, as one hash. */
function contentsOf(path: string): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const [name, data] of Object.entries(unzipSync(readFileSync(path))).sort()) {
    hash.update(name).update(new TextDecoder().decode(data).replace(/"generated_at":\s*"[^"]*"/, ""));
  }
  return hash.digest("hex");
}
