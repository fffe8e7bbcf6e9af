// Reads the dates to come of an organization, or of one person in it: one replay as of today, and light rows.

import type { CalendarDate } from "../../kernel/date.ts";
import { Relief } from "../../kernel/gc-hints.ts";
import { END_OF_TIME } from "../../kernel/runtime.ts";
import type { SecurityState } from "../../ledger/types.ts";
import { sharesIn } from "../../ledger/vested/vesting-account.ts";
import { Valuations409A } from "../../ledger/warnings/valuation-in-force.ts";
import { getOrganization } from "../../resources/organization/store.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { readView, type View } from "../cap-table/view.ts";
import type { Own } from "../portal/own.ts";
import {
  type DatedCompany,
  type DatedHolder,
  type DatedItem,
  type DatesAsked,
  datesOf,
  type OpenSecurity,
} from "./dates.ts";
import { Elections } from "./elections.ts";
import {
  listDatedHolders,
  listDatedValuations,
  listDueApprovals,
  listDueMilestones,
  listSecurityDates,
} from "./store.ts";

/** The kinds of which a person is shown its own; the others are the organization's. */
const OWN_KINDS = [
  "exercise-window-ends",
  "security-expires",
  "convertible-matures",
  "milestone-due",
  "vesting-cliff",
  "vesting-complete",
  "section-83b",
] as const;

/** Reads the dates asked for, as of today; with `own` those of that person alone. The caller holds a snapshot. */
export function readDates(
  db: Reader,
  orgId: string,
  { today, own, ...asked }: DatesAsked & { readonly today: CalendarDate; readonly own: Own | null },
): DatedItem[] {
  const company = readCompany(db, orgId, { today, own, asked });
  if (own === null) return datesOf(company, asked);
  const kinds = new Set(OWN_KINDS.filter((kind) => asked.kinds.has(kind)));
  return datesOf(company, { ...asked, kinds }).filter(({ stakeholderId }) => own.has(stakeholderId));
}

interface Reading {
  readonly today: CalendarDate;
  readonly own: Own | null;
  readonly asked: DatesAsked;
}

function readCompany(db: Reader, orgId: string, { today, own, asked }: Reading): DatedCompany {
  const rows = new Map(listSecurityDates(db, { orgId }).map((row) => [row.id, row]));
  const elections = new Elections();
  const view = readView(db, orgId, { asOf: today, knownAt: END_OF_TIME }, { companions: [elections] });
  const isVestingAsked = asked.kinds.has("vesting-cliff") || asked.kinds.has("vesting-complete");
  const relief = new Relief();
  const isKept = ({ deletedAt }: { readonly deletedAt: string | null }) => deletedAt === null;
  return {
    countryOfFormation: getOrganization(db, orgId).countryOfFormation,
    securities: view.open
      .filter(({ stakeholderId }) => own === null || own.has(stakeholderId))
      .flatMap((state): OpenSecurity[] => {
        const row = rows.get(state.id);
        if (row === undefined || !isKept(row)) return [];
        relief.row();
        const { id, type, stakeholderId } = state;
        const { certificateId, expirationDate, maturityDate } = row;
        const vesting = isVestingAsked ? vestingDaysOf(view, state, row) : null;
        return [{ id, type, stakeholderId, certificateId, expirationDate, maturityDate, vesting }];
      }),
    elections: elections.found.flatMap((election) => {
      const row = rows.get(election.securityId);
      return row !== undefined && isKept(row) ? [{ ...election, certificateId: row.certificateId }] : [];
    }),
    holders: new Map(listDatedHolders(db, { orgId }).map(({ id, ...row }) => [id, holderOf(row)])),
    classes: view.names.classes.filter(isKept),
    valuations: new Valuations409A(listDatedValuations(db, { orgId })),
    plans: view.names.plans
      .filter(isKept)
      .map(({ id, planName: name, expirationDate }) => ({ id, name, expirationDate })),
    approvals: own === null ? listDueApprovals(db, { orgId }) : [],
    milestones: listDueMilestones(db, { orgId }),
  };
}

/**
 * The first and the last day on which something of a grant vests; shares that wait without a day are left out. None
 * where all had vested when it came to its holder; of what another security became, days up to then are its maker's.
 */
function vestingDaysOf(
  view: View,
  { id, type }: SecurityState,
  { grantDate, originSecurityId }: { readonly grantDate: CalendarDate; readonly originSecurityId: string | null },
): OpenSecurity["vesting"] {
  const vesting = type === "CONVERTIBLE" ? null : view.vestingOf(id);
  if (vesting === null) return null;
  const { all } = sharesIn(vesting, view.moment.asOf);
  const days = all.flatMap(({ date }) => (date === null ? [] : [date])).sort();
  const later = originSecurityId === null ? days : days.filter((day) => day > grantDate);
  const [first, last] = [later[0], later.at(-1)];
  return first === undefined || last === undefined || last <= grantDate ? null : { first, last };
}

const SERVING = ["EMPLOYEE", "ADVISOR", "CONSULTANT"];

function holderOf({
  displayName,
  type,
  status,
  relationships,
}: Omit<ReturnType<typeof listDatedHolders>[number], "id">): DatedHolder {
  const all = JSON.parse(relationships) as string[];
  const hasLeft = all.some((each) => each.startsWith("EX_")) && !all.some((each) => SERVING.includes(each));
  return { displayName, isIndividual: type === "INDIVIDUAL", isFormer: status === "FORMER" || hasLeft };
}
