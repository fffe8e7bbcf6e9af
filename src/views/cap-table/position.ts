// One holder's position at a moment: every open security with what of it has vested and can be exercised.

import type { Static } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, isSameFigure, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import type { SecurityState } from "../../ledger/types.ts";
import { sharesIn } from "../../ledger/vested/vesting-account.ts";
import { stoppedOn } from "../../ledger/vested/vesting-stops.ts";
import { asThen, readVestingThen } from "../../ledger/vested/vesting-then-store.ts";
import { type AheadEntry, aheadBySecurity } from "../../ledger/writes/ahead-entries.ts";
import { presenter } from "../../resources/present.ts";
import { showSecurity } from "../../resources/securities/present-security.ts";
import { Stakeholder } from "../../resources/stakeholders/schema.ts";
import { findAny, getRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { beginningWarnings } from "./beginning.ts";
import { Holding } from "./holding.ts";
import { columnsIn, figuresOf, layOutClasses, wholeIn } from "./table.ts";
import type { View } from "./view.ts";

type StakeholderShown = Static<typeof Stakeholder> & { readonly displayName: string };

const presentStakeholder = presenter(Stakeholder);
const showStakeholder = (row: Row<"stakeholders">) => presentStakeholder(row) as StakeholderShown;

/** Whose position, and the day on which it is asked for. */
interface Holder {
  readonly id: string;
  readonly today: CalendarDate;
}

/** All that `GET /stakeholders/{id}/position` answers, but the instant. Throws `404` where there is no such holder. */
export function readHolderPosition(db: Reader, orgId: string, view: View, { id: holderId, today }: Holder) {
  const stakeholder = showStakeholder(getRecord<Row<"stakeholders">>(db, "stakeholders", orgId, holderId));
  const warnings = beginningWarnings(db, orgId, view.moment);
  return { asOf: view.moment.asOf, stakeholder, ...readPosition(db, orgId, view, { id: holderId, today }), warnings };
}

/** What `holderId` holds in a view; read in the snapshot that the view is of. */
function readPosition(db: Reader, orgId: string, view: View, { id: holderId, today }: Holder) {
  const ahead = aheadBySecurity(db, orgId, today);
  const then = readVestingThen(db, orgId, view.moment.knownAt).securities;
  const own = new Holding();
  const held = view.openOf(holderId);
  for (const security of held) own.add(view.lineOf(security));
  const shares = held
    .filter(({ type }) => type !== "CONVERTIBLE")
    .map((state) => ({ state, row: asThen(rowOf(db, orgId, state), then) }));
  const whole = wholeIn(view);
  const { percentOutstanding, percentFullyDiluted, ...figures } = figuresOf(own, whole);
  const percents = { percentOutstanding, percentFullyDiluted, ...columnsIn(view, whole).of([holderId]) };
  const exercisable = sum(shares.map(({ state, row }) => exercisableOf(view, state, row)));
  return {
    totals: { ...figures, exercisable: formatDecimal(exercisable), ...percents },
    byClass: layOutClasses({ view, whole, holders: [own] }, own),
    securities: shares.map(({ state, row }) => layOutShares(view, state, row, ahead.get(row.id))),
    convertibles: held
      .filter(({ type }) => type === "CONVERTIBLE")
      .map((state) => showSecurity(asOfThen(state, asThen(rowOf(db, orgId, state), then)), ahead.get(state.id))),
  };
}

function rowOf(db: Reader, orgId: string, { id }: SecurityState): Row<"securities"> {
  return present(findAny(db, "securities", orgId, id), `the row of security ${id}`);
}

const NOTHING = { exercised: ZERO, early: ZERO };

function layOutShares(view: View, state: SecurityState, row: Row<"securities">, ahead?: readonly AheadEntry[]) {
  const unvested = view.unvested(state);
  const vesting = view.vestingOf(state.id);
  const { exercised, early } = vesting === null ? NOTHING : sharesIn(vesting, view.moment.asOf);
  return {
    ...showSecurity(
      { ...asOfThen(state, row), vestingStoppedOn: vesting && stoppedOn(vesting, view.moment.asOf) },
      ahead,
    ),
    vested: formatDecimal(state.quantity - unvested),
    unvested: formatDecimal(unvested),
    exercised: formatDecimal(exercised + early),
    exercisable: formatDecimal(exercisableOf(view, state, row)),
    exercisableUntil: row.expirationDate,
  };
}

/** What of an option or a warrant has vested and has not expired. */
function exercisableOf(view: View, state: SecurityState, { expirationDate }: Row<"securities">): Decimal {
  if (state.type === "STOCK" || (expirationDate !== null && view.moment.asOf > expirationDate)) return ZERO;
  return state.quantity - view.unvested(state);
}

/** The record with what the ledger had of it then; what neither it nor vesting determines is as recorded now. */
function asOfThen(state: SecurityState, row: Row<"securities">): Row<"securities"> {
  const { status, stakeholderId, stockClassId, equityPlanId, pricePerShare, exercisePrice, charge } = state;
  const then = { status, stakeholderId, stockClassId, equityPlanId, pricePerShare, exercisePrice };
  const quantity = formatDecimal(state.quantity);
  return {
    ...row,
    ...then,
    // A figure that is the same stays as it was sent.
    quantity: isSameFigure(row.quantity, quantity) ? row.quantity : quantity,
    planCharge: charge === null ? null : formatDecimal(charge),
  };
}
