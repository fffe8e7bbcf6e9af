// docs/integrate.md, checkpoints and proofs: its calls, as they are typed, and the members that it names.
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { keepingCheckpoints } from "../../src/safekeeping/kept/follower.ts";
import { readTreeProof } from "../../src/safekeeping/tree/tree-proof.ts";
import { makeStakeholder } from "../kit/records.ts";
import { startTestServer } from "../kit/service.ts";
import { TestWitness } from "../kit/witness.ts";

setDefaultTimeout(60_000);

const guide = await Bun.file("docs/integrate.md").text();
const section = guide.split(/^## /m).find((each) => each.startsWith("Checkpoints and proofs")) ?? "";

test("its calls are answered with what it says", async () => {
  const witness = new TestWitness();
  const file = join("/dev/shm", `witness-${Bun.randomUUIDv7()}`);
  await Bun.write(file, witness.line);
  const followers = [keepingCheckpoints({ everyMs: 0, lookMs: 20 })];
  const server = await startTestServer({ CAPTABLE_WITNESS_FILE: file }, { followers });
  try {
    const stakeholderId = await makeStakeholder(server, { email: "ada@example.com" });
    const entry = { type: "STOCK_ISSUANCE", effectiveDate: "2026-01-15", quantity: "10", stakeholderId };
    const { id } = (await server.api("POST", "/transactions", entry)).json.data;
    let items: readonly Record<string, unknown>[] = [];
    while (items.length === 0) ({ items } = (await server.api("GET", "/checkpoints")).json);
    const ids = { CHECKPOINT: items[0]?.id, ENTRY: id };
    const calls = [...section.matchAll(/^curl .*"\$CAPTABLE_SERVER\/api\/v1(\/[^"]*)"$/gm)].map(([, path = ""]) =>
      path.replace(/\$(\w+)/g, (_, name: "CHECKPOINT" | "ENTRY") => String(ids[name])),
    );
    expect(calls).toHaveLength(4);
    const answers = await Promise.all(calls.map((path) => server.api("GET", path, undefined, { role: "VIEWER" })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [checkpoint, list, notes, proof] = answers;
    expect(checkpoint?.text).toStartWith(`captable/${server.orgId}\n`);
    expect(Object.keys(list?.json.items[0])).toEqual(["id", "time", "ledger", "log", "timestamps", "cosignatures"]);
    expect(notes?.text.split("\n\n").length).toBeGreaterThan(3);
    expect(readTreeProof(proof?.text ?? "")?.index).toBe(0);
  } finally {
    await server.stop();
    await witness.stop();
    await Bun.file(file).delete();
  }
});
