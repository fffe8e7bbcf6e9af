// What of a preview differs from the one that was looked at before others recorded something. Pure.
import { isSame } from "../../parts/forms/merging.ts";
import type { Changes } from "./effects.ts";

/** The ids of the lines, bars and parts that differ, or were not there; `isLess` where something is there no more. */
export interface Differences {
  readonly ids: ReadonlySet<string>;
  readonly isLess: boolean;
}

interface Identified {
  readonly id: string;
}

const partsOf = ({ lines, uses, shares }: Changes): readonly (readonly Identified[])[] => [lines, uses, shares];

/** Compares two previews; null where nothing differs. */
export function differencesOf(seen: Changes, now: Changes): Differences | null {
  const ids = new Set<string>();
  let isLess = false;
  partsOf(now).forEach((part, at) => {
    const before = new Map((partsOf(seen)[at] ?? []).map((each) => [each.id, each]));
    for (const each of part) if (!isSame(before.get(each.id), each)) ids.add(each.id);
    isLess ||= [...before.keys()].some((id) => !part.some((each) => each.id === id));
  });
  return ids.size === 0 && !isLess ? null : { ids, isLess };
}
