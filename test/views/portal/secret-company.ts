// A company at random in which everything can be told apart: every figure is another, and every text holds a word that
// stands nowhere else. So a program can search what one holder is shown for what is another's.
import { addDays } from "../../../src/kernel/date.ts";
import { Random } from "../../kit/random.ts";
import type { TestServer } from "../../kit/service.ts";
import { Org, stockIssuance } from "../health/support.ts";

type Given = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
export type Json = any;

const HOLDERS = 5;
const STEPS = 26;
const BEGINNING = "2024-01-01";
const DAYS = 850;

/** A company, and the words that only the named person may see in the portal. */
export interface SecretCompany {
  readonly org: Org;
  /** Words by whose they are: a stakeholder's id, a security's (its holder's), or "" for those that no holder sees. */
  readonly words: ReadonlyMap<string, string>;
  readonly holders: readonly string[];
  readonly random: Random;
}

/** Makes the company that follows from a seed. */
export async function makeSecretCompany(server: TestServer, seed: number): Promise<SecretCompany> {
  const org = new Org(server, await server.newOrganization(`Company ${seed}`));
  const made = new Making(org, new Random(seed));
  await made.begin();
  for (let step = 0; step < STEPS; step++) await made.step();
  await made.documents();
  return made;
}

class Making implements SecretCompany {
  readonly words = new Map<string, string>();
  readonly holders: string[] = [];
  #classes: string[] = [];
  #plans: string[] = [];
  #terms = "";
  #legend = "";
  #day = BEGINNING;
  #certificate = 0;
  readonly #figures = new Set<string>();

  constructor(
    readonly org: Org,
    readonly random: Random,
  ) {}

  /** A word that stands nowhere else, and is `whose` alone: by default no person's. */
  #word(whose = ""): string {
    const word = `zq${this.random.hex(10)}`;
    this.words.set(word, whose);
    return word;
  }

  /** A quantity that is no other. */
  #quantity(): string {
    return this.#figure(`${this.random.between(100_000, 999_999)}`);
  }

  #price(): string {
    return this.#figure(`${this.random.between(2, 9)}`);
  }

  #figure(whole: string): string {
    for (;;) {
      const figure = `${whole}.${this.random.between(1000, 9998)}1`;
      if (this.#figures.has(figure)) continue;
      this.#figures.add(figure);
      return figure;
    }
  }

  async begin(): Promise<void> {
    for (let index = 0; index < HOLDERS; index++) {
      const id = await this.org.holder({ comments: this.#word(), issuerAssignedId: this.#word() });
      this.holders.push(id);
      const [name, mail] = [this.#word(id), this.#word(id)];
      const called = { displayName: `Holder ${name}`, name: { legalName: `Holder ${this.#word(id)}` } };
      await this.org.made(`/stakeholders/${id}`, { ...called, email: `${mail}@example.com` }, "PATCH");
    }
    const shares = { initialSharesAuthorized: this.#figure("900000000"), comments: this.#word() };
    const preferred = { ...shares, name: "Seed", classType: "PREFERRED", defaultIdPrefix: "PS-", seniority: 2 };
    this.#classes = [await this.org.shareClass(shares), await this.org.shareClass(preferred)];
    for (const stockClassId of this.#classes) {
      const pool = { planName: "Plan", initialSharesReserved: this.#figure("90000000"), comments: this.#word() };
      this.#plans.push(await this.org.plan(stockClassId, pool));
      const price = { pricePerShare: this.#price(), effectiveDate: "2025-12-01", comments: this.#word() };
      await this.org.valuation(stockClassId, price);
    }
    const trigger = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 36 };
    const conditions = [{ id: this.#word(), trigger, portion: { numerator: 1, denominator: 36 } }];
    const terms = { name: this.#word(), description: this.#word(), allocationMethod: "FRACTIONAL" };
    this.#terms = (await this.org.made("/vesting-terms", { ...terms, vestingConditions: conditions })).id ?? "";
    this.#legend = (await this.org.made("/stock-legends", { name: "Act", text: "Not registered." })).id ?? "";
    for (const stakeholderId of this.holders) {
      await this.#issueShares(stakeholderId);
      await this.#issueOptions(stakeholderId);
    }
    if (this.random.chance(0.25)) await this.#import();
    if (this.random.chance(0.3)) await this.org.made("/organization", { portalShowsOwnership: true }, "PATCH");
  }

  /** Does something; what is refused is passed over. */
  async step(): Promise<void> {
    this.#day = addDays(BEGINNING, Math.min(DAYS, Math.floor((this.#certificate * DAYS) / (3 * HOLDERS + STEPS))));
    try {
      await this.#act();
    } catch (error) {
      if (!/: (?:404|409|422) /.test(String(error))) throw error;
    }
  }

  async #act(): Promise<unknown> {
    const holder = this.#holder();
    const { items }: Json = (await this.org.call("GET", "/securities?status=ACTIVE&limit=100")).json;
    const security: Json = this.random.maybe(items);
    const { id: securityId, quantity, stakeholderId, exercisePrice } = security;
    const some = this.random.chance(0.3) ? quantity : this.#figure(`${this.random.between(1, 9)}000`);
    const said = { effectiveDate: this.#day, description: this.#word() };
    const run = (operation: string, given: Given) => this.org.run(operation, { ...said, ...given });
    const kind = this.random.weighted({
      ...{ shares: 2, options: 2, warrant: 1, convertible: 1, transfer: 6, exercise: 4, convert: 3, cancel: 2 },
      ...{ repurchase: 1, retract: 1, split: 1, holder: 3, quantity: 1, milestone: 2, accelerate: 1, adjust: 1 },
      ...{ leave: 1, delete: 1, note: 1, describe: 2, later: 1 },
    });
    switch (kind) {
      case "shares":
        return this.#issueShares(holder);
      case "options":
        return this.#issueOptions(holder);
      case "warrant":
        return run("issue-warrant", {
          ...this.#named(holder),
          exercisePrice: this.#price(),
          stockClassId: this.#class(),
        });
      case "convertible":
        return run("issue-convertible", {
          ...this.#named(holder),
          convertibleType: "SAFE",
          valuationCap: this.#quantity(),
        });
      case "later":
      case "transfer": {
        const price = this.random.chance(0.5) ? { pricePerShare: this.#price() } : {};
        const to = { fromStakeholderId: stakeholderId, toStakeholderId: holder, transferReason: this.#word() };
        const when = kind === "later" ? { effectiveDate: "2026-06-20" } : {};
        return run("transfer", { securityId, quantity: some, ...to, ...price, ...when });
      }
      case "exercise":
        return run("exercise", { securityId, quantity: some, exercisePrice, earlyExercise: this.random.chance(0.5) });
      case "convert":
        return run("convert", {
          securityId,
          quantity: some,
          resultingQuantity: this.#quantity(),
          stockClassId: this.#class(),
        });
      case "cancel":
        return run("cancel", { securityId, quantity: some, cancellationReason: "FORFEITURE", returnToPool: true });
      case "repurchase":
        return run("repurchase", { securityId, quantity: some, pricePerShare: this.#price() });
      case "retract":
        return run("retract", { securityId, reason: this.#word() });
      case "split":
        return run("split", { stockClassId: this.#class(), numerator: 3, denominator: 2, rounding: "FRACTIONAL" });
      case "holder":
        return this.org.made(`/securities/${securityId}`, { stakeholderId: holder }, "PATCH");
      case "quantity":
        return this.org.made(`/securities/${securityId}`, { quantity: this.#quantity() }, "PATCH");
      case "describe":
        return this.org.made(
          `/securities/${securityId}`,
          { comments: this.#word(), stockLegendIds: [this.#legend] },
          "PATCH",
        );
      case "milestone": {
        const milestone = { name: this.#word(securityId), description: this.#word(), securityId, quantity: some };
        const { id } = await this.org.made("/vesting-milestones", milestone);
        if (this.random.chance(0.5)) return undefined;
        return this.org.made(`/vesting-milestones/${id}/complete`, { evidenceNote: this.#word() });
      }
      case "accelerate":
        return run("accelerate-vesting", { securityId, quantity: some, reason: this.#word() });
      case "adjust":
        return run("adjust-reserve", {
          equityPlanId: this.random.maybe(this.#plans),
          newSharesReserved: this.#figure("95000000"),
        });
      case "leave":
        return run("terminate-service", { stakeholderId: holder });
      case "delete":
        return this.org.call("DELETE", `/securities/${securityId}`);
      case "note": {
        const note = { type: "STOCK_ISSUANCE", securityId, stakeholderId: holder, quantity: this.#quantity() };
        return this.org.made("/transactions", { ...note, effectiveDate: this.#day, metadata: { note: this.#word() } });
      }
    }
  }

  #holder(): string {
    return this.random.maybe(this.holders) ?? "";
  }

  #class(): string {
    return this.random.maybe(this.#classes) ?? "";
  }

  #named(stakeholderId: string): Given {
    return {
      stakeholderId,
      certificateId: `CERT-${++this.#certificate}-${this.random.hex(8)}`,
      quantity: this.#quantity(),
    };
  }

  #issueShares(stakeholderId: string): Promise<string> {
    const given = { ...this.#named(stakeholderId), effectiveDate: this.#day, pricePerShare: this.#price() };
    return this.org.run("issue-shares", { ...given, stockClassId: this.#class(), description: this.#word() });
  }

  #issueOptions(stakeholderId: string): Promise<string> {
    const vesting = this.random.chance(0.7) ? { vestingTermsId: this.#terms, vestingStartDate: this.#day } : {};
    const grant = { ...this.#named(stakeholderId), optionType: "NSO", exercisePrice: this.#price() };
    const plan = { stockPlanId: this.random.maybe(this.#plans), effectiveDate: this.#day };
    return this.org.run("issue-options", { ...grant, ...plan, ...vesting, description: this.#word() });
  }

  /** Two holders by an import, one of whom transferred to the other. */
  async #import(): Promise<void> {
    const word = this.#word("bea");
    const [all, part] = [this.#figure("700"), this.#figure("30")];
    const said = () => ({ comments: [this.#word()] });
    await this.org.import(
      { object_type: "STAKEHOLDER", id: "bea", name: { legal_name: word }, stakeholder_type: "INDIVIDUAL", ...said() },
      stockIssuance("imported-a", all, said()),
      {
        ...{ object_type: "TX_STOCK_TRANSFER", id: "tx-transfer", date: "2024-05-01", security_id: "imported-a" },
        ...{ quantity: part, resulting_security_ids: ["imported-b"], balance_security_id: "imported-rest" },
        ...{ consideration_text: this.#word(), ...said() },
      },
      stockIssuance("imported-b", part, { date: "2024-05-01", stakeholder_id: "bea" }),
      stockIssuance("imported-rest", (Number(all) - Number(part)).toFixed(5), { date: "2024-05-01" }),
    );
    this.holders.push("ada", "bea");
  }

  /** Papers about one holder, about two, and about none of them; shared and not. */
  async documents(): Promise<void> {
    for (let index = 0; index < 6; index++) {
      const about = [this.#holder(), ...(this.random.chance(0.4) ? [this.#holder()] : [])];
      const isSharedWithHolders = this.random.chance(0.6);
      const relatedObjects = [...new Set(about)].map((objectId) => ({ objectType: "STAKEHOLDER", objectId }));
      const path = `${this.#word()}/paper-${index}.txt`;
      const body = { title: `Paper ${index}`, path, comments: this.#word(), relatedObjects, isSharedWithHolders };
      await this.org.made("/documents", body);
    }
  }
}
