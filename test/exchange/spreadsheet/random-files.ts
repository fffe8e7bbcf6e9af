// Random files of the template with every way in which securities come about, and what each row has to make: worked out
// here, from the file alone. Some have one wrong cell.
import { formatDecimal, parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import type { Texts } from "./kit.ts";

type Cells = Record<string, string>;
type Sheet = "Stock" | "Options" | "Warrants" | "Convertibles";

/** A cell that says what the operation does not make. */
export interface Wrong {
  readonly sheet: Sheet;
  readonly row: number;
  readonly header: string;
  readonly code: "differs-from-source" | "same-holder";
}

interface Held {
  readonly sheet: Sheet;
  readonly number: string;
  readonly cells: Cells;
  left: bigint;
}

const HEADERS: Readonly<Record<Sheet, readonly string[]>> = {
  Stock: [
    ...["Certificate", "Holder", "Class", "Issue date", "Quantity", "Price per share", "Consideration", "Plan"],
    ...["How issued", "From certificate", "From quantity", "Vesting terms", "Vesting start", "Board approval"],
    ...["Stockholder approval", "Comments"],
  ],
  Options: [
    ...["Grant", "Holder", "Plan", "Class", "Type", "Grant date", "Quantity", "Exercise price", "Expires"],
    ...["Vesting terms", "Vesting start", "How issued", "From grant", "Board approval", "Comments"],
  ],
  Warrants: [
    ...["Warrant", "Holder", "Class", "Issue date", "Quantity", "Exercise price", "Expires", "How issued"],
    ...["From warrant", "Board approval", "Comments"],
  ],
  Convertibles: [
    ...["Convertible", "Holder", "Kind", "Issue date", "Principal", "Valuation cap", "Discount %", "Interest %"],
    ...["Day count", "Matures", "How issued", "From convertible", "Board approval", "Comments"],
  ],
};
const DAY: Readonly<Record<Sheet, string>> = {
  Stock: "Issue date",
  Options: "Grant date",
  Warrants: "Issue date",
  Convertibles: "Issue date",
};
const PEOPLE = ["Ann", "Bob", "Çelik & Co.", "王小明"];

/** A file that follows from `random` alone. */
export class RandomFile {
  readonly #random: () => number;
  readonly #sheets: Record<Sheet, Cells[]> = { Stock: [], Options: [], Warrants: [], Convertibles: [] };
  readonly #held: Held[] = [];
  #count = 0;
  #days = 0;
  /** The cell that is wrong, in a file that has one. */
  wrong: Wrong | null = null;

  constructor(random: () => number, isWrong: boolean) {
    this.#random = random;
    for (const issue of [this.#stock, this.#preferred, this.#option, this.#warrant, this.#note]) issue.call(this);
    const operations = [this.#transfer, this.#transfer, this.#exercise, this.#exercise, this.#convert, this.#convert];
    const made: { readonly sheet: Sheet; readonly cells: Cells; readonly from: Held }[] = [];
    for (const operate of operations) made.push(...operate.call(this));
    const falsified = isWrong ? this.#one(made) : null;
    if (falsified) this.wrong = this.#falsify(falsified);
  }

  /** The sheets as text cells. */
  get texts(): Texts {
    const own = Object.entries(this.#sheets).map(([sheet, rows]) => {
      const headers = HEADERS[sheet as Sheet];
      return [sheet, [headers, ...rows.map((cells) => headers.map((header) => cells[header] ?? ""))]] as const;
    });
    return { ...RECORDS, ...Object.fromEntries(own) };
  }

  /** What each row has to be recorded as, by its number. */
  get rows(): readonly { readonly sheet: Sheet; readonly cells: Cells }[] {
    return (Object.keys(this.#sheets) as Sheet[]).flatMap((sheet) =>
      this.#sheets[sheet].map((cells) => ({ sheet, cells })),
    );
  }

  /** The day of an operation, each later than that of the one before. */
  #later(): string {
    return `2025-06-${String(10 + ++this.#days)}`;
  }

  #whole(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#whole(all.length)] as T;
  }

  /** A figure of up to four places. */
  #figure(most: number): string {
    const whole = 1 + this.#whole(most);
    return this.#random() < 0.3 ? formatDecimal(parseDecimal(`${whole}.${1 + this.#whole(9999)}`)) : String(whole);
  }

  #put(sheet: Sheet, cells: Cells): Held {
    const number = cells[HEADERS[sheet][0] ?? ""] ?? "";
    this.#sheets[sheet].push(cells);
    const held = { sheet, number, cells, left: parseDecimal(cells.Quantity ?? cells.Principal ?? "0") };
    this.#held.push(held);
    return held;
  }

  #head(sheet: Sheet, holder = this.#one(PEOPLE)): Cells {
    const number = `${sheet.charAt(0)}-${++this.#count}`;
    const comments = this.#random() < 0.3 ? { Comments: `As agreed, ${number}` } : {};
    const board = this.#random() < 0.3 ? { "Board approval": "2024-01-05" } : {};
    return { [HEADERS[sheet][0] ?? ""]: number, Holder: holder, ...comments, ...board };
  }

  #stock(): void {
    for (let left = 2; left > 0; left--) {
      const vests = this.#random() < 0.4 ? { "Vesting terms": "4 years", "Vesting start": "2024-01-20" } : {};
      this.#put("Stock", {
        ...{ ...this.#head("Stock"), Class: "Common", "Issue date": "2024-02-01", Quantity: this.#figure(9000) },
        ...{ "Price per share": this.#figure(9), ...vests },
        ...(this.#random() < 0.3 ? { "Stockholder approval": "2024-01-06" } : {}),
        ...(this.#random() < 0.3 ? { Plan: "Plan" } : {}),
      });
    }
  }

  #preferred(): void {
    const price = { "Price per share": this.#figure(20) };
    const quantity = { "Issue date": "2024-02-01", Quantity: this.#figure(9000) };
    this.#put("Stock", { ...this.#head("Stock"), Class: "Series A", ...quantity, ...price });
  }

  #option(): void {
    for (let left = 2; left > 0; left--) {
      this.#put("Options", {
        ...{ ...this.#head("Options"), Plan: "Plan", Class: "Common", Type: this.#one(["ISO", "NSO"]) },
        ...{ "Grant date": "2024-01-15", Quantity: this.#figure(5000), "Exercise price": this.#figure(5) },
        ...{ Expires: "2033-12-31" },
      });
    }
  }

  #warrant(): void {
    this.#put("Warrants", {
      ...{ ...this.#head("Warrants"), Class: "Series A", "Issue date": "2024-03-01", Quantity: this.#figure(900) },
      ...{ "Exercise price": this.#figure(9), Expires: "2031-01-01" },
    });
  }

  #note(): void {
    const safe = { Kind: "SAFE", "Valuation cap": "5000000", "Discount %": this.#figure(30) };
    const note = { Kind: "Note", "Interest %": this.#figure(8), "Day count": "Actual/365", Matures: "2028-01-01" };
    for (const kind of [safe, note]) {
      const head = { ...this.#head("Convertibles"), "Issue date": "2024-03-01", Principal: this.#figure(90_000) };
      this.#put("Convertibles", { ...head, ...kind });
    }
  }

  /** One that holds something, and how much of it is taken. */
  #taken(suits: (held: Held) => boolean): { readonly from: Held; readonly taken: string } | null {
    const suitable = this.#held.filter((held) => held.left > 0n && suits(held));
    if (suitable.length === 0) return null;
    const from = this.#one(suitable);
    const part = (from.left * BigInt(1 + this.#whole(999))) / 1000n;
    const all = part === 0n || this.#random() < 0.3;
    const taken = all ? from.left : part;
    from.left -= taken;
    return { from, taken: formatDecimal(taken) };
  }

  /** Some of the cells that say what the source has. */
  #inherited(cells: Cells, headers: readonly string[]): Cells {
    const said = headers.filter((header) => cells[header] !== undefined && this.#random() < 0.5);
    return Object.fromEntries(said.map((header) => [header, cells[header] ?? ""]));
  }

  #transfer() {
    const one = this.#taken(() => true);
    if (one === null) return [];
    const { from, taken } = one;
    const { sheet, cells: source } = from;
    const [first = "", day] = [HEADERS[sheet][0], DAY[sheet]];
    const amount = sheet === "Convertibles" ? "Principal" : "Quantity";
    const required = HEADERS[sheet].filter((header) => REQUIRED.has(header) && source[header] !== undefined);
    const stock = {
      ...(this.#random() < 0.5 ? { "From quantity": taken } : {}),
      ...(this.#random() < 0.5 ? { "Price per share": this.#figure(30) } : {}),
      ...(this.#random() < 0.3 ? { Consideration: this.#figure(3000) } : {}),
    };
    const cells: Cells = {
      ...Object.fromEntries(required.map((header) => [header, source[header] ?? ""])),
      ...this.#inherited(source, INHERITED),
      ...this.#head(sheet, this.#one(PEOPLE.filter((name) => name !== source.Holder))),
      ...{ [day]: this.#later(), [amount]: taken, "How issued": "Transfer" },
      ...{ [`From ${first.toLowerCase()}`]: from.number, ...(sheet === "Stock" ? stock : {}) },
    };
    this.#put(sheet, cells);
    return [{ sheet, cells, from }];
  }

  #exercise() {
    const one = this.#taken(({ sheet }) => sheet === "Options" || sheet === "Warrants");
    if (one === null) return [];
    const { from, taken } = one;
    const { cells: source } = from;
    const gross = parseDecimal(taken);
    const net = (gross * BigInt(1 + this.#whole(999))) / 1000n;
    const isNet = this.#random() < 0.5 && net > 0n;
    const paid = { Consideration: product(source["Exercise price"] ?? "0", taken) };
    const cells: Cells = {
      ...this.#inherited(source, ["Plan", "Vesting start"]),
      ...this.#head("Stock", source.Holder),
      ...{ Class: source.Class ?? "", "Issue date": this.#later(), Quantity: isNet ? formatDecimal(net) : taken },
      ...{ "How issued": "Exercise", "From certificate": from.number },
      ...(isNet || this.#random() < 0.5 ? { "From quantity": taken } : {}),
      ...(this.#random() < 0.5 ? { "Price per share": source["Exercise price"] ?? "" } : {}),
      ...(this.#random() < 0.5 && paid.Consideration !== "" ? paid : {}),
    };
    this.#put("Stock", cells);
    return [{ sheet: "Stock" as const, cells, from }];
  }

  #convert() {
    const one = this.#taken(({ sheet, cells }) => sheet === "Convertibles" || cells.Class === "Series A");
    if (one === null || one.from.sheet === "Warrants") return [];
    const { from, taken } = one;
    const cells: Cells = {
      ...this.#head("Stock", from.cells.Holder),
      ...{ Class: from.sheet === "Stock" ? "Common" : "Series A", "Issue date": this.#later() },
      ...{ Quantity: this.#figure(5000), "How issued": "Conversion", "From certificate": from.number },
      ...{ "From quantity": taken, ...(this.#random() < 0.5 ? { "Price per share": this.#figure(9) } : {}) },
    };
    this.#put("Stock", cells);
    return [{ sheet: "Stock" as const, cells, from }];
  }

  /** Makes a cell of an operation's row say what its source does not. */
  #falsify({ sheet, cells, from }: { readonly sheet: Sheet; readonly cells: Cells; readonly from: Held }): Wrong {
    const how = cells["How issued"];
    const other = (name: string) => this.#one(PEOPLE.filter((each) => each !== name));
    const ways: [header: string, value: string, code?: Wrong["code"]][] =
      how === "Transfer"
        ? [["Holder", from.cells.Holder ?? "", "same-holder"]]
        : [["Holder", other(cells.Holder ?? "")]];
    if (sheet === "Stock") ways.push(["Stockholder approval", "2023-01-09"]);
    if (sheet === "Stock" && how !== "Conversion") {
      ways.push(["Class", cells.Class === "Common" ? "Series A" : "Common"]);
    }
    if (how === "Exercise") ways.push(["Price per share", "77.5"], ["Consideration", "0.01"]);
    if (sheet === "Options") ways.push(["Type", cells.Type === "ISO" ? "NSO" : "ISO"], ["Expires", "2029-09-09"]);
    if (sheet === "Warrants") ways.push(["Exercise price", "77.5"], ["Expires", "2029-09-09"]);
    if (sheet === "Convertibles") ways.push(["Matures", "2029-09-09"], ["Kind", "Convertible security"]);
    const [header, value, code = "differs-from-source"] = this.#one(ways);
    cells[header] = value;
    return { sheet, row: this.#sheets[sheet].indexOf(cells) + 2, header, code };
  }
}

const REQUIRED = new Set(["Class", "Plan", "Type", "Exercise price", "Kind"]);
const INHERITED = ["Expires", "Vesting terms", "Vesting start", "Plan", "Valuation cap", "Discount %", "Interest %"];

/** A price times a number, where ten places say it exactly. */
function product(price: string, quantity: string): string {
  const units = parseDecimal(price) * parseDecimal(quantity);
  return units % 10n ** 10n === 0n ? formatDecimal(units / 10n ** 10n) : "";
}

const RECORDS: Texts = {
  Stakeholders: [["Holder", "Type"], ...PEOPLE.map((name) => [name, "Individual"])],
  "Share classes": [
    ["Class", "Kind", "Prefix", "Authorized", "Votes per share", "Seniority"],
    ["Common", "Common", "CS-", "100000000", "1", "2"],
    ["Series A", "Preferred", "PA-", "100000000", "1", "1"],
  ],
  "Equity plans": [
    ["Plan", "Reserved", "Classes"],
    ["Plan", "1000000", "Common"],
  ],
  "Vesting terms": [
    ["Terms", "Months", "Cliff months", "Frequency"],
    ["4 years", "48", "0", "Monthly"],
  ],
};
