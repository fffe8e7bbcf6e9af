// A long body is taken in turns of the event loop: whatever its sender sends at once, other requests are served meanwhile.
import { describe, expect, test } from "bun:test";
import { BodyTooLarge, readBytes, readJson, refuseNoJson } from "../../../src/server/http/body.ts";
import { sayAndThrowAway } from "../../../src/server/http/rest.ts";

const PIECE_BYTES = 256 * 1024;
const LENGTH = 16 * PIECE_BYTES;
const BYTES_MAX = LENGTH + 1;
const CONTENT = Uint8Array.from({ length: LENGTH }, (_, at) => at % 251);

interface Sent {
  readonly content?: Uint8Array;
  readonly pieceBytes: number;
  readonly isDeclared: boolean;
}

/** A request whose body lies there, and is given piece by piece as it is asked for. */
function request({ content = CONTENT, pieceBytes, isDeclared }: Sent): Request {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at === content.length) return controller.close();
      controller.enqueue(content.slice(at, at + pieceBytes));
      at = Math.min(content.length, at + pieceBytes);
    },
  });
  const headers: Record<string, string> = isDeclared ? { "content-length": String(content.length) } : {};
  return new Request("http://localhost/", { method: "POST", body, headers });
}

/** What comes of some work, and how many turns others had meanwhile. */
async function turnsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  let [turns, isOver] = [0, false];
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const done = await work().finally(() => {
    isOver = true;
  });
  return [done, turns];
}

describe("a long body gives other requests a turn after each piece", () => {
  // One whose length is not known is put together at its end, in as many turns again.
  test.each([
    ["sent as one, of a known length", LENGTH, true, 15],
    ["sent in pieces, of a known length", 64 * 1024, true, 60],
    ["sent as one, of an unknown length", LENGTH, false, 30],
    ["sent in pieces, of an unknown length", 64 * 1024, false, 120],
  ])("%s", async (_name, pieceBytes, isDeclared, least) => {
    const [read, turns] = await turnsOf(() => readBytes(request({ pieceBytes, isDeclared }), BYTES_MAX));
    expect(Buffer.compare(read, CONTENT)).toBe(0);
    expect(turns).toBeGreaterThanOrEqual(least);
  });

  test("also what is thrown away of one that is too long", async () => {
    const refused = await readBytes(request({ pieceBytes: 64 * 1024, isDeclared: false }), LENGTH / 2).catch((e) => e);
    if (!(refused instanceof BodyTooLarge && refused.rest)) throw refused;
    const { rest } = refused;
    const [said, turns] = await turnsOf(() => new Response(sayAndThrowAway("{}", rest)).text());
    expect(said).toBe("{}");
    expect(turns).toBeGreaterThan(25);
  });
});

test("a short body waits for no turn", async () => {
  const content = CONTENT.subarray(0, PIECE_BYTES);
  for (const isDeclared of [true, false]) {
    const [read, turns] = await turnsOf(() => readBytes(request({ content, pieceBytes: 1024, isDeclared }), BYTES_MAX));
    expect(Buffer.compare(read, content)).toBe(0);
    expect(turns).toBe(0);
  }
});

test("a body of JSON has a value for each sixteen bytes of its limit", async () => {
  const bytesMax = 2 ** 20;
  const send = (items: number, item: string) => {
    const body = `[${Array.from({ length: items }, () => item).join(",")}]`;
    const headers = { "content-type": "application/json", "content-length": String(body.length) };
    return readJson(new Request("http://localhost/", { method: "POST", body, headers }), { bytesMax });
  };
  expect(await send(2 ** 16 - 1, "[]")).toHaveLength(2 ** 16 - 1);
  expect(await send(2 ** 16 - 1, '"quantity :"')).toHaveLength(2 ** 16 - 1);
  await expect(send(2 ** 16, "[]")).rejects.toMatchObject({ slug: "payload-too-large" });
});

test("a content type of spaces is compared with no pattern", () => {
  const refuse = (spaces: number) => {
    const headers = { "content-type": `application/json${" ".repeat(spaces)};` };
    refuseNoJson(new Request("http://localhost/", { method: "POST", headers }), Buffer.from("{}"));
  };
  expect(() => refuse(100)).not.toThrow();
  expect(() => refuse(16_000)).toThrow("Send JSON");
});
