// What the dialog of a closing sends, and where its refusals belong: at a field of the dialog, at one of the round, or on
// top, with what leads on. Pure.
import { isDecimalText, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { ApiProblem, type FieldFault } from "../../api/problem.ts";
import type { paths } from "../../api/types.ts";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { sentence } from "../../parts/forms/words.ts";
import { ROUND } from "../../text/models/round.ts";
import type { RoundAnswer, RoundBody } from "./round-body.ts";
import type { ModelValues } from "./values.ts";

export type CloseBody = paths["/api/v1/models/round/close"]["post"]["requestBody"]["content"]["application/json"];

/** Where the authorized figure of a class that is made stands, by its place, and of one on record, by its id. */
export const NEW = "new.";
export const RAISE = "raise.";

/** The classes on record that have too few shares authorized. */
export function shortOf({ authorization }: RoundAnswer) {
  return authorization.filter(({ stockClassId, shortfall }) => stockClassId !== null && shortfall !== "0");
}

/** The body. */
export function closeBody(values: ModelValues, model: RoundBody, round: RoundAnswer): CloseBody {
  const figure = (name: string) => readDecimal(values[name] ?? "");
  const made = round.classes.flatMap(({ name }, index) => {
    const sharesAuthorized = figure(`${NEW}${index}`);
    return sharesAuthorized === null ? [] : [{ name, sharesAuthorized }];
  });
  const raised = shortOf(round).flatMap(({ stockClassId }) => {
    const newSharesAuthorized = figure(`${RAISE}${stockClassId}`);
    return newSharesAuthorized === null || stockClassId === null ? [] : [{ stockClassId, newSharesAuthorized }];
  });
  const { title = "", boardApprovalDate, stockholderApprovalDate, description } = values;
  return {
    model: model as CloseBody["model"],
    digest: round.digest,
    title: title.trim(),
    ...(made.length > 0 ? { newClassAuthorized: made } : {}),
    ...(raised.length > 0 ? { authorizedShares: raised } : {}),
    ...(boardApprovalDate ? { boardApprovalDate } : {}),
    ...(stockholderApprovalDate ? { stockholderApprovalDate } : {}),
    ...(description?.trim() ? { description: description.trim() } : {}),
  };
}

/** What is wrong before anything is sent: figures that cannot be read, and fewer shares than are issued. */
export function closeFaults(values: ModelValues, { classes }: RoundAnswer): Record<string, string | undefined> {
  const faults: Record<string, string | undefined> = {};
  for (const [name, typed] of Object.entries(values)) {
    if (name.startsWith(NEW) || name.startsWith(RAISE)) faults[name] = decimalFault(typed);
  }
  for (const [index, { shares }] of classes.entries()) {
    const read = readDecimal(values[`${NEW}${index}`] ?? "");
    if (read !== null && parseDecimal(read) < parseDecimal(shares)) faults[`${NEW}${index}`] = ROUND.tooFew(shares);
  }
  return faults;
}

/** What leads on from a refusal: the round is computed again, or the corporate action of its closing is opened. */
export type ClosingWay = { readonly kind: "AGAIN" } | { readonly kind: "OPEN"; readonly id: string };

/** A refusal in the words of the dialog; its pointers name the dialog's fields. */
export class ClosingRefused extends ApiProblem {
  constructor(
    of: ApiProblem,
    told: { readonly detail?: string; readonly errors?: readonly FieldFault[] },
    /** What leads on; null where nothing does. */
    readonly way: ClosingWay | null = null,
  ) {
    const { status, slug, title, requestId } = of;
    super({ status, slug, title, requestId, detail: told.detail ?? of.detail, errors: told.errors ?? of.errors });
  }
}

const CLOSED_BEFORE = /corporate action ([0-9a-f-]{36})/;
const TOO_EARLY = /earliest day to take/;

/** What a refusal of the body says, and where. */
export function refusalOf(problem: ApiProblem, asked: CloseBody, round: RoundAnswer): ClosingRefused {
  const { slug, detail, errors } = problem;
  if (slug === "model-changed") {
    return new ClosingRefused(problem, { detail: ROUND.changedMeanwhile }, { kind: "AGAIN" });
  }
  const [, closing] = CLOSED_BEFORE.exec(detail) ?? [];
  if (slug === "invalid-state" && closing !== undefined) {
    const words = ROUND.closedBefore(asked.model.newClass.name);
    return new ClosingRefused(problem, { detail: words }, { kind: "OPEN", id: closing });
  }
  if (errors.length > 0) {
    return new ClosingRefused(problem, { errors: errors.map((each) => toldFault(each, asked, round)) });
  }
  const words = sentence(detail);
  const lowered = slug === "insufficient-authorized-shares" ? loweredIn(asked, round) : undefined;
  if (lowered !== undefined) return new ClosingRefused(problem, { errors: [{ pointer: lowered, detail: words }] });
  return new ClosingRefused(problem, {
    detail: TOO_EARLY.test(detail) ? ROUND.about(ROUND.closingDate, words) : words,
  });
}

/** The field of the class whose authorized figure would be less than it is. */
function loweredIn({ authorizedShares = [] }: CloseBody, { authorization }: RoundAnswer): string | undefined {
  const lowered = authorizedShares.find(({ stockClassId, newSharesAuthorized }) => {
    const now = authorization.find((each) => each.stockClassId === stockClassId)?.authorized ?? "";
    return isDecimalText(now) && parseDecimal(newSharesAuthorized) < parseDecimal(now);
  });
  return lowered && `#/raise/${lowered.stockClassId}`;
}

function toldFault({ pointer = "", detail }: FieldFault, asked: CloseBody, round: RoundAnswer): FieldFault {
  const words = sentence(detail);
  const [, list, at = "0"] = /^#\/(newClassAuthorized|authorizedShares)\/(\d+)/.exec(pointer) ?? [];
  const index = Number.parseInt(at, 10);
  if (list === "newClassAuthorized") {
    const name = asked.newClassAuthorized?.[index]?.name;
    return { pointer: `#/new/${round.classes.findIndex((each) => each.name === name)}`, detail: words };
  }
  if (list === "authorizedShares") {
    return { pointer: `#/raise/${asked.authorizedShares?.[index]?.stockClassId}`, detail: words };
  }
  if (!pointer.startsWith(OF_ROUND)) return { pointer, detail: words };
  if (pointer.endsWith("/pool/equityPlanId")) return { detail: ROUND.needsPlan };
  return { detail: ROUND.about(placeIn(pointer, asked, round), words) };
}

const OF_ROUND = "#/model";

/** What a part of the round is called. */
function placeIn(pointer: string, { model }: CloseBody, { investments }: RoundAnswer): string {
  const [, list, at = "0"] = /\/(investors|participants)\/(\d+)/.exec(pointer) ?? [];
  const index = Number.parseInt(at, 10) + (list === "participants" ? model.investors.length : 0);
  if (list !== undefined) return investments[index]?.name ?? ROUND.investor;
  if (pointer.endsWith("/closingDate")) return ROUND.closingDate;
  if (pointer.includes("/newClass/")) return ROUND.newClass;
  return pointer.includes("/pool/") ? ROUND.pool : ROUND.inputs;
}

/** The faults of a refusal that belong to the form of the round, by the pointers that a model of it has. */
export function ofRound({ errors }: ApiProblem): readonly FieldFault[] {
  return errors.flatMap(({ pointer = "", detail }) =>
    pointer.startsWith(`${OF_ROUND}/`) ? [{ pointer: `#${pointer.slice(OF_ROUND.length)}`, detail }] : [],
  );
}
