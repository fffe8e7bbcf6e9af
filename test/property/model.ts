// A second cap table, written from the specification and as plainly as possible: records in arrays, totals added up anew
// each time. It shares no code with the service, so that an error would have to be made twice.

/** A count of shares or a price: units of 10^-10. */
export type Units = bigint;
const ONE = 10_000_000_000n;

/** Reads a decimal string. */
export function units(text: string): Units {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(10, "0"));
}

/** Writes a decimal string. */
export function show(value: Units): string {
  const fraction = (value % ONE).toString().padStart(10, "0").replace(/0+$/, "");
  return `${value / ONE}${fraction === "" ? "" : `.${fraction}`}`;
}

export type Kind = "STOCK" | "STOCK_OPTION" | "WARRANT" | "CONVERTIBLE";
export type Status = "ACTIVE" | "CANCELLED" | "EXERCISED" | "CONVERTED" | "REPURCHASED" | "TRANSFERRED";

/** Holders, classes and plans are numbers: their places in the model's arrays. */
export interface ModelSecurity {
  kind: Kind;
  status: Status;
  quantity: Units;
  holder: number;
  stockClass: number | null;
  plan: number | null;
  /** Whether a deletion or a retraction gives its quantity back to the plan. */
  isGrant: boolean;
  price: Units | null;
  strike: Units | null;
  expires: string | null;
  /** Whether it vests, by terms with the conditions `month` and `sale`. */
  hasTerms: boolean;
  /** The certificate number that the caller chose; null where the service chose one. */
  certificate: string | null;
  isDeleted: boolean;
}

export interface ModelClass {
  initial: Units;
  authorized: Units;
}

export interface ModelPlan {
  initial: Units;
  reserved: Units;
  available: Units;
  classes: readonly number[];
}

export interface Model {
  securities: ModelSecurity[];
  classes: ModelClass[];
  plans: ModelPlan[];
}

export type Rounding = "DOWN" | "UP" | "NEAREST" | "FRACTIONAL";

interface Dated {
  readonly date: string;
}
interface Issue extends Dated {
  readonly holder: number;
  readonly quantity: string;
  readonly certificate: string;
}
interface OnSecurity {
  readonly security: number;
}

/** What can be done, with every reference resolved to a place in the model. */
export type Step =
  | (Issue & { readonly op: "issue-shares"; readonly stockClass: number; readonly price: string | null })
  | (Issue & {
      readonly op: "issue-options";
      readonly plan: number;
      readonly stockClass: number | null;
      readonly strike: string;
      readonly expires: string | null;
      readonly hasTerms: boolean;
    })
  | (Issue & { readonly op: "issue-warrant"; readonly stockClass: number | null; readonly strike: string })
  | (Issue & { readonly op: "issue-convertible" })
  | (OnSecurity &
      Dated & { readonly op: "transfer"; readonly from: number; readonly to: number; readonly quantity: string })
  | (OnSecurity &
      Dated & {
        readonly op: "exercise";
        readonly quantity: string;
        readonly strike: string;
        readonly stockClass: number;
      })
  | (OnSecurity & Dated & { readonly op: "cancel"; readonly quantity: string; readonly returnToPool: boolean })
  | (OnSecurity &
      Dated & {
        readonly op: "convert";
        readonly quantity: string | null;
        readonly stockClass: number;
        readonly resulting: string;
      })
  | (OnSecurity & Dated & { readonly op: "repurchase"; readonly quantity: string })
  | (OnSecurity & Dated & { readonly op: "retract" })
  | (OnSecurity & Dated & { readonly op: "start-vesting"; readonly condition: string | null })
  | (OnSecurity & Dated & { readonly op: "accelerate-vesting"; readonly quantity: string })
  | (OnSecurity & Dated & { readonly op: "record-vesting-event"; readonly condition: string; readonly quantity: null })
  | (OnSecurity & Dated & { readonly op: "record-vesting-event"; readonly condition: null; readonly quantity: string })
  | (Dated & {
      readonly op: "split";
      readonly stockClass: number;
      readonly numerator: number;
      readonly denominator: number;
      readonly rounding: Rounding;
    })
  | (Dated & { readonly op: "adjust-authorized"; readonly stockClass: number; readonly figure: string })
  | (Dated & { readonly op: "adjust-reserve"; readonly plan: number; readonly figure: string })
  | { readonly op: "patch-class"; readonly stockClass: number; readonly figure: string }
  | { readonly op: "patch-plan"; readonly plan: number; readonly figure: string }
  | { readonly op: "patch-plan-classes"; readonly plan: number; readonly classes: readonly number[] }
  | (OnSecurity & Dated & { readonly op: "record-only"; readonly type: string; readonly quantity: string })
  | (Issue & {
      readonly op: "post-security";
      readonly kind: Kind;
      readonly status: Status;
      readonly stockClass: number | null;
      readonly plan: number | null;
    })
  | (OnSecurity & { readonly op: "patch-security"; readonly edit: Edit })
  | (OnSecurity & { readonly op: "delete-security" });

/** What a direct edit sets. */
export interface Edit {
  readonly quantity?: string;
  readonly status?: Status;
  readonly holder?: number;
  readonly stockClass?: number;
  readonly plan?: number;
  readonly price?: string;
  readonly strike?: string;
}

/** What comes of a step: the cap table after it, or the problems of which the service names one. */
export type Decided = { readonly after: Model } | { readonly refused: readonly string[] };

class Refusal extends Error {
  constructor(readonly slug: string) {
    super(slug);
  }
}

function refuseIf(condition: boolean, slug: "invalid-state" | "validation-failed" | "not-found" | "in-use"): void {
  if (condition) throw new Refusal(slug);
}

/** Decides a step. The model given is left as it is. */
export function decide(before: Model, step: Step): Decided {
  const after: Model = {
    securities: before.securities.map((security) => ({ ...security })),
    classes: before.classes.map((stockClass) => ({ ...stockClass })),
    plans: before.plans.map((plan) => ({ ...plan })),
  };
  try {
    act(after, step);
  } catch (error) {
    if (error instanceof Refusal) return { refused: [error.slug] };
    throw error;
  }
  const refused = conflicts(after, step, before);
  return refused.length > 0 ? { refused } : { after };
}

/** The outstanding stock of a class: what its ACTIVE securities hold. */
export function issuedOf(model: Model, stockClass: number): Units {
  let total = 0n;
  for (const security of model.securities) {
    const counts = security.kind === "STOCK" && security.status === "ACTIVE" && !security.isDeleted;
    if (counts && security.stockClass === stockClass) total += security.quantity;
  }
  return total;
}

/** Limits and uniqueness, which are checked last: any of them may be the one that is named. */
function conflicts(after: Model, step: Step, before: Model): string[] {
  const found: string[] = [];
  if (after.classes.some((stockClass, index) => issuedOf(after, index) > stockClass.authorized)) {
    found.push("insufficient-authorized-shares");
  }
  if (after.classes.some((stockClass) => stockClass.authorized < 0n)) found.push("insufficient-authorized-shares");
  if (after.plans.some((plan) => plan.available < 0n || plan.reserved < 0n)) found.push("insufficient-plan-reserve");
  const chosen = "certificate" in step ? step.certificate : null;
  const isTaken = before.securities.some(({ certificate, isDeleted }) => !isDeleted && certificate === chosen);
  if (chosen !== null && isTaken) found.push("duplicate-certificate-id");
  return found;
}

function act(model: Model, step: Step): void {
  switch (step.op) {
    case "issue-shares":
      issue(model, step, { kind: "STOCK", stockClass: step.stockClass, price: unitsOrNull(step.price) });
      break;
    case "issue-options": {
      const { plan, expires, hasTerms } = step;
      const stockClass = step.stockClass ?? onlyClass(model, plan);
      issue(model, step, { kind: "STOCK_OPTION", plan, stockClass, strike: units(step.strike), expires, hasTerms });
      break;
    }
    case "issue-warrant":
      issue(model, step, { kind: "WARRANT", stockClass: step.stockClass, strike: units(step.strike) });
      break;
    case "issue-convertible":
      issue(model, step, { kind: "CONVERTIBLE" });
      break;
    case "post-security": {
      const { kind, status, plan } = step;
      refuseIf(kind === "STOCK" && step.stockClass === null, "validation-failed");
      refuseIf(kind === "STOCK_OPTION" && plan === null, "validation-failed");
      const stockClass = step.stockClass ?? (kind === "STOCK_OPTION" && plan !== null ? onlyClass(model, plan) : null);
      issue(model, step, { kind, status, plan, stockClass });
      break;
    }
    case "split":
      split(model, step.stockClass, BigInt(step.numerator), BigInt(step.denominator), step.rounding);
      break;
    case "adjust-authorized":
      classOf(model, step.stockClass).authorized = units(step.figure);
      break;
    case "adjust-reserve":
      setReserve(planOf(model, step.plan), units(step.figure));
      break;
    case "patch-class": {
      const stockClass = classOf(model, step.stockClass);
      stockClass.authorized += units(step.figure) - stockClass.initial;
      stockClass.initial = units(step.figure);
      break;
    }
    case "patch-plan": {
      const plan = planOf(model, step.plan);
      setReserve(plan, plan.reserved + units(step.figure) - plan.initial);
      plan.initial = units(step.figure);
      break;
    }
    case "patch-plan-classes":
      planOf(model, step.plan).classes = step.classes;
      break;
    default:
      actOnSecurity(model, step, securityOf(model, step.security));
      break;
  }
}

type OnSecurityStep = Extract<Step, OnSecurity>;

function actOnSecurity(model: Model, step: OnSecurityStep, security: ModelSecurity): void {
  refuseIf(security.isDeleted, "not-found");
  const isOperation = !["patch-security", "delete-security", "record-only"].includes(step.op);
  refuseIf(isOperation && security.status !== "ACTIVE", "invalid-state");
  switch (step.op) {
    case "record-only":
      break;
    case "patch-security":
      edit(model, security, step.edit);
      break;
    case "delete-security":
      remove(model, security);
      break;
    case "transfer":
      refuseIf(step.from !== security.holder, "invalid-state");
      refuseIf(step.to === step.from, "validation-failed");
      take(security, units(step.quantity), "TRANSFERRED");
      make(model, security, { holder: step.to, quantity: units(step.quantity) });
      break;
    case "exercise":
      exercise(model, security, step);
      break;
    case "cancel":
      take(security, units(step.quantity), "CANCELLED");
      if (step.returnToPool && isHeldAgainstPlan(security)) giveBack(model, security, units(step.quantity));
      break;
    case "convert":
      convert(model, security, step);
      break;
    case "repurchase":
      refuseIf(security.kind !== "STOCK", "validation-failed");
      take(security, units(step.quantity), "REPURCHASED");
      break;
    case "retract":
      undo(model, security);
      break;
    case "start-vesting":
      refuseIf(step.condition !== null && !(security.hasTerms && step.condition === "month"), "validation-failed");
      break;
    case "record-vesting-event":
      refuseIf(step.condition !== null && !(security.hasTerms && step.condition === "sale"), "validation-failed");
      refuseIf(step.quantity !== null && units(step.quantity) > security.quantity, "validation-failed");
      break;
    case "accelerate-vesting":
      refuseIf(units(step.quantity) > security.quantity, "validation-failed");
      break;
  }
}

function exercise(model: Model, security: ModelSecurity, step: Extract<Step, { op: "exercise" }>): void {
  refuseIf(security.expires !== null && step.date > security.expires, "invalid-state");
  refuseIf(security.kind !== "STOCK_OPTION" && security.kind !== "WARRANT", "validation-failed");
  refuseIf(security.strike !== null && security.strike !== units(step.strike), "validation-failed");
  const own = security.stockClass ?? (security.plan === null ? null : onlyClass(model, security.plan));
  take(security, units(step.quantity), "EXERCISED");
  const stockClass = own ?? step.stockClass;
  const price = units(step.strike);
  make(model, security, { kind: "STOCK", stockClass, price, quantity: units(step.quantity), isGrant: false });
}

function convert(model: Model, security: ModelSecurity, step: Extract<Step, { op: "convert" }>): void {
  const { stockClass } = step;
  const isStock = security.kind === "STOCK";
  refuseIf(!isStock && security.kind !== "CONVERTIBLE", "validation-failed");
  refuseIf(isStock && security.stockClass === stockClass, "validation-failed");
  take(security, step.quantity === null ? security.quantity : units(step.quantity), "CONVERTED");
  make(model, security, { kind: "STOCK", stockClass, quantity: units(step.resulting), isGrant: false });
}

/** New securities; under a plan, options and stock draw on its reserve. */
function issue(model: Model, step: Issue, given: Partial<ModelSecurity> & Pick<ModelSecurity, "kind">): void {
  const { holder, certificate } = step;
  const rest = {
    status: "ACTIVE",
    stockClass: null,
    plan: null,
    price: null,
    strike: null,
    expires: null,
    hasTerms: false,
  } as const;
  const quantity = units(step.quantity);
  const security = { ...rest, isGrant: false, isDeleted: false, holder, certificate, quantity, ...given };
  security.isGrant = isHeldAgainstPlan(security);
  if (security.isGrant) giveBack(model, security, -quantity);
  model.securities.push(security);
}

/** What an operation makes of a security inherits from it. */
function make(model: Model, source: ModelSecurity, changes: Partial<ModelSecurity>): void {
  model.securities.push({ ...source, status: "ACTIVE", certificate: null, ...changes });
}

function take(security: ModelSecurity, quantity: Units, closed: Status): void {
  refuseIf(quantity > security.quantity, "validation-failed");
  security.quantity -= quantity;
  if (security.quantity === 0n) security.status = closed;
}

/** As never issued: nothing stays, and what it still held of a plan goes back there. */
function undo(model: Model, security: ModelSecurity): void {
  if (security.isGrant) giveBack(model, security, security.quantity);
  security.quantity = 0n;
  security.status = "CANCELLED";
}

function remove(model: Model, security: ModelSecurity): void {
  if (security.status === "ACTIVE") undo(model, security);
  security.isDeleted = true;
}

/** A correction: each member is what it says, and plans give or take the difference. */
function edit(model: Model, security: ModelSecurity, changes: Edit): void {
  const { quantity, status, holder, stockClass, plan, price, strike } = changes;
  if (security.isGrant) giveBack(model, security, security.quantity);
  if (holder !== undefined) security.holder = holder;
  if (stockClass !== undefined) security.stockClass = stockClass;
  if (plan !== undefined && plan !== security.plan) {
    security.plan = plan;
    security.isGrant = isHeldAgainstPlan(security);
  }
  if (quantity !== undefined) security.quantity = units(quantity);
  if (security.isGrant) giveBack(model, security, -security.quantity);
  if (status !== undefined) security.status = status;
  if (price !== undefined) security.price = units(price);
  if (strike !== undefined) security.strike = units(strike);
}

function split(model: Model, stockClass: number, numerator: bigint, denominator: bigint, rounding: Rounding): void {
  const shares = (quantity: Units) => roundShares(quantity * numerator, denominator, rounding);
  const price = (value: Units | null) => (value === null ? null : halfEven(value * denominator, numerator));
  for (const security of model.securities) {
    const ofClass = security.stockClass ?? (security.plan === null ? null : onlyClass(model, security.plan));
    const isOpen = security.status === "ACTIVE" && security.quantity > 0n;
    if (!isOpen || security.kind === "CONVERTIBLE" || ofClass !== stockClass) continue;
    security.quantity = shares(security.quantity);
    if (security.quantity === 0n) security.status = "CANCELLED";
    if (security.kind === "STOCK") security.price = price(security.price);
    else security.strike = price(security.strike);
  }
  const own = classOf(model, stockClass);
  own.authorized = shares(own.authorized);
  model.plans.forEach((plan, index) => {
    if (onlyClass(model, index) !== stockClass) return;
    plan.reserved = shares(plan.reserved);
    plan.available = shares(plan.available);
  });
}

/** `numerator` over `denominator`, in whole shares, or to 10 places. */
function roundShares(numerator: bigint, denominator: bigint, rounding: Rounding): Units {
  const whole = denominator * ONE;
  if (rounding === "FRACTIONAL") return halfEven(numerator, denominator);
  if (rounding === "DOWN") return (numerator / whole) * ONE;
  if (rounding === "UP") return ((numerator + whole - 1n) / whole) * ONE;
  return ((2n * numerator + whole) / (2n * whole)) * ONE;
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

function setReserve(plan: ModelPlan, reserved: Units): void {
  plan.available += reserved - plan.reserved;
  plan.reserved = reserved;
}

function giveBack(model: Model, security: ModelSecurity, quantity: Units): void {
  if (security.plan !== null) planOf(model, security.plan).available += quantity;
}

function isHeldAgainstPlan({ kind, plan }: ModelSecurity): boolean {
  return plan !== null && (kind === "STOCK" || kind === "STOCK_OPTION");
}

function onlyClass(model: Model, plan: number): number | null {
  const { classes } = planOf(model, plan);
  return classes.length === 1 ? (classes[0] ?? null) : null;
}

function unitsOrNull(text: string | null): Units | null {
  return text === null ? null : units(text);
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`the model has no number ${index}`);
  return found;
}

const securityOf = (model: Model, index: number) => at(model.securities, index);
const classOf = (model: Model, index: number) => at(model.classes, index);
const planOf = (model: Model, index: number) => at(model.plans, index);
