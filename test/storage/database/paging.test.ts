import { expect, test } from "bun:test";
import fc from "fast-check";
import { readCursor, readLimit, writeCursor } from "../../../src/storage/database/paging.ts";
import { makeStakeholder } from "../../kit/records.ts";
import { startTestServer } from "../../kit/service.ts";

test.each([
  [undefined, 25],
  ["1", 1],
  ["0", 1],
  ["-3", 1],
  ["100", 100],
  ["101", 100],
  ["99999999999999999999", 100],
  ["1.5", null],
  ["1e2", null],
  ["", null],
  ["ten", null],
  [" 5", null],
])("limit %p is read as %p, null if it is no integer", (text, expected) => expect(readLimit(text)).toBe(expected));

test("a cursor is read back under its own scope only, and never altered", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.string(), (scope, seq, other) => {
      const cursor = writeCursor(scope, seq);
      expect(readCursor(scope, cursor)).toBe(seq);
      if (other !== scope) expect(readCursor(other, cursor)).toBeNull();
      expect(readCursor(scope, `${cursor}A`)).toBeNull();
    }),
  );
});

test("pages put together are the whole list, newest first, while others are being written", async () => {
  const server = await startTestServer();
  const before = [];
  for (let i = 0; i < 23; i++) before.unshift(await makeStakeholder(server));
  const walked: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { json } = await server.api("GET", `/stakeholders?limit=5${cursor ? `&cursor=${cursor}` : ""}`);
    walked.push(...json.items.map((item: { id: string }) => item.id));
    cursor = json.nextCursor;
    await makeStakeholder(server);
  }
  expect(walked).toEqual(before);
  const filtered = await server.api("GET", "/stakeholders?type=INDIVIDUAL&limit=1");
  const wrong = await server.api("GET", `/stakeholders?limit=1&cursor=${filtered.json.nextCursor}`);
  expect([wrong.status, wrong.json.errors[0].parameter]).toEqual([422, "cursor"]);
  const both = await server.api("GET", "/stakeholders?status=CURRENT&type=INDIVIDUAL&limit=1");
  const turned = `/stakeholders?cursor=${both.json.nextCursor}&type=INDIVIDUAL&status=CURRENT`;
  expect((await server.api("GET", turned)).status).toBe(200);
  await server.stop();
});
