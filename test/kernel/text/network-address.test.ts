// Addresses as numbers, in whatever way they are written, and the networks by which limits count.
import { describe, expect, test } from "bun:test";
import { isIP } from "node:net";
import { isLoopbackAddress } from "../../../src/kernel/loopback.ts";
import { AddressLimiter, RateLimiter } from "../../../src/kernel/rate-limit.ts";
import { familyOf, isWithin, networksOf, readAddress, readRange } from "../../../src/kernel/text/network-address.ts";
import { Random } from "../../kit/random.ts";

/** An address of IPv6 with its groups written out, or with its longest run of zeros left out. */
function written(groups: readonly number[], isShort: boolean): string {
  const full = groups.map((group) => group.toString(16)).join(":");
  return isShort ? new URL(`http://[${full}]`).hostname.slice(1, -1) : full;
}

describe("an address", () => {
  test("is one number however it is written", () => {
    const random = new Random(7);
    for (let n = 0; n < 2000; n++) {
      const groups = Array.from({ length: 8 }, () => (random.below(3) === 0 ? random.below(65536) : 0));
      const value = groups.reduce((sum, group) => sum * 65536n + BigInt(group), 0n);
      const isMapped = value >> 32n === 0xffffn;
      for (const isShort of [true, false]) {
        const read = readAddress(written(groups, isShort));
        expect(read).toEqual(isMapped ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value });
      }
    }
  });

  test("is of the family that node:net says, whatever the text", () => {
    const random = new Random(11);
    const parts = ["0", "25", "255", "256", "a", "ffff", "00000", "::", ":", ":", ".", "10.0.0.1", "[", "]", "/", "g"];
    const found = new Set<number>();
    for (let n = 0; n < 50_000; n++) {
      const text = Array.from({ length: random.below(12) }, () => parts[random.below(parts.length)]).join("");
      const family = familyOf(text);
      if (family !== isIP(text)) throw new Error(`${JSON.stringify(text)} is not of ${family}`);
      found.add(family);
    }
    expect(found).toEqual(new Set([0, 4, 6]));
  });

  test.each(["", "1.2.3", "1.2.3.256", "x", ":::", "1:2:3:4:5:6:7", "12345::", "1.2.3.4/8", "[::1]"])(
    "%j is not an address",
    (text) => {
      expect(readAddress(text)).toBeNull();
      expect(networksOf(text)).toEqual({ own: text, site: null });
    },
  );

  test("of IPv4 in the form of IPv6 is of IPv4", () => {
    expect(networksOf("::ffff:192.0.2.1")).toEqual(networksOf("192.0.2.1"));
    expect(networksOf("::ffff:c000:201")).toEqual(networksOf("192.0.2.1"));
    expect(networksOf("192.0.2.2")).not.toEqual(networksOf("192.0.2.1"));
    expect(networksOf("192.0.2.1").site).toBeNull();
    expect(["::ffff:127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1"].map(isLoopbackAddress)).not.toContain(false);
    expect(["::ffff:128.0.0.1", "::2", "10.0.0.1", "unknown"].map(isLoopbackAddress)).not.toContain(true);
  });

  test("of IPv6 counts by its /64, and by its /48", () => {
    const [one, same, beside, elsewhere] = [
      networksOf("2001:db8:1:2::1"),
      networksOf("2001:0db8:0001:0002:ffff:ffff:ffff:ffff%eth0"),
      networksOf("2001:db8:1:3::1"),
      networksOf("2001:db8:2:2::1"),
    ];
    expect(same).toEqual(one);
    expect([beside.own === one.own, beside.site === one.site]).toEqual([false, true]);
    expect(elsewhere.site === one.site).toBe(false);
  });
});

describe("a range", () => {
  test.each([
    ["10.0.0.0/8", "10.255.255.255", "11.0.0.0"],
    ["192.0.2.4/30", "192.0.2.7", "192.0.2.8"],
    ["0.0.0.0/0", "255.255.255.255", "::1"],
    ["2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"],
    ["::ffff:10.0.0.0/104", "10.1.2.3", "11.0.0.0"],
    ["192.0.2.1/32", "::ffff:192.0.2.1", "192.0.2.0"],
  ])("%s has %s and not %s", (text, within, outside) => {
    const ranges = [readRange(text)].filter((range) => range !== null);
    expect([isWithin(within, ranges), isWithin(outside, ranges)]).toEqual([true, false]);
  });

  test.each(["", "10.0.0.0", "10.0.0.1/8", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/08x", "fe80::%eth0/64"])(
    "%j is not a range",
    (text) => expect(readRange(text)).toBeNull(),
  );
});

describe("the limit of addresses", () => {
  /** How many of so many attempts are let in at one instant, each from an address of its own. */
  function letIn(limiter: AddressLimiter | RateLimiter, addressOf: (n: number) => string, attempts: number): number {
    return Array.from({ length: attempts }, (_, n) => limiter.take(addressOf(n), 0).isAllowed).filter(Boolean).length;
  }
  const ofOneLink = (n: number) => `2001:db8:1:2::${n.toString(16)}`;
  const ofOneSite = (n: number) => `2001:db8:1:${n.toString(16)}::1`;

  test("is one for a /64, ten times that for a /48, and one for each address of IPv4", () => {
    expect(letIn(new AddressLimiter(10, 10), ofOneLink, 200)).toBe(10);
    expect(letIn(new AddressLimiter(10, 10), ofOneSite, 200)).toBe(100);
    expect(letIn(new AddressLimiter(10, 10), (n) => `192.0.2.${n}`, 200)).toBe(200);
    expect(letIn(new AddressLimiter(10, 10), (n) => (n % 2 ? "::ffff:192.0.2.1" : "192.0.2.1"), 200)).toBe(10);
  });

  test("bites: addresses counted one by one let all of a /64 in", () => {
    expect(letIn(new RateLimiter(10, 10), ofOneLink, 200)).toBe(200);
  });

  test("gives back what it took, of both", () => {
    const limiter = new AddressLimiter(10, 10);
    for (let n = 0; n < 500; n++) {
      expect(limiter.take(ofOneSite(n), 0).isAllowed).toBe(true);
      limiter.giveBack(ofOneSite(n), 0);
    }
    // What the site refuses takes nothing of the caller's own.
    expect(letIn(limiter, ofOneSite, 100)).toBe(100);
    for (let n = 0; n < 20; n++) expect(limiter.take(ofOneSite(900), 0).isAllowed).toBe(false);
    limiter.giveBack(ofOneSite(0), 0);
    expect(limiter.take(ofOneSite(900), 0).isAllowed).toBe(true);
  });
});
