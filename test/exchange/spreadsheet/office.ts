// Spreadsheets of an office, as fixtures: imported through the whole program, and what is recorded then, or which cells are
// refused.
import { expect } from "bun:test";
import { join } from "node:path";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import type { TestServer } from "../../kit/service.ts";
import { askImport, ended } from "./asking.ts";

const FILES = join(import.meta.dir, "../../fixtures/spreadsheets");
/** The day that is looked at, whenever the tests run. */
const DAY = "2026-10-31";

/** How a file is imported: its mapping has one table, but for formats that are found out. */
export interface How {
  readonly table?: object;
  readonly options?: object;
}

async function previewed(server: TestServer, file: string, { table, options = {} }: How) {
  const orgId = await server.newOrganization(file);
  const mapping = { captableMapping: 1, name: file, mode: "OUTSTANDING", tables: [table] };
  const given = table ? { format: "MAPPING", mapping } : {};
  const bytes = await Bun.file(join(FILES, file)).bytes();
  const more = { ...given, options: { asOf: DAY, ...options } };
  const { id } = await askImport(server, bytes, { orgId, name: file, more });
  const read = await ended(server, id, orgId);
  expect([read.state, read.failure]).toEqual(["PREVIEWED", null]);
  return { orgId, id, read };
}

interface Security {
  readonly id: string;
  readonly type: string;
  readonly certificateId: string;
  readonly stakeholderId: string;
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  readonly quantity: string;
  readonly pricePerShare: string | null;
  readonly exercisePrice: string | null;
  readonly grantDate: string;
}

type Read = Awaited<ReturnType<typeof previewed>>["read"];
const told = (list: Read["problems"]) => list.map(({ code, cell }: Read["problems"][0]) => `${code} ${cell}`);

/** Imports a file and says what is recorded then: a line a security, open ones alone. */
export async function recorded(server: TestServer, file: string, how: How) {
  const { orgId, id, read } = await previewed(server, file, how);
  expect(read.problems).toEqual([]);
  await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
  expect((await ended(server, id, orgId)).state).toBe("COMMITTED");
  const get = async (path: string) => (await server.api("GET", path, undefined, { orgId })).json;
  const names = async (list: string, name: (item: Record<string, string>) => string) =>
    new Map<string | null, string>(
      (await get(`/${list}?limit=100`)).items.map((item: Record<string, string>) => [item.id, name(item)]),
    );
  const holders = await names(
    "stakeholders",
    ({ displayName = "", email }) => displayName + (email ? ` <${email}>` : ""),
  );
  const classes = await names("share-classes", ({ name = "" }) => name);
  const plans = await names("equity-plans", ({ planName = "" }) => planName);
  const securities: Security[] = (await get("/securities?limit=100&status=ACTIVE")).items;
  const lines = securities.map((each) => {
    const of = plans.get(each.equityPlanId) ?? classes.get(each.stockClassId) ?? each.type;
    const price = each.pricePerShare ?? each.exercisePrice ?? "-";
    return [each.certificateId, holders.get(each.stakeholderId), of, each.quantity, price, each.grantDate].join(" | ");
  });
  const vested = async (certificate: string, asOf = DAY) => {
    const security = securities.find(({ certificateId }) => certificateId === certificate);
    const answer = await get(`/securities/${security?.id}/vesting?asOf=${asOf}`);
    return Number(answer.vested) - Number(answer.exercised);
  };
  const { data: table } = await get(`/cap-table?asOf=${DAY}`);
  expect(verifyDatabase(server.app.reader, orgId).differences).toEqual([]);
  return { lines: lines.sort(), totals: table.totals, read, vested, warnings: told(read.warnings) };
}

/** A file that is refused is not committed either. */
export async function refused(server: TestServer, file: string, how: How): Promise<readonly string[]> {
  const { orgId, id, read } = await previewed(server, file, how);
  expect((await server.api("POST", `/imports/${id}/commit`, undefined, { orgId })).status).toBe(409);
  return told(read.problems);
}
