// Changes by way of `captable mcp`: proposed, confirmed by the person or not, done once or not at all.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Proposals } from "../../../cli/mcp/proposals.ts";
import { asking } from "../../kit/company.ts";
import { makeSampleCompany, type SampleCompany } from "../../kit/sample.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { call, connectHere, ERAS, issueShares, type Person, sequenceOf, serveHere, YES } from "./support.ts";

const MINUTE_MS = 60_000;

let server: TestServer;
let company: SampleCompany;
let certificates = 100;

beforeAll(async () => {
  server = await startTestServer();
  company = await makeSampleCompany(asking(server.url, await server.key("ADMIN")));
});
afterAll(() => server.stop());

const connection = async () => ({ url: server.url, key: await server.key("EDITOR") });
const sequence = () => sequenceOf(server);
const issue = () => {
  const to = { stakeholderId: company.holders.ada, stockClassId: company.classes.common };
  return issueShares(to, `CS-${certificates++}`);
};

describe.each(ERAS)("a client of %s", (era) => {
  const connect = async (person: Person, more: object = {}) =>
    connectHere(await connection(), { era, person, ...more });
  type Client = Awaited<ReturnType<typeof connect>>;
  const propose = async (client: Client, operations: readonly object[] = [issue()]) =>
    (await call(client, "propose_changes", { operations, reason: "The founder asked for it" })).data;

  test("yes: it is done once, however often it is confirmed, and the person is asked once, in words", async () => {
    const asked: string[] = [];
    const client = await connect((message) => {
      asked.push(message);
      return YES;
    });
    const before = await sequence();
    const { proposalId } = await propose(client);
    const [first, second] = [
      await call(client, "confirm_changes", { proposalId }),
      await call(client, "confirm_changes", { proposalId }),
    ];
    expect(first.data.status).toBe("recorded");
    expect(second.data).toEqual(first.data);
    expect(await sequence()).toBe(before + 1);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('Record 1 change in "Acme Robotics, Inc."?');
    expect(asked[0]).toContain('1. Issue shares: stakeholder "Ada Lovelace"; stock class "Common"; quantity "10"');
    expect(asked[0]).toMatch(
      /Shares issued in all: [\d.]+ → [\d.]+\.\nThe assistant's reason: "The founder asked for it"$/,
    );
    await client.close();
  });

  test("a transfer is told by what is moved and by whose it is, an update by the value before and after", async () => {
    let asked = "";
    const client = await connect((message) => {
      asked = message;
      return { action: "decline" };
    });
    const { shares, holders } = company;
    const body = { securityId: shares, fromStakeholderId: holders.charles, toStakeholderId: holders.mary };
    const operations = [
      {
        method: "POST",
        path: "/api/v1/transactions/transfer",
        body: { ...body, quantity: "100", effectiveDate: "2026-03-01" },
      },
      { method: "PATCH", path: `/api/v1/stakeholders/${holders.mary}`, body: { email: "mary@example.com" } },
    ];
    const { proposalId } = await propose(client, operations);
    await call(client, "confirm_changes", { proposalId });
    const [, transfer = "", update = ""] = asked.split("\n");
    expect(transfer).toMatch(
      /^1\. Transfer[^:]*: security "[^"]+" of "Charles Babbage"; from stakeholder "Charles Babbage"; to stakeholder "Mary Somerville"; quantity "100"; effective date "2026-03-01"$/,
    );
    expect(update).toBe(
      '2. Change a stakeholder "Mary Somerville": email "mary@somerville.example" → "mary@example.com"',
    );
    await client.close();
  });

  test("twice at once: both get the one effect", async () => {
    const client = await connect(() => YES);
    const before = await sequence();
    const { proposalId } = await propose(client);
    const all = await Promise.all([1, 2, 3].map(() => call(client, "confirm_changes", { proposalId })));
    expect(all.map(({ data }) => data.status)).toEqual(["recorded", "recorded", "recorded"]);
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(await sequence()).toBe(before + 1);
    await client.close();
  });

  const NOES: readonly (readonly [name: string, answer: object, isGone: boolean])[] = [
    ["decline", { action: "decline" }, true],
    ["accept with false", { action: "accept", content: { confirm: false } }, true],
    ["accept with a text", { action: "accept", content: { confirm: "true" } }, true],
    ["accept with nothing", { action: "accept", content: {} }, true],
    ["cancel", { action: "cancel" }, false],
  ];
  test.each(NOES)("%s: nothing is done", async (_, answer, isGone) => {
    let said: object = answer;
    const client = await connect(() => said);
    const before = await sequence();
    const { proposalId } = await propose(client);
    const refusal = await call(client, "confirm_changes", { proposalId }).catch(() => ({ isError: true }));
    expect(refusal.isError).toBe(true);
    expect(await sequence()).toBe(before);
    said = YES;
    const again = await call(client, "confirm_changes", { proposalId });
    expect(again.isError ?? false).toBe(isGone);
    expect(await sequence()).toBe(before + (isGone ? 0 : 1));
    await client.close();
  });

  test("silence: nothing is done, also not when the client goes", async () => {
    const asked = Promise.withResolvers<void>();
    const client = await connect(() => {
      asked.resolve();
      return new Promise(() => undefined);
    });
    const before = await sequence();
    const { proposalId } = await propose(client);
    let isAnswered = false;
    const waiting = call(client, "confirm_changes", { proposalId }).then(() => {
      isAnswered = true;
    });
    waiting.catch(() => undefined);
    await asked.promise;
    await client.close();
    expect(await sequence()).toBe(before);
    expect(isAnswered).toBe(false);
  });

  test("late: neither a confirmation nor an answer counts after 15 minutes", async () => {
    let nowMs = Date.parse("2026-06-15T09:00:00Z");
    let passes = 0;
    const client = await connect(
      () => {
        nowMs += passes;
        return YES;
      },
      { proposals: new Proposals(() => nowMs) },
    );
    const before = await sequence();
    const early = await propose(client);
    expect(early.expiresAt).toBe("2026-06-15T09:15:00.000Z");
    nowMs += 15 * MINUTE_MS;
    expect((await call(client, "confirm_changes", early)).isError).toBe(true);
    const slow = await propose(client);
    passes = 15 * MINUTE_MS;
    expect((await call(client, "confirm_changes", { proposalId: slow.proposalId })).isError).toBe(true);
    expect(await sequence()).toBe(before);
    const kept = await propose(client);
    passes = 15 * MINUTE_MS - 1;
    expect((await call(client, "confirm_changes", { proposalId: kept.proposalId })).data.status).toBe("recorded");
    await client.close();
  });

  test("after another write: refused, before the question and while it is asked, and the proposal is gone", async () => {
    let meanwhile = async (): Promise<unknown> => undefined;
    const client = await connect(async () => {
      await meanwhile();
      return YES;
    });
    const other = async () => server.api("POST", "/transactions/issue-shares", issue().body);
    for (const isDuring of [false, true]) {
      const { proposalId } = await propose(client);
      if (isDuring) meanwhile = other;
      else await other();
      const refusal = await call(client, "confirm_changes", { proposalId });
      meanwhile = async () => undefined;
      const after = await sequence();
      expect([refusal.isError, refusal.text]).toEqual([true, expect.stringContaining("have changed since")]);
      expect((await call(client, "confirm_changes", { proposalId })).text).toContain("no such proposal");
      expect(await sequence()).toBe(after);
    }
    await client.close();
  });

  test("a client that cannot ask is refused, unless the tool alone confirms", async () => {
    const before = await sequence();
    const client = await connect(null);
    const { proposalId } = await propose(client);
    const refusal = await call(client, "confirm_changes", { proposalId });
    expect([refusal.isError, refusal.text]).toEqual([true, expect.stringContaining("cannot ask the person")]);
    expect(await sequence()).toBe(before);
    expect(client.getInstructions()).toEndWith("confirm_changes asks the person.");
    await client.close();
    const alone = await connect(null, { confirm: "tool" });
    expect(alone.getInstructions()).toContain("call it only after the person has seen the effects and agreed");
    const other = await propose(alone);
    expect((await call(alone, "confirm_changes", { proposalId: other.proposalId })).data.status).toBe("recorded");
    expect(await sequence()).toBe(before + 1);
    await alone.close();
  });

  test("twenty proposals wait; one is cancelled for another, and a cancelled one cannot be confirmed", async () => {
    const client = await connect(() => YES);
    const before = await sequence();
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) ids.push((await propose(client)).proposalId);
    const refusal = await call(client, "propose_changes", { operations: [issue()], reason: "one more" });
    expect([refusal.isError, refusal.text]).toEqual([true, expect.stringContaining("20 proposals wait")]);
    const proposalId = ids[7];
    expect((await call(client, "cancel_proposal", { proposalId })).data.status).toBe("cancelled");
    expect((await call(client, "confirm_changes", { proposalId })).isError).toBe(true);
    expect((await propose(client)).proposalId).toBeString();
    expect(await sequence()).toBe(before);
    await client.close();
  });

  test("a key that loses its role meanwhile is refused by the server", async () => {
    const made = await server.api("POST", "/api-keys", { name: "brief", role: "EDITOR" });
    const client = await connectHere(
      { url: server.url, key: made.json.key ?? made.json.data?.key },
      { era, person: () => YES },
    );
    const before = await sequence();
    const { proposalId } = await propose(client);
    await server.api("DELETE", `/api-keys/${made.json.id ?? made.json.data?.id}`);
    const refusal = await call(client, "confirm_changes", { proposalId });
    expect([refusal.isError, refusal.text]).toEqual([true, expect.stringContaining("unauthorized")]);
    expect(await sequence()).toBe(before);
    await client.close();
  });
});

test("an answer to no question counts for nothing: the client is asked to put the question", async () => {
  const ours = serveHere(await connection());
  const waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  ours.onmessage = (message) => {
    const { id, result } = message as { id: unknown; result: Record<string, unknown> };
    waiting.get(id)?.(result);
  };
  await ours.start();
  let count = 0;
  const send = (name: string, args: object, more: object = {}) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const id = ++count;
      waiting.set(id, resolve);
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      };
      const params = { name, arguments: args, _meta, ...more };
      void ours.send({ jsonrpc: "2.0", id, method: "tools/call", params });
    });
  const before = await sequence();
  const proposed = await send("propose_changes", { operations: [issue()], reason: "x" });
  const { proposalId } = proposed.structuredContent as { proposalId: string };
  const inputResponses = { confirm: YES };
  for (const more of [
    { inputResponses },
    { inputResponses, requestState: "guessed" },
    { inputResponses, requestState: proposalId },
  ]) {
    const answer = await send("confirm_changes", { proposalId }, more);
    expect(answer.resultType).toBe("input_required");
    expect(await sequence()).toBe(before);
  }
  const { requestState } = await send("confirm_changes", { proposalId });
  const other = await send("propose_changes", { operations: [issue()], reason: "y" });
  const otherId = (other.structuredContent as { proposalId: string }).proposalId;
  const crossed = await send("confirm_changes", { proposalId: otherId }, { inputResponses, requestState });
  expect([crossed.resultType, await sequence()]).toEqual(["input_required", before]);
  const asked = await send("confirm_changes", { proposalId }, { inputResponses, requestState });
  expect([asked.isError, await sequence()]).toEqual([undefined, before + 1]);
  await ours.close();
});
