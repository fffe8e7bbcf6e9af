// kill -9 while clients send batches, and each batch sent again with its key until it is answered: each is there once and
// whole, and before that not at all.
import { expect, test } from "bun:test";
import { runCommand } from "../../kit/command.ts";
import { newDataDir, type Served, serveProgram } from "../../kit/program.ts";
import { firstSeed, proved } from "../../kit/proof.ts";
import { seeded } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";

const ROUNDS = RELEASE ? 100 : 4;
const CLIENTS = 4;
/** Holders of a batch; each has an issuance as well. */
const HOLDERS = 20;
const TIMEOUT_MS = 3_600_000;

async function call(served: Served, method: string, path: string, body?: unknown, key?: string) {
  const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
  const response = await fetch(`${served.url}/api/v1${path}`, {
    method,
    headers: key === undefined ? headers : { ...headers, "idempotency-key": key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Answered;
  return { status: response.status, json };
}

function batchOf(tag: string, stockClassId: string) {
  const one = (at: number) => {
    const displayName = `${tag} ${at}`;
    const holder = { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" };
    const issued = { quantity: "1", certificateId: `${tag}-${at}`, effectiveDate: "2026-01-15" };
    const body = { stakeholderId: { $ref: `h${at}.id` }, stockClassId, ...issued };
    return [
      { method: "POST", path: "/api/v1/stakeholders", name: `h${at}`, body: holder },
      { method: "POST", path: "/api/v1/transactions/issue-shares", body },
    ];
  };
  return { operations: Array.from({ length: HOLDERS }, (_, at) => one(at)).flat() };
}

/** The members of answers that this test looks at. */
interface Answered {
  readonly id: string;
  readonly items: readonly { readonly displayName: string }[];
  readonly nextCursor: string | null;
}

/** How many holders there are of each batch, by its tag. */
async function countByTag(served: Served): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let cursor = ""; ; ) {
    const { json } = await call(served, "GET", `/stakeholders?limit=100${cursor}`);
    const { items, nextCursor } = json;
    for (const { displayName } of items) {
      const [tag = ""] = displayName.split(" ");
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    if (nextCursor === null) return counts;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

test(
  `${ROUNDS} kills while ${CLIENTS} clients send batches: each is there once and whole`,
  async () => {
    const pick = seeded(firstSeed());
    const dataDir = newDataDir();
    let served = await serveProgram(dataDir);
    const shareClass = { name: "C", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
    const limit = { initialSharesAuthorized: "1000000000" };
    const made = await call(served, "POST", "/share-classes", { ...shareClass, ...limit });
    const stockClassId = made.json.id;
    let [answered, open, halves] = [0, new Set<string>(), 0];
    const wrong: number[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const before = answered;
        const send = async (tag: string) => {
          open.add(tag);
          const { status } = await call(served, "POST", "/batch", batchOf(tag, stockClassId), tag);
          if (status !== 200) wrong.push(status);
          open.delete(tag);
          answered++;
        };
        const clients = Array.from({ length: CLIENTS }, async (_, client) => {
          for (let n = 0; ; n++) await send(`r${round}c${client}n${n}`);
        });
        const ended = Promise.allSettled(clients);
        const most = before + 1 + pick(6);
        while (answered < most && wrong.length === 0) await Bun.sleep(1);
        await Bun.sleep(pick(12));
        await served.end("SIGKILL");
        await ended;
        expect(wrong).toEqual([]);
        const verified = await runCommand(["verify", "--data-dir", dataDir]);
        expect({ round, status: verified.status, said: verified.status ? verified.stdout : "" }).toEqual({
          ...{ round, status: 0, said: "" },
        });
        served = await serveProgram(dataDir);
        const counts = await countByTag(served);
        halves += [...open].filter((tag) => counts.has(tag)).length;
        expect([...counts.values()].filter((count) => count !== HOLDERS)).toEqual([]);
        for (const tag of open) {
          expect((await call(served, "POST", "/batch", batchOf(tag, stockClassId), tag)).status).toBe(200);
          answered++;
        }
        open = new Set();
      }
      const counts = await countByTag(served);
      expect(counts.size).toBe(answered);
      expect([...counts.values()].filter((count) => count !== HOLDERS)).toEqual([]);
    } finally {
      await served.end();
    }
    proved({
      ...{ fault: "BA2", what: "kills while batches are sent, and sent again with their keys", count: ROUNDS },
      seed: String(firstSeed()),
      result: `${answered} batches, each there once and whole; ${halves} had taken effect before their answer was lost`,
    });
  },
  TIMEOUT_MS,
);
