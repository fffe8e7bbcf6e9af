// Who waits for a password to be looked at: two at a time, thirty-two in line and eight of an address, address by address.
import { describe, expect, test } from "bun:test";
import { Problem } from "../../../src/kernel/problem.ts";
import { HashLine } from "../../../src/people/sign-in/hasher.ts";

/** A line whose work ends when it is told to; remembers whose began, in their order. */
function newLine() {
  const line = new HashLine();
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    refused,
    ask(address: string): void {
      const work = () => {
        begun.push(address);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      line.run(address, work).catch((thrown: unknown) => {
        refused.push(thrown instanceof Problem ? `${address} ${thrown.slug}` : String(thrown));
      });
    },
    async endNext(): Promise<void> {
      ends.shift()?.();
      await Bun.sleep(0);
    },
  };
}

describe("passwords", () => {
  test("are looked at two at a time, address by address", async () => {
    const { ask, begun, endNext } = newLine();
    for (let n = 0; n < 6; n++) ask("203.0.113.7");
    ask("198.51.100.4");
    ask("192.0.2.9");
    expect(begun).toHaveLength(2);
    for (let n = 0; n < 4; n++) await endNext();
    expect(begun.slice(2)).toEqual(["203.0.113.7", "198.51.100.4", "192.0.2.9", "203.0.113.7"]);
  });

  test("of which eight of an address wait are refused with 429 for that address alone", async () => {
    const { ask, refused } = newLine();
    for (let n = 0; n < 11; n++) ask("203.0.113.7");
    ask("198.51.100.4");
    await Bun.sleep(0);
    expect(refused).toEqual(["203.0.113.7 rate-limited"]);
  });

  test("from this machine, behind which a proxy may stand, are counted for all alone", async () => {
    for (const own of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
      const { ask, refused } = newLine();
      for (let n = 0; n < 34; n++) ask(own);
      await Bun.sleep(0);
      expect(refused).toEqual([]);
      ask(own);
      await Bun.sleep(0);
      expect(refused).toEqual([`${own} unavailable`]);
    }
  });

  test("of which thirty-two wait are refused with 503, and looked at again once they are fewer", async () => {
    const { ask, refused, begun, endNext } = newLine();
    for (let n = 0; n < 35; n++) ask(`203.0.113.${n}`);
    await Bun.sleep(0);
    expect(refused).toEqual(["203.0.113.34 unavailable"]);
    await endNext();
    ask("192.0.2.9");
    for (let n = 0; n < 36; n++) await endNext();
    expect([refused.length, begun.length]).toEqual([1, 35]);
  });

  test("that fail make room for the next", async () => {
    const line = new HashLine();
    const fail = () => Promise.reject(new Error("no memory"));
    const failed = await Promise.allSettled(Array.from({ length: 12 }, () => line.run("::1", fail)));
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(await line.run("::1", async () => "well")).toBe("well");
  });
});
