// Plays calls against a service and looks at all that must hold of it: what the tests of hostile calls do, and what
// must find the faults that are planted in a service to see whether it does.
import { expect } from "bun:test";
import { expectSound } from "../kit/cap-table.ts";
import type { Pick } from "../kit/random.ts";
import type { Answer } from "../kit/service.ts";
import { type Call, differenceOf, tell, twinCalls } from "./calls.ts";
import type { TestCompany } from "./company.ts";
import type { Oracle } from "./oracle.ts";

const AT_ONCE = 20;
const DAYS = ["2024-02-29", "2025-06-30", "2026-06-15", "9999-12-31"];

/** Sends calls, some at once, and returns what is wrong with the answers. */
export async function play(
  oracle: Oracle,
  company: TestCompany,
  make: (company: TestCompany, pick: Pick) => Call,
  count: number,
  pick: Pick,
): Promise<string[]> {
  const faults: string[] = [];
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const calls = Array.from({ length: Math.min(AT_ONCE, count - sent) }, () => make(company, pick));
    const answers = await Promise.all(calls.map(({ sending }) => company.service.send(sending)));
    calls.forEach((call, index) => {
      const answer = answers[index] as Answer;
      const fault = oracle.judge(call.route, answer);
      if (fault !== null) faults.push(`${tell(call)}\n  ${fault}`);
      company.learn(call.route, answer);
    });
    await company.look();
  }
  return faults;
}

/** Whether the service still adds up: verified, in every view, and nothing of its own failed. */
export async function expectClean(company: TestCompany): Promise<void> {
  expect(company.service.differences(company.orgId)).toEqual([]);
  for (const day of DAYS) expectSound((await company.api("GET", `/cap-table?asOf=${day}`)).json.data);
  expect(company.service.failures).toEqual([]);
  expect({ polluted: Reflect.get({}, "isAdmin") }).toEqual({ polluted: undefined });
}

/** All that another organization could notice. */
export async function traceOf(company: TestCompany): Promise<string> {
  const log = await company.api("GET", "/audit-log?limit=1");
  return (await company.api("GET", "/cap-table/summary")).text + log.text;
}

/** Holds calls with ids of `other` against the same with unknown ids; returns how many were refused alike. */
export async function expectTwinsAlike(
  company: TestCompany,
  other: TestCompany,
  count: number,
  pick: Pick,
): Promise<number> {
  let compared = 0;
  for (let index = 0; index < count; index++) {
    const twins = twinCalls(company, other, pick);
    if (twins === null) continue;
    const [unknown, foreign] = twins;
    const first = await company.service.send(unknown.sending);
    const difference = differenceOf(first, await company.service.send(foreign.sending));
    if (difference !== null) throw new Error(`${tell(foreign)}\n  ${difference}`);
    if (first.status >= 400) compared++;
  }
  return compared;
}
