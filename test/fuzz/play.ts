// Plays calls against a service and looks at all that must hold of it: what the tests of hostile calls do, and what must
// find the faults that are planted in a service to see whether it does.
import { expect } from "bun:test";
import type { Pick } from "../matrix/mutants.ts";
import { expectSound } from "../support/cap-table.ts";
import type { Answer } from "../support/server.ts";
import { type Call, differenceOf, tell, twinCalls } from "./calls.ts";
import type { Oracle } from "./oracle.ts";
import type { Town } from "./town.ts";

const AT_ONCE = 20;
const DAYS = ["2024-02-29", "2025-06-30", "2026-06-15", "9999-12-31"];

/** Sends calls, some at once, and returns what is wrong with the answers. */
export async function play(
  oracle: Oracle,
  town: Town,
  make: (town: Town, pick: Pick) => Call,
  count: number,
  pick: Pick,
): Promise<string[]> {
  const faults: string[] = [];
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const calls = Array.from({ length: Math.min(AT_ONCE, count - sent) }, () => make(town, pick));
    const answers = await Promise.all(calls.map(({ sending }) => town.service.send(sending)));
    calls.forEach((call, index) => {
      const answer = answers[index] as Answer;
      const fault = oracle.judge(call.route, answer);
      if (fault !== null) faults.push(`${tell(call)}\n  ${fault}`);
      town.learn(call.route, answer);
    });
    await town.look();
  }
  return faults;
}

/** Whether the service still adds up: verified, in every view, and nothing of its own failed. */
export async function expectClean(town: Town): Promise<void> {
  expect(town.service.differences(town.orgId)).toEqual([]);
  for (const day of DAYS) expectSound((await town.api("GET", `/cap-table?asOf=${day}`)).json.data);
  expect(town.service.failures).toEqual([]);
  expect({ polluted: Reflect.get({}, "isAdmin") }).toEqual({ polluted: undefined });
}

/** All that another organization could notice. */
export async function traceOf(town: Town): Promise<string> {
  const log = await town.api("GET", "/audit-log?limit=1");
  return (await town.api("GET", "/cap-table/summary")).text + log.text;
}

/** Holds calls with ids of `other` against the same with ids of nobody; returns how many were refused alike. */
export async function expectTwinsAlike(town: Town, other: Town, count: number, pick: Pick): Promise<number> {
  let compared = 0;
  for (let index = 0; index < count; index++) {
    const twins = twinCalls(town, other, pick);
    if (twins === null) continue;
    const [unknown, foreign] = twins;
    const first = await town.service.send(unknown.sending);
    const difference = differenceOf(first, await town.service.send(foreign.sending));
    if (difference !== null) throw new Error(`${tell(foreign)}\n  ${difference}`);
    if (first.status >= 400) compared++;
  }
  return compared;
}
