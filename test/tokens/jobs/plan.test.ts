// Planning is pure: from any holdings to any other, the moves lead exactly there and never mint what could be moved.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Address } from "../../../src/kernel/text/wallet-address.ts";
import { type Move, planMoves } from "../../../src/tokens/jobs/plan.ts";
import type { Position } from "../../../src/tokens/jobs/token-store.ts";

const ADDRESSES: readonly Address[] = ["0xa", "0xb", "0xc"];

function at(securityId: string, address: string, quantity: bigint): Position {
  return { securityId, address: address as Address, quantity };
}

function balances(positions: readonly Position[]): Map<string, bigint> {
  const totals = new Map(ADDRESSES.map((address) => [address as string, 0n]));
  for (const { address, quantity } of positions) totals.set(address, (totals.get(address) ?? 0n) + quantity);
  return totals;
}

function applied(start: readonly Position[], moves: readonly Move[]): Map<string, bigint> {
  const totals = balances(start);
  for (const { from, to, amount } of moves) {
    if (from) totals.set(from.address, (totals.get(from.address) ?? 0n) - amount);
    for (const total of totals.values()) expect(total >= 0n).toBe(true);
    if (to) totals.set(to.address, (totals.get(to.address) ?? 0n) + amount);
  }
  return totals;
}

const holdings = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom(...ADDRESSES), fc.bigInt(1n, 50n)), {
    selector: ([id]) => id,
    maxLength: 6,
  })
  .map((list) => list.map(([id, address, quantity]) => at(`s${id}`, address, quantity)));

test("moves lead from any holdings to any others, and mint or burn only the difference of the totals", () => {
  fc.assert(
    fc.property(holdings, holdings, (was, wanted) => {
      const moves = planMoves(was, wanted);
      expect(applied(was, moves)).toEqual(balances(wanted));
      const total = (positions: readonly Position[]) => positions.reduce((all, { quantity }) => all + quantity, 0n);
      const amountOf = (kind: Move["kind"]) =>
        moves.filter((move) => move.kind === kind).reduce((all, { amount }) => all + amount, 0n);
      const difference = total(wanted) - total(was);
      expect(amountOf("issue")).toBe(difference > 0n ? difference : 0n);
      expect(amountOf("cancel")).toBe(difference < 0n ? -difference : 0n);
    }),
  );
});

const CASES: readonly [
  name: string,
  was: readonly Position[],
  wanted: readonly Position[],
  moves: readonly string[],
][] = [
  ["nothing changes", [at("s1", "0xa", 5n)], [at("s1", "0xa", 5n)], []],
  ["an issue", [], [at("s1", "0xa", 5n)], ["issue > s1 5"]],
  ["a cancellation", [at("s1", "0xa", 5n)], [at("s1", "0xa", 2n)], ["cancel s1 > 3"]],
  ["a transfer", [at("s1", "0xa", 5n)], [at("s1", "0xa", 3n), at("s2", "0xb", 2n)], ["transfer s1 > s2 2"]],
  ["another wallet", [at("s1", "0xa", 5n)], [at("s1", "0xb", 5n)], ["transfer s1 > s1 5"]],
  ["another security of the same holder", [at("s1", "0xa", 5n)], [at("s2", "0xa", 5n)], []],
];

test.each(CASES)("%s", (_name, was, wanted, expected) => {
  const shown = planMoves(was, wanted).map(({ kind, from, to, amount }) =>
    [kind, from?.securityId, ">", to?.securityId, amount].filter((part) => part !== undefined).join(" "),
  );
  expect(shown).toEqual([...expected]);
});
