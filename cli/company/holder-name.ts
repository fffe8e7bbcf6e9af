// Lookup of the stakeholder that a command names: by id, name or e-mail.

import { foldName } from "../../src/kernel/text/names.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import { listStakeholdersToSeek, type SoughtRow } from "../../src/views/cap-table/store.ts";
import { CommandError } from "../command.ts";

/** The most ids that a refusal names. */
const CANDIDATES_MAX = 20;

/** The stakeholder with this id, or the only one of this name or e-mail. Exit 2, with candidates, unless one fits. */
export function holderNamed(db: Reader, orgId: string, name: string): string {
  const all = listStakeholdersToSeek(db, { orgId });
  const sought = foldName(name);
  const isCalled = (text: string | null) => text !== null && foldName(text) === sought;
  const tests = [
    (each: SoughtRow) => each.id === name,
    (each: SoughtRow) => each.displayName === name,
    (each: SoughtRow) => isCalled(each.displayName) || isCalled(each.email),
    (each: SoughtRow) => isCalled(each.legalName),
  ];
  const found = tests.map((suits) => all.filter(suits)).find((suiting) => suiting.length > 0) ?? [];
  const [only, other] = found;
  if (only && !other) return only.id;
  const isNear = ({ displayName, legalName }: SoughtRow) =>
    [displayName, legalName].some((text) => foldName(text).includes(sought));
  const near = other ? found : all.filter(isNear);
  const listed = near.slice(0, CANDIDATES_MAX).map((each) => `${each.id} (${each.displayName})`);
  const more = near.length > listed.length ? ` and ${near.length - listed.length} more` : "";
  const said = other ? `${found.length} stakeholders are called ${name}` : `no stakeholder is called ${name}`;
  throw new CommandError(listed.length === 0 ? said : `${said}: name one by its id: ${listed.join(", ")}${more}`, 2);
}
