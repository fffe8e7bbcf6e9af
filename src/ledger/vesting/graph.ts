// Graph of vesting conditions: which must be satisfied before which. Conditions are indexes of the list, so that terms
// with faults (an import's double ids, cycles) can be walked too. No dates, no shares.
import type { VestingCondition } from "./vesting-types.ts";

/** The index of each condition by id; of two with one id, the first. */
export function indexById(conditions: readonly VestingCondition[]): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  for (const [i, { id }] of conditions.entries()) if (!index.has(id)) index.set(id, i);
  return index;
}

/**
 * For each condition, its predecessors. An edge may be named from either end, or both: by the earlier one's
 * `nextConditionId` or the later one's `cliffConditionId`. A condition that names itself as next has no edge for it;
 * neither has a link to an unknown condition.
 */
export function predecessors(conditions: readonly VestingCondition[]): readonly ReadonlySet<number>[] {
  const index = indexById(conditions);
  const before = conditions.map(() => new Set<number>());
  for (const [i, { cliffConditionId, nextConditionId }] of conditions.entries()) {
    const cliff = index.get(cliffConditionId ?? "");
    if (cliff !== undefined) before[i]?.add(cliff);
    const next = index.get(nextConditionId ?? "");
    if (next !== undefined && next !== i) before[next]?.add(i);
  }
  return before;
}

/**
 * The conditions in waves, each after the last of its predecessors, in their given order within a wave. Conditions on a
 * cycle, or after one, are left out.
 */
export function inOrder(before: readonly ReadonlySet<number>[]): readonly number[] {
  const after = before.map((): number[] => []);
  for (const [i, earlier] of before.entries()) for (const j of earlier) after[j]?.push(i);
  const waitingFor = before.map((earlier) => earlier.size);
  const order: number[] = [];
  let wave = [...before.keys()].filter((i) => waitingFor[i] === 0);
  while (wave.length > 0) {
    order.push(...wave);
    const next: number[] = [];
    for (const later of wave.flatMap((i) => after[i] ?? [])) {
      const left = (waitingFor[later] ?? 0) - 1;
      waitingFor[later] = left;
      if (left === 0) next.push(later);
    }
    wave = next.sort((a, b) => a - b);
  }
  return order;
}
