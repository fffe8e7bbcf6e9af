// Large answers of `captable mcp`: at most 64 KiB, cut at a record, with a cursor that leads to all of them.
import { afterAll, expect, test } from "bun:test";
import { fitted } from "../../../cli/mcp/answer.ts";
import { problem, recorder } from "../api/support.ts";
import { call, connectHere, ERAS } from "./support.ts";

const BYTES_MAX = 64 * 1024;
const HOLDERS = 3000;
const KEY = "pg_test_key";
const holders = Array.from({ length: HOLDERS }, (_, at) => ({
  id: `h-${at}`,
  displayName: `Holder "${at}" ü${"x".repeat(at % 90)}`,
  holdings: [{ securityId: `s-${at}` }],
}));
const records = Array.from({ length: 100 }, (_, at) => ({ id: at, comments: "c".repeat(at === 60 ? 20_000 : 700) }));

const server = recorder(({ path, query }) => {
  if (path === "/api/v1/cap-table") {
    return Response.json({
      data: { asOf: "2026-06-30", stakeholders: holders, byClass: [{ id: "c" }], totals: { n: 1 } },
    });
  }
  if (path === "/api/v1/stakeholders") {
    const from = Number(query.cursor ?? 0);
    const to = Math.min(records.length, from + Number(query.limit));
    return Response.json({ items: records.slice(from, to), nextCursor: to < records.length ? String(to) : null });
  }
  if (path === "/api/v1/cap-table/health") return Response.json({ data: { text: "t".repeat(BYTES_MAX) } });
  if (path === "/api/v1/documents")
    return Response.json({ items: [{ text: "t".repeat(BYTES_MAX) }], nextCursor: null });
  return problem(404, "not-found");
});
afterAll(() => server.stop());

const bytesOf = ({ content, structuredContent }: { content: unknown; structuredContent?: unknown }) =>
  Buffer.byteLength(JSON.stringify({ content, structuredContent }));

test.each(ERAS)("%s: the cap table and its holders are read whole, a part at a time", async (era) => {
  const client = await connectHere({ url: server.url, key: KEY }, { era });
  for (const [name, at] of [
    ["get_cap_table", "data.stakeholders"],
    ["list_holders", "holders"],
  ] as const) {
    const first = await call(client, name);
    expect(bytesOf(first)).toBeLessThanOrEqual(BYTES_MAX);
    const [cut] = first.data.cut;
    expect([first.data.cut.length, cut.at, cut.of]).toEqual([1, at, HOLDERS]);
    const seen: { id: string }[] = [...(name === "list_holders" ? first.data.holders : first.data.data.stakeholders)];
    expect(seen).toHaveLength(cut.shown);
    let parts = 1;
    for (let cursor = cut.nextCursor; cursor !== null; parts++) {
      const next = await call(client, name, { cursor });
      expect(bytesOf(next)).toBeLessThanOrEqual(BYTES_MAX);
      expect(next.data.items.length).toBeGreaterThan(0);
      seen.push(...next.data.items);
      cursor = next.data.nextCursor;
    }
    expect(seen.map(({ id }) => id)).toEqual(holders.map(({ id }) => id));
    expect(parts).toBeLessThan(20);
  }
  await client.close();
});

test.each(ERAS)("%s: a page of large records is shorter, and its cursor is right", async (era) => {
  const client = await connectHere({ url: server.url, key: KEY }, { era });
  const seen: number[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ; pages++) {
    const args = { resource: "stakeholders", limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await call(client, "find_records", args);
    expect(bytesOf(page)).toBeLessThanOrEqual(BYTES_MAX);
    seen.push(...page.data.items.map(({ id }: { id: number }) => id));
    if (page.data.nextCursor === null) break;
    cursor = page.data.nextCursor;
  }
  expect(seen).toEqual(records.map(({ id }) => id));
  expect(pages).toBeGreaterThan(1);
  await client.close();
});

test("what cannot be cut is refused, not cut in the middle of a record", async () => {
  const client = await connectHere({ url: server.url, key: KEY }, { era: "2025-11-25" });
  for (const [name, args] of [
    ["get_health", {}],
    ["find_records", { resource: "documents" }],
  ] as const) {
    const { isError, text } = await call(client, name, args);
    expect([name, isError, text]).toEqual([name, true, expect.stringContaining("larger than 64 KiB")]);
  }
  await client.close();
});

test("several long lists are cut each, and what is small stays whole", () => {
  const long = Array.from({ length: 2000 }, (_, id) => ({ id, text: "y".repeat(20) }));
  const answer = fitted({ a: long, b: { c: long }, small: [1, 2, 3] });
  expect(answer.small).toEqual([1, 2, 3]);
  const cut = answer.cut as { at: string; shown: number; of: number; nextCursor: string }[];
  expect(cut.map(({ at, of }) => [at, of]).sort()).toEqual([
    ["a", 2000],
    ["b.c", 2000],
  ]);
  expect((answer.a as unknown[]).length).toBe(cut.find(({ at }) => at === "a")?.shown as number);
  expect(fitted({ a: long.slice(0, 10) })).toEqual({ a: long.slice(0, 10) });
});
