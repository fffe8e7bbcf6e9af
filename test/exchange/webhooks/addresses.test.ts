// Where webhooks may go: every special range, in each notation that a URL or a resolver knows, is refused; public addresses
// are allowed by https on ordinary ports alone; listed ranges by http too.
import { describe, expect, test } from "bun:test";
import { type AllowedAddresses, PUBLIC_ADDRESSES, readRange } from "../../../src/kernel/text/network-address.ts";
import { destinationOf, faultOfUrl, isPublic, mayGoTo } from "../../../src/resources/webhook-endpoints/addresses.ts";

/** An address of each special range of IPv4, and the range's first and last where neighbours are public. */
const SPECIAL_FOUR = [
  ...[
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
  ],
  ...["169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1"],
  ...["192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16"],
];
const SPECIAL_SIX = [
  ...["::", "::1", "::7f00:1", "::a00:1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "fc00::1"],
  ...["fd00:ec2::254", "fdff::1", "fe80::1", "febf::1", "fec0::1", "feff::1", "ff02::1", "2001::1", "2001:2::1"],
  ...[
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::1",
    "3fff::1",
    "5f00::1",
    "4000::1",
  ],
];
const PUBLIC_FOUR = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "172.15.255.255",
  "223.255.255.255",
];
const PUBLIC_SIX = ["2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "2400:cb00::1"];

const numberOf = (four: string) => four.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const octets = (four: string) => four.split(".").map(Number);

/** The notations in which URLs take an address of IPv4. */
const NOTATIONS: Readonly<Record<string, (four: string) => string>> = {
  literal: (four) => four,
  "with a dot at its end": (four) => `${four}.`,
  decimal: (four) => String(numberOf(four)),
  hexadecimal: (four) => `0x${numberOf(four).toString(16)}`,
  octal: (four) => `0${numberOf(four).toString(8)}`,
  "octal by parts": (four) =>
    octets(four)
      .map((part) => `0${part.toString(8)}`)
      .join("."),
  "hexadecimal by parts": (four) =>
    octets(four)
      .map((part) => `0x${part.toString(16)}`)
      .join("."),
  "of two parts": (four) => `${octets(four)[0]}.${numberOf(four) % 2 ** 24}`,
  percent: (four) => four.replaceAll(".", "%2e"),
  "full-width": (four) => four.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  mapped: (four) => `[::ffff:${four}]`,
  "mapped in hexadecimal": (four) => {
    const hex = numberOf(four).toString(16).padStart(8, "0");
    return `[::ffff:${hex.slice(0, 4)}:${hex.slice(4)}]`;
  },
};

const allowing = (...ranges: readonly string[]): AllowedAddresses => ({
  isPublic: true,
  ranges: ranges.map(readRange).filter((range) => range !== null),
});
const HTTPS = { isEncrypted: true, host: "", port: 443 };

describe("an address", () => {
  test("of a special range is not public, and its public neighbours are", () => {
    for (const address of [...SPECIAL_FOUR, ...SPECIAL_SIX])
      expect([address, isPublic(address)]).toEqual([address, false]);
    for (const address of [...PUBLIC_FOUR, ...PUBLIC_SIX])
      expect([address, isPublic(address)]).toEqual([address, true]);
    for (const text of ["", "localhost", "1.2.3", "0x7f.1", "1.1.1.1%eth0", "::ffff:8.8.8.8%1"]) {
      expect([text, mayGoTo(text, HTTPS, PUBLIC_ADDRESSES)]).toEqual([text, false]);
    }
  });

  test("that is mapped is judged by what it maps", () => {
    for (const four of SPECIAL_FOUR) expect(isPublic(`::ffff:${four}`)).toBe(false);
    for (const four of PUBLIC_FOUR) expect(isPublic(`::ffff:${four}`)).toBe(true);
  });

  test("of a listed range is allowed by http on any port; another one is not", () => {
    const allowed = allowing("10.1.0.0/16", "fd00:1::/32");
    const http = { isEncrypted: false, host: "", port: 22 };
    for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd00:1::5"])
      expect(mayGoTo(address, http, allowed)).toBe(true);
    for (const address of ["10.2.0.1", "::ffff:10.2.0.1", "fd00:2::5", "1.1.1.1"]) {
      expect(mayGoTo(address, http, allowed)).toBe(false);
    }
  });

  test("that is public is allowed by https alone, at 443 or from 1024", () => {
    const to = (isEncrypted: boolean, port: number) =>
      mayGoTo("1.1.1.1", { isEncrypted, host: "", port }, PUBLIC_ADDRESSES);
    expect([443, 1024, 8443, 65_535].map((port) => to(true, port))).toEqual([true, true, true, true]);
    expect([1, 22, 25, 80, 442, 444, 1023].map((port) => to(true, port))).toEqual(Array(7).fill(false));
    expect([80, 443, 8080].map((port) => to(false, port))).toEqual([false, false, false]);
    expect(mayGoTo("1.1.1.1", HTTPS, { isPublic: false, ranges: [] })).toBe(false);
  });
});

describe("a URL", () => {
  test("with a special address is refused in every notation; a public one is taken", () => {
    let judged = 0;
    for (const [notation, write] of Object.entries(NOTATIONS)) {
      for (const four of SPECIAL_FOUR) {
        const url = `https://${write(four)}/hook`;
        expect([notation, url, faultOfUrl(url, PUBLIC_ADDRESSES)]).toEqual([
          ...[notation, url, "is at an address that this server sends nothing to"],
        ]);
        judged++;
      }
      for (const four of PUBLIC_FOUR) {
        expect([notation, faultOfUrl(`https://${write(four)}/hook`, PUBLIC_ADDRESSES)]).toEqual([notation, null]);
      }
    }
    for (const six of SPECIAL_SIX) {
      expect([six, faultOfUrl(`https://[${six}]/`, PUBLIC_ADDRESSES)]).not.toEqual([six, null]);
      judged++;
    }
    expect(judged).toBe(Object.keys(NOTATIONS).length * SPECIAL_FOUR.length + SPECIAL_SIX.length);
  });

  test("is https, without user, fragment, spaces and backslashes, on an ordinary port", () => {
    const fault = (url: string, allowed = PUBLIC_ADDRESSES) => faultOfUrl(url, allowed);
    expect(fault("https://hooks.example.com/a?b=c")).toBeNull();
    expect(fault("https://hooks.example.com:8443/")).toBeNull();
    const wrong = [
      ...[
        "http://hooks.example.com/",
        "ftp://hooks.example.com/",
        "file:///etc/passwd",
        "https://",
        "hooks.example.com",
      ],
      ...["https://ada@hooks.example.com/", "https://ada:pw@hooks.example.com/", "https://hooks.example.com/#x"],
      ...["https://hooks.example.com/#", "https://hooks.example.com:22/", "https://hooks.example.com:0/"],
      ...[
        "https:\\\\127.0.0.1\\",
        "https://hooks.example.com\\@127.0.0.1/",
        "https://hooks.exa\nmple.com/",
        " https://a.example/",
      ],
    ];
    for (const url of wrong) expect([url, fault(url)]).not.toEqual([url, null]);
    expect(fault("http://10.0.0.5:3000/", allowing("10.0.0.0/8"))).toBeNull();
    expect(fault("http://internal.example/", allowing("10.0.0.0/8"))).toBeNull();
  });

  test("goes where it is judged to go", () => {
    expect(destinationOf(new URL("https://[::1]/"))).toEqual({ isEncrypted: true, host: "::1", port: 443 });
    expect(destinationOf(new URL("http://0x7f.1:81/"))).toEqual({ isEncrypted: false, host: "127.0.0.1", port: 81 });
  });
});
