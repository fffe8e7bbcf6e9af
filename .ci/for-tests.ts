/**
 * The environment of `bun test` that takes a third of its work away: functions of tests do not run long enough to be worth
 * compiling a third time, and memory that is given back is asked for again at once. Programs that tests start run without
 * it (`test/kit/program.ts`).
 */
export const FOR_TESTS = { BUN_JSC_useFTLJIT: "0", MIMALLOC_PURGE_DELAY: "-1" } as const;
