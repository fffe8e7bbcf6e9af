/** True in `bun run test:release`, where tests run their large counts. */
export const RELEASE = process.env.CAPTABLE_RELEASE === "1";

/** Whether this is a run of `bun run test`, where tests stay in one process and seeds are few (.ci/tiers.ts). */
export const QUICK = !RELEASE && process.env.TEST_TIER === "test";

/** Throws in a run of the tier `test`, where nothing may start a process or a browser. */
export function leavesProcess(what: string): void {
  if (QUICK) throw new Error(`this test starts ${what}: its file's name has to end in .system.test.ts`);
}
