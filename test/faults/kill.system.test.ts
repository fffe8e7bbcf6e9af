// kill -9 while eight clients write: no acknowledged write is lost, none is half there, and `verify` finds nothing.
import { expect, test } from "bun:test";
import { runCommand } from "../kit/command.ts";
import { canChange, newDataDir, PROGRAM, type Served, serveProgram, worsened } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";

const ROUNDS = RELEASE ? 200 : 4;
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

/** What a life of kills left behind. */
interface Outcome {
  readonly acknowledged: readonly Acknowledged[];
  /** Of those, what is not there at the end. */
  readonly lost: readonly Acknowledged[];
}

/** How a life goes on. */
interface Plan {
  readonly rounds: number;
  readonly program: readonly string[];
  /** Waits for the moment of a round's kill. */
  pause(round: number, acknowledged: readonly Acknowledged[]): Promise<unknown>;
  /** Does something with the service in the end. */
  use?(served: Served, bodyOf: (key?: string) => object, acknowledged: readonly Acknowledged[]): Promise<unknown>;
}

/** Kills the program again and again while clients write, and checks the data after each start. */
async function live({ rounds, program, pause, use }: Plan): Promise<Outcome> {
  const dataDir = newDataDir();
  let served = await serveProgram(dataDir, {}, { program });
  const person = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
  const stakeholderId = (await call(served, "POST", "/stakeholders", person)).json.id;
  const shareClass = { name: "C", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
  const limit = { initialSharesAuthorized: "1000000000" };
  const stockClassId = (await call(served, "POST", "/share-classes", { ...shareClass, ...limit })).json.id;
  const acknowledged: Acknowledged[] = [];
  const bodyOf = (certificateId?: string) => {
    return { stakeholderId, stockClassId, quantity: "1", certificateId, effectiveDate: "2026-01-15" };
  };
  for (let round = 0; round < rounds; round++) {
    const issue = async (client: number, n: number) => {
      const key = `r${round}-c${client}-${n}`;
      const { status, json } = await call(served, "POST", "/transactions/issue-shares", bodyOf(key), key);
      if (status === 201) acknowledged.push({ securityId: json.data.securityId, key });
    };
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; ; n++) await issue(client, n);
    });
    const ended = Promise.allSettled(clients);
    await pause(round, acknowledged);
    await served.end("SIGKILL");
    await ended;
    const verified = await runCommand(["verify", "--data-dir", dataDir, "--json"]);
    expect({ round, status: verified.status, said: verified.status ? verified.stdout : "" }).toEqual({
      round,
      status: 0,
      said: "",
    });
    served = await serveProgram(dataDir, {}, { program });
  }
  const held = await listSecurities(served);
  await use?.(served, bodyOf, acknowledged);
  expect(await served.end("SIGTERM")).toBe(0);
  return { acknowledged, lost: acknowledged.filter(({ securityId }) => !held.has(securityId)) };
}

async function listSecurities(served: Served): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path: string = `/securities?limit=100${cursor ? `&cursor=${cursor}` : ""}`;
    const page: Body = (await call(served, "GET", path)).json;
    for (const { id } of page.items) held.add(id);
    cursor = page.nextCursor;
  }
  return held;
}

const lives = Array.from({ length: LIVES }, (_, life) => life + 1);

test.each(lives)(
  `life %i: ${ROUNDS} rounds of kill -9 during writes lose no acknowledged write`,
  async (life) => {
    const { acknowledged, lost } = await live({
      rounds: ROUNDS,
      program: PROGRAM,
      // So many more acknowledgements, then in the middle of whatever comes next.
      async pause(round, acknowledged) {
        const enough = acknowledged.length + 1 + ((round * 37) % 40);
        while (acknowledged.length < enough) await Bun.sleep(1);
      },
      async use(served, bodyOf, all) {
        const last = all.at(-1);
        const replayed = await call(served, "POST", "/transactions/issue-shares", bodyOf(last?.key), last?.key);
        expect(replayed.json.data.securityId).toBe(last?.securityId ?? "");
      },
    });
    expect(acknowledged.length).toBeGreaterThan(ROUNDS);
    expect(lost).toEqual([]);
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

test.skipIf(!canChange)(
  "a program that answers before a write is kept would be seen",
  async () => {
    const { lost } = await live({
      rounds: 1,
      program: worsened("forgetful.ts"),
      async pause(_round, acknowledged) {
        while (acknowledged.length < 100) await Bun.sleep(5);
      },
    });
    expect(lost.length).toBeGreaterThan(0);
    proved({ fault: "F1", what: "control: commits taken back", count: 1, seed: "-", result: `${lost.length} lost` });
  },
  600_000,
);
