// How many requests are under way at once, and whose turn is next; and how large a request with a record may be.
import { expect, test } from "bun:test";
import { bodyOf } from "../../../src/exchange/webhooks/message-body.ts";
import { Slots } from "../../../src/exchange/webhooks/slots.ts";

/** Lets what was given back be taken. */
const settled = () => Bun.sleep(0);

test("16 requests are under way at once, four of one organization, and organizations take turns", async () => {
  const slots = new Slots();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (orgId: string, callerId: string) =>
    void slots.take({ orgId, callerId }).then((end) => {
      begun.push(`${orgId}${callerId}`);
      ends.set(`${orgId}${callerId}`, end);
    });
  for (let endpoint = 0; endpoint < 16; endpoint++) ask("A", String(endpoint));
  await settled();
  expect(begun).toEqual(["A0", "A1", "A2", "A3"]);
  for (const orgId of ["B", "C", "D", "E"])
    for (let endpoint = 0; endpoint < 4; endpoint++) ask(orgId, String(endpoint));
  await settled();
  expect(begun).toHaveLength(16);
  expect(begun.filter((each) => each.startsWith("E"))).toEqual([]);
  // They take turns: A has waited longest, and then it is the other's.
  ends.get("A0")?.();
  await settled();
  expect(begun.at(-1)).toBe("A4");
  ends.get("A1")?.();
  await settled();
  expect(begun.at(-1)).toBe("E0");
  for (const [name, end] of ends) if (/^[CD]/.test(name)) end();
  await settled();
  const open = (orgId: string) => begun.filter((each) => each.startsWith(orgId)).length;
  expect([open("A"), open("E")]).toEqual([6, 4]);
  // What is given back twice counts once.
  const before = begun.length;
  ends.get("C0")?.();
  await settled();
  expect(begun).toHaveLength(before);
});

test("a record stands in the event up to 256 KiB of the whole; beyond it, and without one, it is null", async () => {
  const data = { orgId: "o", url: "/api/v1/documents/1" };
  const content = { id: "evt_1", type: "document.updated", data };
  const read = (length: number) => async (orgId: string, path: string) => {
    expect([orgId, path]).toEqual(["o", "/api/v1/documents/1"]);
    return length < 0 ? null : { text: "é".repeat(length) };
  };
  const recordOf = async (length: number) =>
    JSON.parse(await bodyOf({ content }, { include: "record" }, { read: read(length) })).data.record;
  const frame = Buffer.byteLength(JSON.stringify({ ...content, data: { ...data, record: { text: "" } } }));
  const fits = Math.floor((256 * 1024 - frame) / 2);
  expect((await recordOf(fits))?.text).toHaveLength(fits);
  expect(await recordOf(fits + 1)).toBeNull();
  expect(await recordOf(-1)).toBeNull();
  const ids = await bodyOf({ content }, { include: "ids" }, { read: () => Promise.reject(new Error("not read")) });
  expect(ids).toBe(JSON.stringify(content));
  const deleted = { ...content, data: { orgId: "o", url: null } };
  const told = await bodyOf(
    { content: deleted },
    { include: "record" },
    { read: () => Promise.reject(new Error("not read")) },
  );
  expect(JSON.parse(told).data).toEqual({ orgId: "o", url: null, record: null });
});
