// What is paid of an exit before everybody else: amounts, percentages and slices, of the exit value or of what is left.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { deduct, exceeding } from "../../../src/views/models/exit/deductions.ts";
import type { Deduction } from "../../../src/views/models/exit/exit-body.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

const taken = (value: bigint, deductions: readonly Omit<Deduction, "name">[]) =>
  deduct(
    value,
    deductions.map((each) => ({ name: "D", ...each })),
  ).map(({ cents }) => cents);

const slices = [
  { upTo: "100", percent: "5" },
  { upTo: "200.5", percent: "0" },
  { upTo: null, percent: "10" },
];

test("a percentage is of the exit value, or of what those before it left", () => {
  expect(taken(10_000n, [{ amount: "40" }, { percent: "50" }])).toEqual([4_000n, 5_000n]);
  expect(taken(10_000n, [{ amount: "40" }, { percent: "50", of: "REMAINDER" }])).toEqual([4_000n, 3_000n]);
  expect(taken(10_000n, [{ percent: "80" }, { percent: "50" }, { percent: "50", of: "REMAINDER" }])).toEqual([
    8_000n,
    2_000n,
    0n,
  ]);
});

test("each slice by its own percentage, the sum rounded once to the cent, half even", () => {
  expect(taken(5_000n, [{ slices }])).toEqual([250n]);
  expect(taken(20_050n, [{ slices }])).toEqual([500n]);
  expect(taken(30_050n, [{ slices }])).toEqual([1_500n]);
  expect(taken(30_050n, [{ amount: "100" }, { slices, of: "REMAINDER" }])).toEqual([10_000n, 500n]);
  // 0.5 of a cent of each of two slices is one cent, and half a cent goes to the even one.
  expect(
    taken(2n, [
      {
        slices: [
          { upTo: "0.01", percent: "50" },
          { upTo: null, percent: "50" },
        ],
      },
    ]),
  ).toEqual([1n]);
  expect(taken(1n, [{ slices: [{ upTo: null, percent: "50" }] }])).toEqual([0n]);
  expect(taken(3n, [{ slices: [{ upTo: null, percent: "50" }] }])).toEqual([2n]);
});

test("what always takes more than all of it is told", () => {
  const told = (deductions: readonly Omit<Deduction, "name">[]) =>
    exceeding(deductions.map((each) => ({ name: "D", ...each }))).length;
  expect(told([{ percent: "60" }, { percent: "41" }])).toBe(1);
  expect(told([{ percent: "60" }, { percent: "41", of: "REMAINDER" }])).toBe(0);
  expect(told([{ percent: "101", of: "REMAINDER" }])).toBe(1);
  expect(told([{ amount: "5000000" }, { slices }])).toBe(0);
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

const open = { upTo: null, percent: "10" };
test.each([
  ["", {}],
  ["", { amount: "5", slices: [open] }],
  ["", { percent: "5", slices: [open] }],
  ["/slices", { slices: [] }],
  ["/slices", { slices: Array.from({ length: 11 }, () => open) }],
  ["/slices/0/upTo", { slices: [open, open] }],
  ["/slices/0/upTo", { slices: [{ upTo: "5", percent: "10" }] }],
  ["/slices/1/upTo", { slices: [{ upTo: "5", percent: "10" }, { upTo: "5", percent: "10" }, open] }],
  ["/slices/0/upTo", { slices: [{ upTo: "0", percent: "10" }, open] }],
  ["/slices/0/upTo", { slices: [{ upTo: "0.005", percent: "10" }, open] }],
  ["/slices/0/percent", { slices: [{ upTo: null, percent: "100.01" }] }],
  ["/of", { percent: "5", of: "REST" }],
])("is refused at #/deductions/0%s", async (at, members) => {
  const body = { exitValues: ["100"], deductions: [{ name: "D", ...members }] };
  const { status, json } = await server.api("POST", "/models/waterfall", body);
  expect([status, json.errors?.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    expect.arrayContaining([`#/deductions/0${at}`]),
  ]);
});
