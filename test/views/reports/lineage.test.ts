// A certificate is made of its security's own line alone: it says what a replay of the whole ledger does.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Reader } from "../../../src/storage/database/sql.ts";
import { certificateOf } from "../../../src/views/reports/documents/certificate.ts";
import { statementOf } from "../../../src/views/reports/documents/document-model.ts";
import { makeDocument } from "../../../src/views/reports/documents/make.ts";
import { findStakeholderName, findVestingOf } from "../../../src/views/reports/store.ts";
import { firstSeed, seedCount } from "../../kit/proof.ts";
import { companyOf, inPlace } from "./made.ts";
import { randomCompany } from "./random-company.ts";

setDefaultTimeout(600_000);

const COMPANIES = seedCount(3, 100);
const DAYS = ["2026-06-15", "2025-06-30", "2024-12-31"];

/** What the certificate says by the whole ledger; null without one of that day. */
function byTheWhole(db: Reader, orgId: string, id: string, asOf: string, upTo: number) {
  const company = companyOf(db, { orgId }, { asOf, upTo });
  const holderId = company.view.state.securities.get(id)?.stakeholderId ?? null;
  const holder = holderId === null ? null : findStakeholderName(db, { orgId, id: holderId });
  const document = certificateOf({ company, securityId: id, holder, latest: company.head, isCopy: false });
  return document && statementOf(document).slice(0, -1);
}

function byItsLine(db: Reader, orgId: string, id: string, asOf: string, upTo: number) {
  const asked = { kind: "C", orgId, subjectId: id, asOf, today: asOf, knownAt: null, upTo } as const;
  try {
    return makeDocument(db, { ...asked, basis: "FULLY_DILUTED" }).facts.statement.slice(0, -1);
  } catch {
    return null;
  }
}

test(`every security of ${COMPANIES} random companies, on three days, as of two entries`, async () => {
  let [compared, made] = [0, 0];
  for (let index = 0; index < COMPANIES; index++) {
    await inPlace((tx) => {
      const { orgId } = randomCompany(tx, firstSeed() + index, 40);
      const { head, flows } = companyOf(tx, { orgId });
      for (const id of [...flows.securities.keys()].slice(0, 12)) {
        for (const asOf of DAYS) {
          for (const upTo of [head.sequence, Math.ceil(head.sequence / 2)]) {
            const whole = byTheWhole(tx, orgId, id, asOf, upTo);
            expect({ index, id, asOf, upTo, said: byItsLine(tx, orgId, id, asOf, upTo) }).toEqual({
              ...{ index, id, asOf, upTo },
              said: whole,
            });
            compared++;
            if (whole) made++;
          }
        }
      }
    });
  }
  expect(compared).toBeGreaterThan(10 * COMPANIES);
  expect(made).toBeGreaterThan(compared / 5);
});

test("a milestone of another organization, on a security with the same id, gives a certificate no vesting", async () => {
  await inPlace((tx) => {
    const at = "2026-01-01T00:00:00.000Z";
    const insert = (sql: string, ...values: readonly string[]) => tx.sqlite.prepare(sql).run(...values);
    for (const orgId of ["one", "other"]) {
      const organization =
        "insert into organizations (id, legalName, isNamed, createdAt, updatedAt) values (?, ?, 1, ?, ?)";
      insert(organization, orgId, orgId, at, at);
      const security = `insert into securities (orgId, id, createdAt, updatedAt, type, status, quantity, grantDate)
        values (?, 'imported', ?, ?, 'STOCK', 'ACTIVE', '1', '2026-01-01')`;
      insert(security, orgId, at, at);
    }
    const milestone = `insert into vesting_milestones (orgId, id, createdAt, updatedAt, name, securityId, quantity, status)
      values ('other', 'milestone', ?, ?, 'Launch', 'imported', '1', 'PENDING')`;
    insert(milestone, at, at);
    const found = (orgId: string) => findVestingOf(tx, { orgId, id: "imported" })?.milestoneId;
    expect([found("one"), found("other")]).toEqual([null, "milestone"]);
  });
});
