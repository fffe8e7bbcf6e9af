// The file names of scheduled backups, which tell their time: here, and in a bucket elsewhere.
import { toTimestamp } from "../../kernel/runtime.ts";

/** What the name of an encrypted file ends with. */
export const ENCRYPTED = ".age";
const NAME = /^captable-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z)\.captable(?:\.age)?$/;

/** The name of a backup that is made now. */
export function scheduledName(nowMs: number, isEncrypted: boolean): string {
  return `captable-${stampOf(nowMs)}.captable${isEncrypted ? ENCRYPTED : ""}`;
}

/** The names of scheduled backups among others, oldest first: before all those from before the clock was set back. */
export function scheduledInOrder(names: readonly string[], nowMs: number): string[] {
  const found = names.flatMap((name) => {
    const stamp = NAME.exec(name)?.[1];
    return stamp === undefined ? [] : [{ name, stamp }];
  });
  found.sort((one, other) => (one.stamp < other.stamp ? -1 : one.stamp > other.stamp ? 1 : 0));
  const now = stampOf(nowMs);
  const inOrder = [...found.filter(({ stamp }) => stamp > now), ...found.filter(({ stamp }) => stamp <= now)];
  return inOrder.map(({ name }) => name);
}

/** Whether it is the name of a scheduled backup, of which there is one. */
export function isScheduledName(name: string): boolean {
  return NAME.test(name);
}

function stampOf(ms: number): string {
  return toTimestamp(ms).replace(/[:.]/g, "-");
}
