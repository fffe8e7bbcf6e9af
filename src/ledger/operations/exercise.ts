// exercise: turns an option or a warrant into stock.
import { Type } from "@sinclair/typebox";
import {
  body,
  date,
  decimal,
  defaulted,
  EXTENSION,
  freeText,
  id,
  oneOf,
  optional,
  positiveDecimal,
} from "../../kernel/fields.ts";
import { type Decimal, floorDivide, formatDecimal, ONE, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { type Finding, type Problem, problem, refuse } from "../../kernel/problem.ts";
import { type Facts, ledgerOperation } from "../operation.ts";
import type { Metadata, SecurityState } from "../types.ts";
import { sharesIn } from "../vested/vesting-account.ts";
import { countOf, divideFirst, type Parcels, splitAt, vestedBy } from "../vesting/parcels.ts";
import { tellParcels } from "../vesting/parcels-json.ts";
import { exercisedOf } from "../vesting/schedule.ts";
import { activeSecurity, describeSuccessor, dryRun, excess, onlyClassOf, withoutNulls } from "./parts.ts";
import { openShares } from "./vesting-parts.ts";

/** `POST /api/v1/transactions/exercise`. */
export const exercise = ledgerOperation({
  route: "exercise",
  summary: "Exercise an option or a warrant",
  description:
    "Turns all or part of an ACTIVE option or warrant into stock: the source shrinks (and is EXERCISED at quantity zero), " +
    "and its holder gets a new stock security. Unvested shares need `earlyExercise`.",
  status: 201,
  answers: ["newSecurityId"],
  securityTypes: ["STOCK_OPTION", "WARRANT"],
  body: body({
    securityId: id({ description: "The option or warrant." }),
    quantity: positiveDecimal({ description: "At most the security's quantity." }),
    exercisePrice: decimal({ description: "Equal to the strike, if the security has one." }),
    effectiveDate: date({ description: "The day from which it counts." }),
    paymentMethod: defaulted(
      oneOf(["CASH", "CASHLESS", "NET_EXERCISE"], {
        description: "How the strike was paid; with `NET_EXERCISE` and a value less stock is issued.",
      }),
      "CASH",
    ),
    fairMarketValue: optional(
      decimal({
        description:
          "With `NET_EXERCISE`: a share's value, above the strike. Then `quantity` is the gross number, and stock is " +
          "issued for quantity × (value − strike) ÷ value, rounded down.",
        ...EXTENSION,
      }),
    ),
    resultingQuantity: optional(
      positiveDecimal({
        description:
          "With `NET_EXERCISE`: the stock issued for the gross `quantity`, as on the paper; the rest is " +
          "withheld. Beside `fairMarketValue` it must be the number that that value gives.",
        ...EXTENSION,
      }),
    ),
    boardApprovalDate: optional(date({ description: "When the board approved." })),
    description: optional(freeText(2000, { description: "Free text, for people." })),
    earlyExercise: defaulted(
      Type.Boolean({ description: "True to exercise unvested shares; the stock goes on vesting.", ...EXTENSION }),
      false,
    ),
    stockClassId: optional(
      id({ description: "Required if neither the security nor its plan names the class.", ...EXTENSION }),
    ),
    dryRun,
  }),
  example: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    quantity: "1200",
    exercisePrice: "0.25",
    effectiveDate: "2027-02-01",
    paymentMethod: "CASH",
  },
  needs: (command) => ({
    securities: [command.securityId],
    classes: [command.stockClassId],
    vestingOf: [command.securityId],
  }),
  decide(facts, command, context) {
    const { row, state: source } = activeSecurity(facts, command.securityId);
    const { effectiveDate, exercisePrice } = command;
    if (row.expirationDate !== null && effectiveDate > row.expirationDate) {
      throw problem("invalid-state", `The security expired on ${row.expirationDate}.`);
    }
    const quantity = parseDecimal(command.quantity);
    const stockClassId = source.stockClassId ?? onlyClassOf(facts, source.equityPlanId) ?? command.stockClassId ?? null;
    const value = command.fairMarketValue ? parseDecimal(command.fairMarketValue) : null;
    const byValue = value === null ? null : netOf(source, quantity, { strike: parseDecimal(exercisePrice), value });
    const told = command.resultingQuantity ? parseDecimal(command.resultingQuantity) : null;
    const net = byValue ?? told ?? quantity;
    refuse([
      ...excess(source, quantity),
      ...findings(source, parseDecimal(exercisePrice), stockClassId !== null),
      ...(value === null ? [] : netFindings(command, net, { strike: parseDecimal(exercisePrice), value })),
      ...(told === null ? [] : toldFindings(command, told, { quantity, byValue })),
    ]);
    const open = openShares(facts, source);
    const unvested = unvestedProblem(open, quantity, effectiveDate);
    if (unvested && !command.earlyExercise) throw unvested;
    const newSecurityId = context.newSecurityId;
    return {
      entries: [
        {
          type: source.type === "WARRANT" ? "WARRANT_EXERCISE" : "STOCK_OPTION_EXERCISE",
          securityId: source.id,
          stakeholderId: source.stakeholderId,
          quantity: command.quantity,
          effectiveDate,
          metadata: withoutNulls({
            newSecurityId,
            toStakeholderId: source.stakeholderId,
            stockClassId,
            exercisePrice,
            prices: { pricePerShare: exercisePrice, exercisePrice: source.exercisePrice },
            paymentMethod: command.paymentMethod ?? "CASH",
            fairMarketValue: command.fairMarketValue,
            resultingQuantity: value === null && told === null ? null : formatDecimal(net),
            withheld: net === quantity ? null : formatDecimal(quantity - net),
            earlyExercise: command.earlyExercise || null,
            parcels: unvested && toldEarly(facts, source, open, { quantity, date: effectiveDate }),
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      newSecurities: [
        describeSuccessor(row, {
          id: newSecurityId,
          type: "STOCK",
          grantDate: effectiveDate,
          boardApprovalDate: command.boardApprovalDate ?? null,
        }),
      ],
      answer: { newSecurityId },
      locatedSecurityId: newSecurityId,
    };
  },
});

function findings(source: SecurityState, price: Decimal, isClassKnown: boolean): Finding[] {
  if (source.type !== "STOCK_OPTION" && source.type !== "WARRANT") {
    return [["#/securityId", "must be an option or a warrant"]];
  }
  const found: Finding[] = [];
  if (source.exercisePrice !== null && parseDecimal(source.exercisePrice) !== price) {
    found.push(["#/exercisePrice", `must be the strike price, ${source.exercisePrice}`]);
  }
  if (!isClassKnown) found.push(["#/stockClassId", "is required: neither the security nor its plan names the class"]);
  return found;
}

/** Per share. */
interface Worth {
  readonly strike: Decimal;
  readonly value: Decimal;
}

/** The stock of a net exercise, rounded down: to whole shares if the option's quantity is whole, else to 10 places. */
function netOf(source: SecurityState, gross: Decimal, { strike, value }: Worth): Decimal {
  if (value <= strike) return ZERO;
  if (source.quantity % ONE !== ZERO) return floorDivide(gross * (value - strike), value);
  return floorDivide(gross * (value - strike), value * ONE) * ONE;
}

interface NetCommand {
  readonly paymentMethod?: string | undefined;
  readonly earlyExercise?: boolean | undefined;
}

function netFindings({ paymentMethod, earlyExercise }: NetCommand, net: Decimal, { strike, value }: Worth): Finding[] {
  const at = (detail: string): Finding[] => [["#/fairMarketValue", detail]];
  if (paymentMethod !== "NET_EXERCISE") return at("is for `NET_EXERCISE` alone");
  if (earlyExercise === true) return at("cannot be given with `earlyExercise`: only vested shares pay the strike");
  if (value <= strike) return at("must be above the strike");
  return net < ONE ? at("leaves less than one share: the strike uses up the whole value") : [];
}

interface Gross {
  readonly quantity: Decimal;
  /** The net number by a share's value; null without a value. */
  readonly byValue: Decimal | null;
}

/** The faults of a given net number. */
function toldFindings(
  { paymentMethod, earlyExercise }: NetCommand,
  told: Decimal,
  { quantity, byValue }: Gross,
): Finding[] {
  const at = (detail: string): Finding[] => [["#/resultingQuantity", detail]];
  if (paymentMethod !== "NET_EXERCISE") return at("is for `NET_EXERCISE` alone");
  if (earlyExercise === true) return at("cannot be given with `earlyExercise`: only vested shares pay the strike");
  if (told > quantity) return at("must not be above `quantity`, the gross number");
  if (byValue === null || byValue === told) return [];
  return at(`must be ${formatDecimal(byValue)}, as \`fairMarketValue\` gives`);
}

/** The refusal of more than has vested by the date; null if enough has vested. */
function unvestedProblem(open: Parcels, quantity: Decimal, date: string): Problem | null {
  const exercisable = vestedBy(open, date);
  if (quantity <= exercisable) return null;
  return problem("unvested-quantity", `By ${date} only ${formatDecimal(exercisable)} can be exercised.`);
}

/** The shares of an early exercise: vested shares first, then the earliest tranches, whose vesting the stock keeps. */
function toldEarly(
  facts: Facts,
  { id }: SecurityState,
  open: Parcels,
  { quantity, date }: { readonly quantity: Decimal; readonly date: string },
): Metadata {
  const { moved, left } = divideFirst(open, quantity);
  const [vested] = splitAt(moved, date);
  const vesting = facts.vesting.get(id);
  const exercised = [...(vesting ? exercisedOf(sharesIn(vesting)) : []), ...vested];
  return {
    moved: tellParcels(moved),
    left: tellParcels(left),
    ...(countOf(exercised) > 0n ? { exercised: tellParcels(exercised) } : {}),
  };
}
