// What an operation decides follows from its facts, its command and its context alone: asked again it says the
// same, asked of facts that are read anew too, and it changes nothing of what it was given. And the arithmetic that all
// of them rest on is exact.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { findFaults } from "../../src/kernel/check.ts";
import { formatDecimal, isDecimalText, parseDecimal, sum } from "../../src/kernel/numbers/decimal.ts";
import { Problem } from "../../src/kernel/problem.ts";
import type { Decision, Facts, LedgerOperation } from "../../src/ledger/operation.ts";
import { OPERATIONS } from "../../src/ledger/registry.ts";
import { Loader } from "../../src/ledger/writes/load.ts";
import type { WriteRoute } from "../../src/resources/route.ts";
import { makeBody } from "../fuzz/bodies.ts";
import { sensibleCall } from "../fuzz/calls.ts";
import { TestCompany } from "../fuzz/company.ts";
import { Service } from "../kit/in-process.ts";
import { firstSeed, mustMeetAll, proved, seedCount, seedsUntil } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";
import { nameOf, ROUTES } from "../matrix/world.ts";

const DECISIONS = { quick: 150, most: 500, release: 10_000 };
const SUMS = seedCount(63, 10_000);
const TIMEOUT_MS = 1_800_000;

let service: Service;
beforeAll(async () => {
  service = await Service.start(firstSeed());
});
afterAll(() => service.stop());

/** Everything that there is to see of a value. */
function seen(value: unknown): string {
  return Bun.inspect(value, { depth: Number.POSITIVE_INFINITY, sorted: true });
}

function frozen<T>(value: T): T {
  for (const inner of Object.values(Object(value))) if (typeof inner === "object" && inner !== null) frozen(inner);
  return Object.freeze(value);
}

/** What an operation decides, or why it does not. */
function decisionOf(operation: LedgerOperation, facts: Facts, command: Record<string, unknown>): Decision | string {
  try {
    return operation.decide(
      facts,
      command,
      frozen({
        orgId: "org",
        today: "2026-06-15",
        currency: "USD",
        asksAcceptance: false,
        isImport: false,
        newSecurityId: "new",
      }),
    );
  } catch (error) {
    if (error instanceof Problem) return `${error.slug}: ${error.detail} ${JSON.stringify(error.errors)}`;
    throw error;
  }
}

test(
  "P3: decisions are the same when asked again, and change nothing that they were given",
  async () => {
    let company = await TestCompany.create(service);
    const decided = new Map<string, number>();
    const missing = () => OPERATIONS.filter(({ route }) => !decided.get(route)).map(({ route }) => route);
    let count = 0;
    for (const seed of seedsUntil(() => missing().length === 0, DECISIONS)) {
      const pick = seeded(seed);
      if (count++ % 50 === 0) company = await TestCompany.create(service);
      const operation = OPERATIONS[seed % OPERATIONS.length] as LedgerOperation;
      const route = ROUTES.find(
        (candidate) => nameOf(candidate) === `POST /transactions/${operation.route}`,
      ) as WriteRoute;
      const command = frozen(structuredClone(makeBody(route, company, pick))) as Record<string, unknown>;
      if (findFaults(operation.body, command).length > 0) continue;
      const load = () => {
        try {
          return new Loader(service.reader, company.orgId).load(operation.needs(command));
        } catch (error) {
          if (error instanceof Problem) return null;
          throw error;
        }
      };
      const [facts, others] = [load(), load()];
      if (facts && others) {
        const before = seen(facts);
        const first = decisionOf(operation, facts, command);
        const said = seen(first);
        expect({ seed, after: seen(facts) }).toEqual({ seed, after: before });
        expect(seen(decisionOf(operation, facts, command))).toBe(said);
        expect(seen(decisionOf(operation, others, command))).toBe(said);
        if (typeof first !== "string") decided.set(operation.route, (decided.get(operation.route) ?? 0) + 1);
      }
      const call = sensibleCall(company, pick);
      company.learn(call.route, await service.send(call.sending));
      await company.look();
    }
    if (mustMeetAll(count)) expect(missing()).toEqual([]);
    const seed = `${firstSeed()}-${firstSeed() + count - 1}`;
    proved({
      fault: "P3",
      what: "decisions asked three times",
      count,
      seed,
      result: "the same, and nothing touched",
    });
  },
  TIMEOUT_MS,
);

test(
  `P4: ${SUMS} sums of decimals are exact, and are written as they are read`,
  () => {
    const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
    const text = fc
      .tuple(fc.constantFrom("", "-", "+"), digits(30), fc.option(digits(10)))
      .map(([sign, whole, places]) => `${sign}${whole}${places === null ? "" : `.${places}`}`);
    const property = fc.property(text, text, (left, right) => {
      const [a, b] = [parseDecimal(left), parseDecimal(right)];
      expect(sum([a, b]) - b).toBe(a);
      for (const value of [a, b, a + b, a - b]) {
        const written = formatDecimal(value);
        expect(written).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]{0,9}[1-9])?$/);
        expect(isDecimalText(written)).toBe(true);
        expect(parseDecimal(written)).toBe(value);
      }
      // The second opinion counts in whole units, its point put in by hand.
      const units = (given: string) => {
        const [, sign, whole = "", places = ""] = /^([+-]?)(\d+)\.?(\d*)$/.exec(given) ?? [];
        return BigInt(`${sign === "-" ? "-" : ""}${whole}${places.padEnd(10, "0")}`);
      };
      expect(a + b).toBe(units(left) + units(right));
    });
    fc.assert(property, { numRuns: SUMS, seed: firstSeed() });
    proved({
      fault: "P4",
      what: "sums of decimals of up to 30 digits",
      count: SUMS,
      seed: String(firstSeed()),
      result: "exact",
    });
  },
  TIMEOUT_MS,
);
