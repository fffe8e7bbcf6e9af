// Differences in people between a backup and the data that it replaces: a person who was removed, demoted or given
// another password since the backup has the old rights again, and the operator must know.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE, openUntouched } from "../../storage/database/open.ts";
import { type PersonState, readPeople } from "./people-store.ts";

/** One difference: the person, and what differs. */
export interface PersonDifference {
  readonly email: string;
  readonly what: string;
}

/**
 * The differences of the database of `restored` to that of `replaced`, person by person; null without one to compare
 * with, or if it cannot be read.
 */
export function comparePeople(restored: string, replaced: string): readonly PersonDifference[] | null {
  if (!existsSync(join(replaced, DATABASE_FILE))) return null;
  const [now, before] = [peopleIn(restored), peopleIn(replaced)];
  if (now === null || before === null) return null;
  const ids = new Set([...before.keys(), ...now.keys()]);
  return [...ids].flatMap((id) => differencesOf(now.get(id), before.get(id)));
}

function peopleIn(folder: string): ReadonlyMap<string, PersonState> | null {
  try {
    const db = openUntouched(join(folder, DATABASE_FILE));
    try {
      return readPeople(db);
    } finally {
      db.sqlite.close();
    }
  } catch {
    return null;
  }
}

function differencesOf(now: PersonState | undefined, before: PersonState | undefined): readonly PersonDifference[] {
  const email = now?.email ?? before?.email ?? "";
  const said = [
    ...(now && before && now.email !== before.email ? [`e-mail address (was ${before.email})`] : []),
    ...(now === undefined ? ["has no account any more"] : []),
    ...rolesThatDiffer(now?.roles ?? {}, before?.roles ?? {}),
    ...thingsThatDiffer(now?.has ?? {}, before?.has ?? {}),
  ];
  return said.map((what) => ({ email, what }));
}

function rolesThatDiffer(now: PersonState["roles"], before: PersonState["roles"]): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((name) => {
    const [is, was] = [now[name], before[name]];
    if (is === was) return [];
    if (is === undefined) return [`is not a member of ${name} (was ${was})`];
    return [`${is} of ${name} (was ${was ?? "no member"})`];
  });
}

function thingsThatDiffer(now: PersonState["has"], before: PersonState["has"]): readonly string[] {
  return Object.keys({ ...before, ...now }).flatMap((what) => {
    const [is, was] = [now[what] ?? null, before[what] ?? null];
    if (is === was) return [];
    if (is === null)
      return [`no ${what} (had one)`.replace(/(codes|passkeys|identities) \(had one\)/, "$1 (had some)")];
    return [was === null ? `${what} (had none)` : `other ${what}`];
  });
}
