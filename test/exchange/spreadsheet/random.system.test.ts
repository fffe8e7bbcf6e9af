// Random companies, written to the template by another program, import to an equal cap table: on every day that is asked.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { randomFrom } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { convert, OFFICE } from "../../views/reports/office.ts";
import { askImport, ended } from "./asking.ts";
import { RandomCompany } from "./random-company.ts";
import { templateWorkbook } from "./workbook.ts";

const COMPANIES = RELEASE ? 300 : 3;
const STEPS = 40;
const DAYS = ["2022-06-30", "2023-01-01", "2026-11-22"];

setDefaultTimeout(RELEASE ? 3_600_000 : 300_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Named = {
  readonly id: string;
  readonly name?: unknown;
  readonly displayName?: string;
  readonly planName?: string;
  readonly certificateId?: string;
};

/** The cap table with names in place of ids, and without what tells when it was asked. */
async function tableOf(orgId: string, asOf: string): Promise<string> {
  let { text } = await server.api("GET", `/cap-table?asOf=${asOf}`, undefined, { orgId });
  for (const list of ["stakeholders", "share-classes", "equity-plans", "securities"]) {
    for (let cursor = ""; ; ) {
      const { json } = await server.api("GET", `/${list}?limit=100${cursor}`, undefined, { orgId });
      for (const { id, certificateId, displayName, planName, name } of (json.items ?? json.data) as Named[]) {
        const called = `${list} ${certificateId ?? displayName ?? planName ?? name}`;
        text = text.replaceAll(id, JSON.stringify(called).slice(1, -1));
      }
      if (json.nextCursor === null) break;
      cursor = `&cursor=${json.nextCursor}`;
    }
  }
  // The template has no column for rights to convert, and so none for what shares and votes count as converted.
  const isConverted = (name: string) => /AsConverted$|^asConverted$|^conversion$|^votes$/.test(name);
  const told = (name: string, value: unknown) => (isConverted(name) ? undefined : value);
  const { knownAt: _knownAt, ...table } = JSON.parse(text, told).data;
  return JSON.stringify(sorted(table), null, 1);
}

/** Lists in an order of their own: what was made first may differ. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sorted(member)]));
}

test(`${COMPANIES} random companies import to an equal cap table${OFFICE ? "" : " (LibreOffice is not there to write them)"}`, async () => {
  const made = new Map<string, { readonly orgId: string; readonly bytes: Uint8Array }>();
  for (let seed = 1; seed <= COMPANIES; seed++) {
    const orgId = await server.newOrganization(`Company ${seed}`);
    const company = new RandomCompany(server, orgId, randomFrom(seed));
    await company.make(STEPS);
    made.set(String(seed), { orgId, bytes: templateWorkbook(company.rows) });
  }
  const files = new Map([...made].map(([seed, { bytes }]) => [seed, bytes] as const));
  const written = OFFICE ? await convert(files, "xlsx") : files;
  expect(written.size).toBe(COMPANIES);
  let securities = 0;
  for (const [seed, { orgId: from }] of made) {
    const orgId = await server.newOrganization(`Import ${seed}`);
    const { id } = await askImport(server, written.get(seed) ?? new Uint8Array(), { orgId });
    const preview = await ended(server, id, orgId);
    expect({ seed, failure: preview.failure, problems: preview.problems }).toEqual({
      seed,
      failure: null,
      problems: [],
    });
    await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
    expect((await ended(server, id, orgId)).state).toBe("COMMITTED");
    securities += preview.counts.stock?.create ?? 0;
    for (const asOf of DAYS)
      expect(`${seed} ${await tableOf(orgId, asOf)}`).toBe(`${seed} ${await tableOf(from, asOf)}`);
    expect(verifyDatabase(server.app.reader, orgId).differences).toEqual([]);
  }
  expect(securities).toBeGreaterThan(COMPANIES * 3);
});
