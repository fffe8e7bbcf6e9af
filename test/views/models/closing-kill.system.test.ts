// kill -9 while a round of a long ledger is closed, from its plan to its answer; then the closing is sent again with its
// key: it is there once and whole, and before that not at all.
import { expect, test } from "bun:test";
import { runCommand } from "../../kit/command.ts";
import { newDataDir, type Served, serveProgram } from "../../kit/program.ts";
import { firstSeed, proved } from "../../kit/proof.ts";
import { seeded } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";

const ROUNDS = RELEASE ? 60 : 5;
/** Enough entries that a closing is planned in a reading thread. */
const BATCHES = 3;
const BATCH = 400;
const SAFES = 3;
const TIMEOUT_MS = 3_600_000;
const TODAY = new Date().toISOString().slice(0, 10);

/** The members of answers that this test looks at. */
interface Answered {
  readonly id: string;
  readonly items: readonly { readonly name: string }[];
  readonly data: { readonly digest: string; readonly transactionIds: readonly string[] };
}

async function call(served: Served, method: string, path: string, body?: unknown, key?: string) {
  const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
  const response = await fetch(`${served.url}/api/v1${path}`, {
    method,
    headers: key === undefined ? headers : { ...headers, "idempotency-key": key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) as Answered };
}

/** How many classes of a name there are. */
async function countOf(served: Served, name: string): Promise<number> {
  const { json } = await call(served, "GET", "/share-classes?limit=100");
  return json.items.filter((each) => each.name === name).length;
}

test(
  `${ROUNDS} kills while a round is closed: each closing is there once and whole`,
  async () => {
    const pick = seeded(firstSeed());
    const dataDir = newDataDir();
    let served = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off" });
    const made = async (path: string, body: object) => {
      const { status, json, text } = await call(served, "POST", path, body);
      expect([status, status < 300 ? "" : text]).toEqual([201, ""]);
      return json;
    };
    const displayName = "Ada";
    const holder = { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" };
    const { id: stakeholderId } = await made("/stakeholders", holder);
    const rest = { name: "Common", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
    const { id: stockClassId } = await made("/share-classes", { ...rest, initialSharesAuthorized: "1000000000" });
    for (let batch = 0; batch < BATCHES; batch++) {
      const operations = Array.from({ length: BATCH }, (_, n) => ({
        method: "POST",
        path: "/api/v1/transactions/issue-shares",
        body: {
          stakeholderId,
          stockClassId,
          quantity: "100",
          certificateId: `C-${batch}-${n}`,
          effectiveDate: "2025-01-15",
        },
      }));
      expect((await call(served, "POST", "/batch", { operations })).status).toBe(200);
    }
    let [lost, taken] = [0, 0];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const [name, key] = [`Series ${round}`, `series-${round}`];
        for (let n = 0; n < SAFES; n++) {
          await made("/transactions/issue-convertible", {
            ...{ stakeholderId, quantity: "1000", certificateId: `SAFE-${round}-${n}`, effectiveDate: "2025-06-02" },
            convertibleTerms: { convertibleType: "SAFE", timing: "POST_MONEY", valuationCap: "500000" },
          });
        }
        const model = {
          closingDate: TODAY,
          newClass: { name },
          conversion: { shadowSeries: false },
          valuation: { kind: "PRE_MONEY", amount: "1000000" },
          investors: [{ stakeholderId, amount: "100000" }],
        };
        const modelled = await call(served, "POST", "/models/round", { ...model, asOf: TODAY });
        const body = { model, digest: modelled.json.data.digest };
        let isAnswered = false;
        const closing = call(served, "POST", "/models/round/close", body, key).then(() => {
          isAnswered = true;
        });
        const beside = (async () => {
          while (!isAnswered) await call(served, "POST", "/stock-legends", { name: "Legend", text: "Text" });
        })();
        const ended = Promise.allSettled([closing, beside]);
        await Bun.sleep(pick(round % 2 === 0 ? 25 : 90));
        if (!isAnswered) lost++;
        await served.end("SIGKILL");
        isAnswered = true;
        await ended;
        const verified = await runCommand(["verify", "--data-dir", dataDir]);
        expect({ round, status: verified.status, said: verified.status ? verified.stdout : "" }).toEqual({
          ...{ round, status: 0, said: "" },
        });
        served = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off" });
        taken += await countOf(served, name);
        const again = await call(served, "POST", "/models/round/close", body, key);
        expect([again.status, again.json.data?.transactionIds.length]).toEqual([201, SAFES + 1]);
        expect(await countOf(served, name)).toBe(1);
        const other = await call(served, "POST", "/models/round/close", body, `${key}-again`);
        expect(other.status).toBe(409);
      }
    } finally {
      await served.end();
    }
    expect(lost).toBeGreaterThan(0);
    proved({
      ...{ fault: "CL2", what: "kills while a round is closed, and sent again with its key", count: ROUNDS },
      seed: String(firstSeed()),
      result: `each closed once and whole; ${lost} answers were lost, ${taken} closings had taken effect`,
    });
  },
  TIMEOUT_MS,
);
