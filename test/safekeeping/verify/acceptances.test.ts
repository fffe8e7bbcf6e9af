// Falsified acceptances, each reported by its kind.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Acceptances, compareAcceptances } from "../../../src/safekeeping/verify/acceptances.ts";
import type { Difference } from "../../../src/safekeeping/verify/report.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { digestText } from "../../../src/storage/database/log/log-hash.ts";
import { openReadOnly } from "../../../src/storage/database/open.ts";
import { Asking, acceptWith, waitingFor } from "../../views/portal/acceptance-kit.ts";

setDefaultTimeout(60_000);

let asking: Asking;
let ids: Readonly<Record<"accepted" | "paper" | "waiting" | "ada" | "bob", string>>;

beforeAll(async () => {
  asking = await Asking.start();
  const { org, planId, ada, bob, as } = await asking.company();
  const [accepted, paper, waiting] = [
    await org.option(ada, planId),
    await org.option(ada, planId),
    await org.option(ada, planId),
  ];
  const person = await as([ada]);
  expect((await acceptWith(person, await waitingFor(person, accepted))).status).toBe(201);
  await org.made(`/securities/${paper}/acceptances`, { acceptedOn: "2026-05-01" });
  ids = { accepted, paper, waiting, ada, bob };
});
afterAll(() => asking.server.stop());

/** What verify tells of a copy of the file after `falsify`, with nothing in SQLite to stop it. */
function differences(falsify: (db: Database.Database) => void): readonly Difference[] {
  const file = join(asking.server.dataDir, "falsified.db");
  rmSync(file, { force: true });
  asking.server.app.writer.db.sqlite.prepare("vacuum into ?").run(file);
  const sqlite = new Database(file);
  sqlite.pragma("foreign_keys = OFF");
  for (const verb of ["update", "delete"]) sqlite.exec(`drop trigger acceptances_no_${verb}`);
  falsify(sqlite);
  sqlite.close();
  const db = openReadOnly(file);
  try {
    return verifyDatabase(db).differences;
  } finally {
    db.sqlite.close();
  }
}

const OTHER = "replace(shown, '\"100 options\"', '\"900 options\"')";

/** A change of the file, and the codes that report it. */
const FALSIFIED: Readonly<Record<string, readonly [sql: (() => string)[], codes: readonly string[]]>> = {
  "what was shown": [
    [() => `update acceptances set shown = ${OTHER} where kind = 'PORTAL'`],
    ["acceptance-altered", "row-differs"],
  ],
  "what was shown, in another order": [
    [() => "update acceptances set shown = ' ' || shown where kind = 'PORTAL'"],
    ["acceptance-altered", "row-differs"],
  ],
  "what was shown and its digest": [
    [() => `update acceptances set shown = ${OTHER}, digest = sha256(${OTHER}) where kind = 'PORTAL'`],
    ["row-differs", "row-differs"],
  ],
  "the digest": [
    [() => `update acceptances set digest = '${"0".repeat(64)}' where kind = 'PORTAL'`],
    ["acceptance-altered", "row-differs"],
  ],
  "who accepted": [[() => "update acceptances set name = 'Eve' where kind = 'PORTAL'"], ["row-differs"]],
  "where from": [[() => "update acceptances set address = '192.0.2.1' where kind = 'PORTAL'"], ["row-differs"]],
  "when it was signed": [
    [() => "update acceptances set acceptedAt = '2026-04-01T00:00:00.000Z' where kind = 'PAPER'"],
    ["acceptance-differs", "row-differs"],
  ],
  "an acceptance taken out": [
    [() => "delete from acceptances where kind = 'PAPER'"],
    ["acceptance-differs", "row-missing"],
  ],
  "an acceptance put in": [
    [
      () => `insert into acceptances (orgId, id, securityId, stakeholderId, kind, acceptedAt, ledgerSequence, ledgerHead,
        createdAt) select orgId, 'forged', '${ids.waiting}', stakeholderId, kind, acceptedAt, ledgerSequence, ledgerHead,
        createdAt from acceptances where kind = 'PAPER'`,
    ],
    ["row-unexplained"],
  ],
  "a security that says it is accepted": [
    [
      () => `update securities set acceptanceStatus = 'ACCEPTED', acceptedAt = '2026-05-01T00:00:00.000Z'
        where id = '${ids.waiting}'`,
    ],
    ["acceptance-differs", "row-differs", "row-differs"],
  ],
  "the word alone": [
    [() => `update securities set acceptanceStatus = 'ACCEPTED' where id = '${ids.waiting}'`],
    ["acceptance-differs", "row-differs"],
  ],
  "a security that says it waits": [
    [() => `update securities set acceptanceStatus = 'PENDING' where id = '${ids.accepted}'`],
    ["acceptance-differs", "row-differs"],
  ],
};

describe("verify finds", () => {
  test("nothing in the sound file", () => {
    expect(differences(() => undefined)).toEqual([]);
  });
  for (const [what, [statements, codes]] of Object.entries(FALSIFIED)) {
    test(what, () => {
      const found = differences((db) => {
        db.function("sha256", { deterministic: true }, (text: unknown) => digestText(String(text)));
        for (const statement of statements) expect(db.prepare(statement()).run().changes).toBe(1);
      });
      expect(found.map(({ code }) => String(code)).sort()).toEqual([...codes]);
      expect(found.every(({ subject }) => /^(acceptance|security|log row) /.test(subject))).toBe(true);
    });
  }
});

describe("what a security says of its acceptance", () => {
  const at = "2026-05-01T00:00:00.000Z";
  const acceptance = {
    ...{ id: "a", securityId: "s", stakeholderId: "ada", acceptedAt: at, shown: null, digest: null },
    ledgerSequence: 5,
  };
  const security = {
    id: "s",
    stakeholderId: "ada",
    asksAcceptance: 1,
    acceptanceStatus: "ACCEPTED",
    acceptanceAskedAt: at,
    acceptedAt: at,
  } as const;
  const found = (of: Partial<Acceptances>) => {
    const details: string[] = [];
    const whole = { acceptances: [acceptance], securities: [security], lastEdits: new Map(), ...of };
    compareAcceptances(whole, ({ detail }) => details.push(detail));
    return details.join("; ");
  };

  test("is what the acceptances say", () => {
    expect(found({})).toBe("");
    expect(found({ lastEdits: new Map([["s", 5]]) })).toBe("");
    const next = { ...acceptance, id: "b", acceptedAt: "2026-05-02T00:00:00.000Z" };
    expect(found({ acceptances: [acceptance, next] })).toContain("no acceptance does");
  });
  test("holds for its holder alone, and until it is edited", () => {
    expect(found({ securities: [{ ...security, stakeholderId: "bob" }] })).toContain("another holder");
    expect(found({ lastEdits: new Map([["s", 6]]) })).toContain("a direct edit came after");
  });
  test("tells since when it waits", () => {
    const waiting = { ...security, acceptanceStatus: "PENDING", acceptedAt: null } as const;
    const unasked = { ...waiting, asksAcceptance: 0 } as const;
    expect(found({ securities: [waiting] })).toBe("");
    expect(found({ securities: [{ ...waiting, acceptanceAskedAt: null }] })).toContain("since when");
    expect(found({ securities: [unasked] })).toContain("NOT_ASKED follows");
  });
});
