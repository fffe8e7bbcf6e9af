// Takes an organization's export into another one of the same server, and compares what models say of the two.
import { expect } from "bun:test";
import { itemsOf } from "../../../src/exchange/ocf/package.ts";
import { validatePackage } from "../../../src/exchange/ocf/validate.ts";
import { readZip } from "../../exchange/ocf/reading.ts";
import type { TestServer } from "../../kit/service.ts";

/** The objects of an export. */
export type Objects = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** The export of an organization: the archive, and its objects by type and id. Nothing is wrong with it. */
export async function exportOf(server: TestServer, orgId: string): Promise<{ zip: Uint8Array; objects: Objects }> {
  const headers = { authorization: `Bearer ${await server.key("VIEWER", orgId)}` };
  const answer = await fetch(`${server.url}/api/v1/cap-table/ocf-export`, { headers });
  const zip = new Uint8Array(await answer.arrayBuffer());
  const ocf = await readZip(zip);
  expect(validatePackage(ocf).problems).toEqual([]);
  const all = [...itemsOf(ocf)].map(({ value }) => value as Readonly<Record<string, unknown>>);
  return { zip, objects: new Map(all.map((object) => [`${object.object_type} ${object.id}`, object])) };
}

/** Imports an archive into a new organization. */
export async function importElsewhere(server: TestServer, zip: Uint8Array): Promise<string> {
  const orgId = await server.newOrganization();
  const headers = { "content-type": "application/zip" };
  const answer = await server.api("POST", "/cap-table/ocf-import", zip, { orgId, headers });
  expect([answer.status, answer.json.data.errors]).toEqual([200, []]);
  return orgId;
}

let asked: Promise<unknown> = Promise.resolve();

/**
 * What a request is answered, without what tells when it was computed. One after another: of a caller only a few may
 * wait at once, and all tests here call with one key.
 */
export function answerOf(server: TestServer, orgId: string, path: string, body?: unknown): Promise<unknown> {
  const answer = asked.then(() => askFor(server, orgId, path, body));
  asked = answer.catch(() => undefined);
  return answer;
}

async function askFor(server: TestServer, orgId: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await server.api(body === undefined ? "GET" : "POST", path, body, { orgId });
  expect([path, answer.status]).toEqual([path, 200]);
  const { knownAt: _, ledgerSequence: __, digest: ___, ...data } = answer.json.data;
  return data;
}
