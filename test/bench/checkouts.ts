// Two checkouts beside each other in one process: `bun test/bench/checkouts.ts OLD NEW` loads the writer of both and has each
// take the same batches of issues in turns, as the writing thread gets them. What is compared is the processor time of that
// thread for an issue, which stays true on a machine that does other work. Both need their packages: a link to
// `node_modules` will do.
//
//   --at 64      how many issues come together          --rounds 300    how often
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Message, NoQuestions, Sent } from "../../src/kernel/threads/peer.ts";
import type { WriteTask } from "../../src/server/changes/task.ts";
import type { WriteQuestions } from "../../src/server/threads/write/write-questions.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import { cpuMsOfThread } from "./cpu.ts";

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { at: { type: "string", default: "64" }, rounds: { type: "string", default: "300" } },
});
const [at, rounds] = [Number(given.at), Number(given.rounds)];
const WARM_UPS = 60;
const KEY = "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d61";
const BY = { actor: "api-key", apiKeyId: KEY, accountId: null, actorName: null, sessionId: null } as const;
const PATH = "/api/v1/transactions/issue-shares";
const folder = mkdtempSync(join(tmpdir(), "captable-checkouts-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

interface Side {
  /** Takes so many issues together; returns the microseconds of processor time of each. */
  issue(count: number): Promise<number>;
}

/** The modules of a checkout; those of this one tell their types. */
async function modulesOf(root: string) {
  const load = (file: string) => import(join(resolve(root), file));
  const changes: typeof import("../../src/server/changes/local.ts") = await load("src/server/changes/local.ts");
  const routes: typeof import("../../src/server/routes.ts") = await load("src/server/routes.ts");
  const start: typeof import("../../src/server/service/bootstrap.ts") = await load("src/server/service/bootstrap.ts");
  const open: typeof import("../../src/storage/database/open.ts") = await load("src/storage/database/open.ts");
  const writer: typeof import("../../src/storage/database/writer.ts") = await load("src/storage/database/writer.ts");
  const peer: typeof import("../../src/kernel/threads/peer.ts") = await load("src/kernel/threads/peer.ts");
  const runtime: typeof import("../../src/kernel/runtime.ts") = await load("src/kernel/runtime.ts");
  const migrated: typeof import("../kit/migrated.ts") = await load("test/kit/migrated.ts");
  return { ...changes, ...routes, ...start, ...open, ...writer, ...peer, ...runtime, ...migrated };
}

async function sideOf(root: string): Promise<Side> {
  const of = await modulesOf(root);
  const place = mkdtempSync(join(folder, "side-"));
  await of.writeMigrated(place);
  const db = of.openWritable(join(place, of.DATABASE_FILE));
  const writer = new of.Writer(db, (error) => {
    throw error;
  });
  const changes = new of.LocalChanges({
    ...{ writer, runtime: of.systemRuntime, routes: of.allRoutes("test"), commands: {} },
  });
  const orgId = await writer.submit((tx: Tx) => of.makeUnnamedOrganization(tx, of.systemRuntime));
  const make = async (operationId: string, body: WriteTask["body"]) => {
    const asked = { ...BY, orgId, requestId: "made", method: "POST", path: "/" };
    const { body: text } = await changes.write({ operationId, asked, params: {}, body, idempotency: null });
    return String(JSON.parse(text).id);
  };
  const displayName = "Ada Lovelace";
  const name = { legalName: displayName };
  const stakeholderId = await make("createStakeholder", { displayName, name, type: "INDIVIDUAL" });
  const common = { name: "Common", classType: "COMMON", defaultIdPrefix: "CS-", votesPerShare: "1", seniority: 1 };
  const stockClassId = await make("createShareClass", { ...common, initialSharesAuthorized: "999999999999999" });
  let issued = 0;
  const issueOf = (n: number): WriteTask => ({
    operationId: "issueShares",
    asked: { ...BY, orgId, requestId: `request-${n}`, method: "POST", path: PATH },
    params: {},
    body: { stakeholderId, stockClassId, quantity: "100", certificateId: `B-${n}`, effectiveDate: "2026-01-15" },
    idempotency: { key: `bench-${n}`, bodyHash: Bun.CryptoHasher.hash("sha256", String(n), "hex") },
  });
  return {
    async issue(count) {
      const messages = Array.from(
        { length: count },
        (): Message => ({ id: 1, ask: "write", question: issueOf(++issued) }),
      );
      const text = JSON.stringify(messages);
      const all = Promise.withResolvers<number>();
      let answered = 0;
      const send = (sent: Sent) => {
        const took = cpuMsOfThread() - started;
        const answers = JSON.parse(String(sent)) as readonly { readonly answer?: { readonly status: number } }[];
        answered += answers.filter(({ answer }) => answer?.status === 201).length;
        if (answers.some(({ answer }) => answer?.status !== 201)) all.reject(new Error(String(sent).slice(0, 500)));
        if (answered === count) all.resolve(took);
      };
      // As the writing thread is asked, and answers.
      const gathering = { isGathered: (message: Message) => !("ask" in message), later: queueMicrotask };
      const work = () => ({ write: (task: WriteTask) => changes.write(task) });
      const thread = of.Peer.answering<NoQuestions, Pick<WriteQuestions, "write">>(send, work, { gathering });
      const started = cpuMsOfThread();
      thread.take(text);
      return ((await all.promise) * 1000) / count;
    },
  };
}

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;

const sides: Side[] = [];
for (const root of positionals) sides.push(await sideOf(root));
for (let round = 0; round < WARM_UPS; round++) for (const side of sides) await side.issue(at);
const took = sides.map((): number[] => []);
for (let round = 0; round < rounds; round++) {
  // Which comes first changes from round to round.
  const order = round % 2 === 0 ? [...sides.keys()] : [...sides.keys()].reverse();
  for (const index of order) took[index]?.push((await sides[index]?.issue(at)) ?? Number.NaN);
}
const medians = took.map(median);
for (const [index, each] of medians.entries()) {
  process.stdout.write(`${positionals[index]}: ${each.toFixed(1)} µs an issue at ${at}\n`);
}
const [first, second] = medians;
if (first !== undefined && second !== undefined) process.stdout.write(`${(second / first).toFixed(3)} ×\n`);
