// What is hashed is written a few members at a time, in an order that the code lists: of any values it is what the library
// makes of the whole row, as read back from the database.
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import canonicalize from "canonicalize";
import { type Call, commandLineCall } from "../../../../src/kernel/call.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";
import { appendEntries } from "../../../../src/ledger/store.ts";
import { makeUnnamedOrganization } from "../../../../src/server/service/bootstrap.ts";
import { changeLoggedColumns, insertLoggedColumns } from "../../../../src/storage/database/log/logged.ts";
import { DATABASE_FILE, openWritable } from "../../../../src/storage/database/open.ts";
import type { Tx } from "../../../../src/storage/database/sql.ts";
import { migratedDataDir } from "../../../kit/migrated.ts";
import { Random } from "../../../kit/random.ts";

const TEXTS = [
  "",
  "Ada",
  "1.50",
  'a "b" \\ c',
  "\\ud800",
  "é\u0000\n\u2028",
  "😀 𝒜",
  "\u007f",
  "half \ud800 a pair",
  "\udc00",
] as const;
const NAMES = ["name", "Name", "a", "10", "9", "é", "_", "", "z", "directEdit"] as const;
const ROWS = 200;

type Columns = Readonly<Record<string, string | number | null>>;

function digest(value: unknown): string {
  return Bun.CryptoHasher.hash("sha256", canonicalize(value) as string, "hex");
}

/** Random JSON; a member may be left out as undefined. No text of it lacks half of a pair, which no hash is made of. */
function metadataOf(random: Random, depth: number): Record<string, unknown> {
  const value = (): unknown => {
    const kind = random.below(depth === 0 ? 4 : 7);
    if (kind === 6) return Array.from({ length: random.below(3) }, value);
    if (kind > 3) return metadataOf(random, depth - 1);
    return [random.pick(TEXTS).toWellFormed(), random.below(9) - 4, undefined, true][kind] ?? null;
  };
  return Object.fromEntries(Array.from({ length: random.below(5) }, () => [random.pick(NAMES), value()]));
}

async function inOrganization(work: (tx: Tx, call: Call) => void): Promise<void> {
  const folder = await migratedDataDir();
  const { sqlite } = openWritable(join(folder, DATABASE_FILE));
  try {
    const tx: Tx = { sqlite, isWritable: true };
    work(tx, commandLineCall(systemRuntime, makeUnnamedOrganization(tx, systemRuntime)));
  } finally {
    sqlite.close();
    rmSync(folder, { recursive: true });
  }
}

test("a row of the log has the record's columns as stored, and the hash of its own members", async () => {
  await inOrganization((tx, call) => {
    const random = new Random(7);
    const stored = tx.sqlite.prepare<[string], Columns>("select * from stakeholders where id = ?");
    const last = tx.sqlite.prepare<[], Columns>("select * from audit_log order by seq desc limit 1");
    const text = (): string | null => (random.chance(0.3) ? null : random.pick(TEXTS));
    let unpaired = 0;
    for (let at = 0; at < ROWS; at++) {
      const whole = () => text()?.toWellFormed() ?? null;
      const by = { ...call, at: `at ${whole()}`, actorName: whole(), sessionId: whole(), path: whole() };
      const [id, displayName] = [`${at} ${text()}`.toWellFormed(), text() ?? "x"];
      const needed = { name: "{}", type: "INDIVIDUAL", status: "CURRENT", relationships: "[]", searchText: "" };
      const times = { createdAt: by.at, updatedAt: by.at };
      insertLoggedColumns(tx, by, "stakeholders", {
        ...{ ...needed, ...times, id, orgId: call.orgId, displayName, email: text(), comments: text() },
      });
      const made = last.get() as Columns;
      const { seq: _of, ...row } = stored.get(id) as Columns;
      expect(made.after).toBe(canonicalize(row) as string);
      if (!displayName.isWellFormed()) unpaired++;

      changeLoggedColumns(tx, by, "stakeholders", id, { displayName: `${displayName} again`, comments: `${at}` });
      const changed = last.get() as Columns;
      const { displayName: name, comments } = stored.get(id) as Columns;
      expect(changed.after).toBe(canonicalize({ displayName: name, comments }) as string);
      for (const { seq: _seq, hash, sessionId, before, after, ...members } of [made, changed]) {
        const json = { before: JSON.parse(String(before)), after: JSON.parse(String(after)) };
        expect(hash).toBe(digest({ ...members, ...json, ...(sessionId === null ? {} : { sessionId }) }));
      }
    }
    expect(unpaired).toBeGreaterThan(ROWS / 20);
  });
});

test("an entry has the hash of its members and of the metadata that are stored", async () => {
  await inOrganization((tx, call) => {
    const random = new Random(11);
    const last = tx.sqlite.prepare<[], Columns>("select * from transactions order by seq desc limit 1");
    let nested = 0;
    for (let at = 0; at < ROWS; at++) {
      const metadata = random.chance(0.1) ? null : metadataOf(random, 3);
      const entry = { type: "STOCK_ISSUANCE", securityId: null, stakeholderId: null, quantity: "1" } as const;
      const when = { effectiveDate: "2026-01-15", createdAt: call.at, recordOnly: at % 2 === 0 ? 0 : 1 } as const;
      const [row] = appendEntries(tx, call.orgId, [{ ...entry, ...when, orgId: call.orgId, id: `e${at}`, metadata }]);
      const { seq: _seq, hash, recordOnly, ...members } = last.get() as Columns;
      expect(row).toMatchObject({ ...members, hash, recordOnly });
      expect(members.metadata).toBe(metadata && JSON.stringify(metadata));
      const json = members.metadata === null ? null : JSON.parse(String(members.metadata));
      expect(hash).toBe(digest({ ...members, metadata: json, recordOnly: recordOnly === 1 }));
      if (String(members.metadata).includes(":{")) nested++;
    }
    expect(nested).toBeGreaterThan(ROWS / 10);
  });
});
