// kill -9 while eight clients write: no acknowledged write is lost, none is half there, and `verify` finds nothing.
import { expect, test } from "bun:test";
import { newDataDir, runProgram, type Served, serveProgram } from "../support/program.ts";
import { proved } from "../support/proof.ts";
import { RELEASE } from "../support/release.ts";

const ROUNDS = RELEASE ? 200 : 20;
/** Each in a data directory of its own, so that looking at everything after each kill stays quick. */
const LIVES = RELEASE ? 5 : 1;
const CLIENTS = 8;

interface Acknowledged {
  readonly securityId: string;
  readonly key: string;
}

/** What this test looks at in answers. */
interface Body {
  readonly id: string;
  readonly data: { readonly securityId: string };
  readonly items: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

async function call(served: Served, method: string, path: string, body?: unknown, key?: string) {
  const headers: Record<string, string> = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
  if (key) headers["idempotency-key"] = key;
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(`${served.url}/api/v1${path}`, init);
  return { status: response.status, json: (await response.json()) as Body };
}

const lives = Array.from({ length: LIVES }, (_, life) => life + 1);

test.each(lives)(
  `life %i: ${ROUNDS} rounds of kill -9 during writes lose no acknowledged write`,
  async (life) => {
    const dataDir = newDataDir();
    let served = await serveProgram(dataDir);
    const person = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
    const stakeholderId = (await call(served, "POST", "/stakeholders", person)).json.id;
    const shareClass = { name: "C", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
    const stockClassId = (
      await call(served, "POST", "/share-classes", { ...shareClass, initialSharesAuthorized: "1000000000" })
    ).json.id;
    const acknowledged: Acknowledged[] = [];

    for (let round = 0; round < ROUNDS; round++) {
      const issue = async (client: number, n: number) => {
        const key = `r${round}-c${client}-${n}`;
        const body = { stakeholderId, stockClassId, quantity: "1", certificateId: key, effectiveDate: "2026-01-15" };
        const { status, json } = await call(served, "POST", "/transactions/issue-shares", body, key);
        if (status === 201) acknowledged.push({ securityId: json.data.securityId, key });
      };
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = 0; ; n++) await issue(client, n);
      });
      const ended = Promise.allSettled(clients);
      await Bun.sleep(20 + ((round * 37) % 200));
      await served.end("SIGKILL");
      await ended;
      const verified = await runProgram(["verify", "--data-dir", dataDir, "--json"]);
      expect({ round, status: verified.status, said: verified.status ? verified.stdout : "" }).toEqual({
        round,
        status: 0,
        said: "",
      });
      served = await serveProgram(dataDir);
    }

    const held = new Set<string>();
    for (let cursor: string | null = ""; cursor !== null; ) {
      const path: string = `/securities?limit=100${cursor ? `&cursor=${cursor}` : ""}`;
      const page: Body = (await call(served, "GET", path)).json;
      for (const { id } of page.items) held.add(id);
      cursor = page.nextCursor;
    }
    expect(acknowledged.length).toBeGreaterThan(ROUNDS);
    expect(acknowledged.filter(({ securityId }) => !held.has(securityId))).toEqual([]);
    const last = acknowledged.at(-1);
    const body = { stakeholderId, stockClassId, quantity: "1", certificateId: last?.key, effectiveDate: "2026-01-15" };
    const replayed = await call(served, "POST", "/transactions/issue-shares", body, last?.key);
    expect(replayed.json.data.securityId).toBe(last?.securityId ?? "");
    expect(await served.end("SIGTERM")).toBe(0);
    if (life < LIVES) return;
    proved({
      fault: "F1",
      what: "kill -9 under load",
      count: LIVES * ROUNDS,
      seed: "-",
      result: "0 acknowledged writes lost",
    });
  },
  600_000,
);
