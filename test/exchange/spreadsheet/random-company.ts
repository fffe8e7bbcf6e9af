// Random companies made through the API, each with the rows of the template that say the same.
import type { TestServer } from "../../kit/service.ts";

type Json = Readonly<Record<string, unknown>>;
/** A value of the template: figures and days are cells of their own kinds. */
export type Value = string | { readonly figure: string } | { readonly day: string } | { readonly percent: string };
/** Rows of each sheet, by header. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;

interface Held {
  readonly id: string;
  readonly kind: "Stock" | "Options" | "Warrants" | "Convertibles";
  readonly number: string;
  readonly holder: number;
}

const FIRST_DAY = Date.UTC(2022, 0, 3);
const figure = (text: string) => ({ figure: text });
const SIGNS = ["Ada & Co.", 'Ben "B" O\'Neil', "Çelik <x>", "王小明", "Dee", "Ελένη"];

/** Makes a company of up to `steps` events in an organization of the server; follows from `random` alone. */
export class RandomCompany {
  readonly #server: TestServer;
  readonly #orgId: string;
  readonly #random: () => number;
  readonly #rows: Record<string, Record<string, Value>[]> = {};
  readonly #held: Held[] = [];
  readonly #holders: { readonly id: string; readonly name: string }[] = [];
  readonly #classes: { readonly id: string; readonly name: string }[] = [];
  #planId = "";
  #termsId = "";
  #days = 0;
  #count = 0;

  constructor(server: TestServer, orgId: string, random: () => number) {
    this.#server = server;
    this.#orgId = orgId;
    this.#random = random;
  }

  /** The rows that say what happened. */
  get rows(): Rows {
    return this.#rows;
  }

  async make(steps: number): Promise<void> {
    await this.#records();
    const acts = [
      ...[this.#issue, this.#issue, this.#grant, this.#grant, this.#warrant, this.#convertible],
      ...[this.#transfer, this.#exercise, this.#convert, this.#cancel, this.#repurchase, this.#retract],
      ...[this.#split, this.#authorize, this.#reserve, this.#value],
    ];
    for (let step = 0; step < steps; step++) {
      this.#days += 1 + this.#whole(20);
      await this.#one(acts).call(this);
    }
  }

  #whole(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#whole(all.length)] as T;
  }

  get #day(): string {
    return new Date(FIRST_DAY + this.#days * 86_400_000).toISOString().slice(0, 10);
  }

  #figure(most: number): string {
    const whole = 1 + this.#whole(most);
    return this.#random() < 0.2 ? `${whole}.${1 + this.#whole(99)}`.replace(/0$/, "") : String(whole);
  }

  #say(sheet: string, row: Record<string, Value>): void {
    this.#rows[sheet] ??= [];
    this.#rows[sheet].push(row);
  }

  async #ask(path: string, body: Json): Promise<Json | null> {
    const answer = await this.#server.api("POST", path, body, { orgId: this.#orgId });
    return answer.status < 300 ? (answer.json.data ?? answer.json) : null;
  }

  async #left({ id }: Held): Promise<string | null> {
    const { json } = await this.#server.api("GET", `/securities/${id}`, undefined, { orgId: this.#orgId });
    return json.status === "ACTIVE" ? json.quantity : null;
  }

  async #records(): Promise<void> {
    for (const [at, name] of SIGNS.entries()) {
      const type = this.#random() < 0.7 ? "INDIVIDUAL" : "INSTITUTION";
      const made = await this.#ask("/stakeholders", { displayName: name, name: { legalName: name }, type });
      this.#holders.push({ id: String(made?.id), name });
      this.#say("Stakeholders", {
        Holder: name,
        Type: type === "INDIVIDUAL" ? "Individual" : "Institution",
        "Holder number": `H${at}`,
      });
      await this.#server.api(
        "PATCH",
        `/stakeholders/${made?.id}`,
        { issuerAssignedId: `H${at}` },
        { orgId: this.#orgId },
      );
    }
    for (const [at, [name, classType]] of [
      ["Common", "COMMON"],
      ["Series A", "PREFERRED"],
    ].entries()) {
      const prefix = `${"CP"[at]}S-`;
      const body = {
        name,
        classType,
        defaultIdPrefix: prefix,
        initialSharesAuthorized: "100000000",
        votesPerShare: "1",
        seniority: 2 - at,
      };
      const made = await this.#ask("/share-classes", body);
      this.#classes.push({ id: String(made?.id), name: name ?? "" });
      this.#say("Share classes", {
        Class: name ?? "",
        Kind: at === 0 ? "Common" : "Preferred",
        Prefix: prefix,
        ...{ Authorized: figure("100000000"), "Votes per share": figure("1"), Seniority: figure(String(2 - at)) },
      });
    }
    const [common] = this.#classes;
    const plan = { planName: "Plan", initialSharesReserved: "1000000", stockClassIds: [common?.id] };
    this.#planId = String((await this.#ask("/equity-plans", plan))?.id);
    this.#say("Equity plans", { Plan: "Plan", Reserved: figure("1000000"), Classes: "Common" });
    const month = { type: "TIME_BASED", periodType: "MONTHS" };
    const terms = {
      ...{ name: "48/12", description: "x", triggerType: "TIME_BASED" },
      vestingConditions: [
        {
          id: "cliff",
          trigger: { ...month, periodLength: 12, occurrences: 1 },
          portion: { numerator: 12, denominator: 48 },
        },
        {
          ...{ id: "periodic", trigger: { ...month, periodLength: 1, occurrences: 36 } },
          ...{ portion: { numerator: 1, denominator: 48 }, cliffConditionId: "cliff" },
        },
      ],
    };
    this.#termsId = String((await this.#ask("/vesting-terms", terms))?.id);
    this.#say("Vesting terms", {
      Terms: "48/12",
      Months: figure("48"),
      "Cliff months": figure("12"),
      Frequency: "Monthly",
    });
  }

  /** Notes a security that was made. */
  #hold(kind: Held["kind"], number: string, holder: number, made: Json | null, row: Record<string, Value>): void {
    if (made === null) return;
    this.#held.push({ id: String(made.newSecurityId ?? made.securityId), kind, number, holder });
    this.#say(kind, row);
  }

  #common(number: string) {
    const holder = this.#whole(this.#holders.length);
    const { id, name } = this.#holders[holder] ?? { id: "", name: "" };
    const body = { stakeholderId: id, certificateId: number, effectiveDate: this.#day };
    return { holder, body, row: { Holder: name }, day: { day: this.#day } };
  }

  async #issue(): Promise<void> {
    const number = `S${++this.#count}`;
    const { holder, body, row, day } = this.#common(number);
    const [quantity, price] = [this.#figure(50_000), this.#figure(20)];
    const stockClass = this.#one(this.#classes);
    const made = await this.#ask("/transactions/issue-shares", {
      ...body,
      quantity,
      stockClassId: stockClass.id,
      pricePerShare: price,
    });
    const figures = { Quantity: figure(quantity), "Price per share": figure(price) };
    this.#hold("Stock", number, holder, made, {
      Certificate: number,
      ...row,
      Class: stockClass.name,
      "Issue date": day,
      ...figures,
    });
  }

  async #grant(): Promise<void> {
    const number = `O${++this.#count}`;
    const { holder, body, row, day } = this.#common(number);
    const [quantity, strike, vests] = [this.#figure(9000), this.#figure(5), this.#random() < 0.5];
    const terms = vests ? { vestingTermsId: this.#termsId } : {};
    const grant = { ...body, ...terms, quantity, stockPlanId: this.#planId, stockClassId: this.#classes[0]?.id };
    const made = await this.#ask("/transactions/issue-options", { ...grant, exercisePrice: strike, optionType: "NSO" });
    this.#hold("Options", number, holder, made, {
      ...{ Grant: number, ...row, Plan: "Plan", Class: "Common", Type: "NSO", "Grant date": day },
      ...{
        Quantity: figure(quantity),
        "Exercise price": figure(strike),
        ...(vests ? { "Vesting terms": "48/12" } : {}),
      },
    });
  }

  async #warrant(): Promise<void> {
    const number = `W${++this.#count}`;
    const { holder, body, row, day } = this.#common(number);
    const [quantity, strike] = [this.#figure(3000), this.#figure(9)];
    const made = await this.#ask("/transactions/issue-warrant", {
      ...body,
      quantity,
      exercisePrice: strike,
      stockClassId: this.#classes[1]?.id,
    });
    const figures = { Quantity: figure(quantity), "Exercise price": figure(strike) };
    this.#hold("Warrants", number, holder, made, {
      Warrant: number,
      ...row,
      Class: "PS-",
      "Issue date": day,
      ...figures,
    });
  }

  async #convertible(): Promise<void> {
    const number = `N${++this.#count}`;
    const { holder, body, row, day } = this.#common(number);
    const [principal, discount] = [this.#figure(90_000), String(5 + this.#whole(30))];
    const terms = { convertibleType: "SAFE", discountPercent: discount, valuationCap: "5000000" };
    const made = await this.#ask("/transactions/issue-convertible", { ...body, ...terms, quantity: principal });
    this.#hold("Convertibles", number, holder, made, {
      ...{ Convertible: number, ...row, Kind: "SAFE", "Issue date": day, Principal: figure(principal) },
      ...{ "Valuation cap": figure("5000000"), "Discount %": { percent: discount } },
    });
  }

  /** One that holds something, and how much of it is taken: some, or all. */
  async #taken(...kinds: readonly Held["kind"][]): Promise<{ readonly of: Held; readonly quantity: string } | null> {
    const of = this.#held.filter(({ kind }) => kinds.includes(kind));
    if (of.length === 0) return null;
    const one = this.#one(of);
    const left = await this.#left(one);
    if (left === null) return null;
    const whole = Math.floor(Number(left));
    const part = whole > 1 && this.#random() < 0.6 ? String(1 + this.#whole(whole - 1)) : left;
    return { of: one, quantity: part };
  }

  async #transfer(): Promise<void> {
    const taken = await this.#taken("Stock");
    const stock = this.#rows.Stock?.find(({ Certificate }) => Certificate === taken?.of.number);
    if (!taken || !stock) return;
    const to = this.#whole(this.#holders.length);
    const parties = { fromStakeholderId: this.#holders[taken.of.holder]?.id, toStakeholderId: this.#holders[to]?.id };
    const { id, number: from } = taken.of;
    const body = { securityId: id, ...parties, quantity: taken.quantity, effectiveDate: this.#day };
    const made = await this.#ask("/transactions/transfer", body);
    const number = made ? await this.#numberOf(made) : "";
    this.#hold("Stock", number, to, made, {
      ...{
        Certificate: number,
        Holder: this.#holders[to]?.name ?? "",
        Class: stock.Class ?? "",
        "Issue date": { day: this.#day },
      },
      ...{ Quantity: figure(taken.quantity), "How issued": "Transfer", "From certificate": from },
    });
  }

  async #numberOf({ newSecurityId, securityId }: Json): Promise<string> {
    const path = `/securities/${newSecurityId ?? securityId}`;
    return (await this.#server.api("GET", path, undefined, { orgId: this.#orgId })).json.certificateId;
  }

  async #exercise(): Promise<void> {
    const taken = await this.#taken("Options", "Warrants");
    if (!taken) return;
    const { of, quantity } = taken;
    const { json } = await this.#server.api("GET", `/securities/${of.id}`, undefined, { orgId: this.#orgId });
    const body = { securityId: of.id, quantity, exercisePrice: json.exercisePrice, effectiveDate: this.#day };
    const stockClass = this.#classes[of.kind === "Options" ? 0 : 1];
    const made = await this.#ask("/transactions/exercise", { ...body, stockClassId: stockClass?.id });
    const number = made ? await this.#numberOf(made) : "";
    this.#hold("Stock", number, of.holder, made, {
      ...{ Certificate: number, Holder: this.#holders[of.holder]?.name ?? "", Class: stockClass?.name ?? "" },
      ...{
        "Issue date": { day: this.#day },
        Quantity: figure(quantity),
        "How issued": "Exercise",
        "From certificate": of.number,
      },
    });
  }

  async #convert(): Promise<void> {
    const taken = await this.#taken("Convertibles");
    if (!taken) return;
    const { of, quantity } = taken;
    const [resulting, number, to] = [this.#figure(5000), `V${++this.#count}`, this.#classes[1]];
    const body = {
      securityId: of.id,
      quantity,
      effectiveDate: this.#day,
      stockClassId: to?.id,
      resultingQuantity: resulting,
    };
    const made = await this.#ask("/transactions/convert", { ...body, certificateId: number });
    this.#hold("Stock", number, of.holder, made, {
      ...{
        Certificate: number,
        Holder: this.#holders[of.holder]?.name ?? "",
        Class: to?.name ?? "",
        "Issue date": { day: this.#day },
      },
      ...{
        Quantity: figure(resulting),
        "How issued": "Conversion",
        "From certificate": of.number,
        "From quantity": figure(quantity),
      },
    });
  }

  /** What happens to a security without making another one. */
  async #event(path: string, body: Json, row: Record<string, Value>): Promise<void> {
    const made = await this.#ask(`/transactions/${path}`, { ...body, effectiveDate: this.#day });
    if (made !== null) this.#say("Events", { Date: { day: this.#day }, ...row });
  }

  async #cancel(): Promise<void> {
    const taken = await this.#taken("Stock", "Options", "Warrants", "Convertibles");
    if (!taken) return;
    const isBack = taken.of.kind === "Options" && this.#random() < 0.5;
    const { quantity, of } = taken;
    const body = { securityId: of.id, quantity, cancellationReason: "FORFEITURE", returnToPool: isBack };
    const row = { Event: "Cancel", Number: of.number, Quantity: figure(quantity), Reason: "Forfeiture" };
    await this.#event("cancel", body, { ...row, "Return to pool": isBack ? "Yes" : "No" });
  }

  async #repurchase(): Promise<void> {
    const taken = await this.#taken("Stock");
    if (!taken) return;
    const { quantity, of } = taken;
    const row = { Event: "Repurchase", Number: of.number, Quantity: figure(quantity), Price: figure("0.5") };
    await this.#event("repurchase", { securityId: of.id, quantity, pricePerShare: "0.5" }, row);
  }

  async #retract(): Promise<void> {
    const of = this.#held.at(-1);
    if (of)
      await this.#event(
        "retract",
        { securityId: of.id, reason: "in error" },
        { Event: "Retract", Number: of.number, Reason: "in error" },
      );
  }

  async #split(): Promise<void> {
    if (this.#random() < 0.5) return;
    const { id, name } = this.#one(this.#classes);
    const row = { Event: "Split", Class: name, "New shares": figure("3"), "For old shares": figure("2") };
    await this.#event("split", { stockClassId: id, numerator: 3, denominator: 2 }, row);
  }

  async #authorize(): Promise<void> {
    const { id, name } = this.#one(this.#classes);
    const newSharesAuthorized = String(200_000_000 + this.#whole(1000));
    const row = { Event: "Adjust authorized", Class: name, Quantity: figure(newSharesAuthorized) };
    await this.#event("adjust-authorized", { stockClassId: id, newSharesAuthorized }, row);
  }

  async #reserve(): Promise<void> {
    const newSharesReserved = String(3_000_000 + this.#whole(1000));
    const row = { Event: "Adjust reserve", Plan: "Plan", Quantity: figure(newSharesReserved) };
    await this.#event("adjust-reserve", { equityPlanId: this.#planId, newSharesReserved }, row);
  }

  async #value(): Promise<void> {
    const [price, common] = [this.#figure(9), this.#classes[0]];
    const body = {
      type: "409A",
      stockClassId: common?.id,
      pricePerShare: price,
      effectiveDate: this.#day,
      status: "APPROVED",
    };
    const made = await this.#ask("/valuations", body);
    const row = { Type: "409A", Class: "CS-", "Price per share": figure(price), Effective: { day: this.#day } };
    if (made !== null) this.#say("Valuations", row);
  }
}
