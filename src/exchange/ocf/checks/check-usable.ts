// Checks objects for what an import would refuse although OCF's schemas accept it, so that a validation reports it
// before the import. The rules are the import's own. Pure.
import { refusalOf } from "../codec/usable.ts";
import type { Findings, Place } from "../finding.ts";
import type { Story } from "../story/read-story.ts";

const FIX = "Correct it: an import refuses the object as it is.";

/** Adds what an import would refuse, if no other check has found a fault at the same place. */
export function checkUsable(story: Story, findings: Findings): void {
  const known = new Set(findings.list.filter(({ severity }) => severity === "problem").map(keyOf));
  const add = (code: string, place: Place & { readonly pointer: string }, { detail, fix }: Said) => {
    const isKnown = withOuter(place.pointer).some((outer) => known.has(keyOf({ ...place, pointer: outer })));
    if (!isKnown) findings.problem(code, place, detail, fix);
  };
  for (const at of story.issuer ? [story.issuer, ...story.objects] : story.objects) {
    for (const fault of story.faults.get(at) ?? []) {
      if (fault.code === "wrong-id") add(fault.code, { ...fault, pointer: fault.pointer ?? "#" }, fault);
    }
    const refusal = refusalOf(at.type, at.value);
    if (refusal === null) continue;
    const pointer = (at.pointer ?? "#") + refusal.pointer.slice(1);
    add("refused", { ...at, pointer }, { detail: refusal.detail, fix: FIX });
  }
}

/** What a finding says. */
interface Said {
  readonly detail: string;
  readonly fix: string;
}

/** The pointer, and those to the members that it is in. */
function withOuter(pointer: string): string[] {
  const steps = pointer.split("/");
  return steps.map((_, i) => steps.slice(0, i + 1).join("/"));
}

function keyOf({ file, index, pointer }: Place): string {
  return JSON.stringify([file, index, pointer]);
}
