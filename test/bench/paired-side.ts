// One of two builds that are compared, on data that it made itself: a large company, a small one, and what is imported.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { templateWorkbook } from "../exchange/spreadsheet/workbook.ts";
import { type Given, GROWN, importPackage, writePackage } from "./grow.ts";
import { rowsOf } from "./imports.ts";
import { run, type Service, startService } from "./programs.ts";
import { companyOf } from "./reports.ts";

const SMALL = 1000;
const PACKAGE = 3000;
const ROWS = 2000;
/** A holder of the large company and of the small one, who has an account. */
const HOLDER = "holder-7";
const EMAIL = "holder@example.com";
const PASSWORD = "violet rocks sing daily";
/** Every so many securities one is preferred stock, which converts by no whole number. */
const PREFERRED_EVERY = 5;

const PREFERRED = {
  object_type: "STOCK_CLASS",
  id: "series-a",
  name: "Series A Preferred",
  class_type: "PREFERRED",
  default_id_prefix: "PA-",
  initial_shares_authorized: "UNLIMITED",
  votes_per_share: "1",
  seniority: "2",
  conversion_rights: [
    {
      type: "STOCK_CLASS_CONVERSION_RIGHT",
      converts_to_stock_class_id: GROWN.stockClassId,
      conversion_mechanism: {
        type: "RATIO_CONVERSION",
        ratio: { numerator: "4", denominator: "3" },
        rounding_type: "NORMAL",
        conversion_price: { amount: "0.9375", currency: "USD" },
      },
    },
  ],
};

/** What a side made. */
export interface Made {
  readonly orgId: string;
}

/** What a side did, of one of its requests: milliseconds by the clock and of processor time. */
export interface Figures {
  readonly wall: number;
  readonly cpu: number;
}

/** Makes the data with a program: the same of every program that is given the same size. */
export async function makeData(folder: string, size: number, program: readonly string[]): Promise<void> {
  writePackage(join(folder, "package"), pairedCompany(PACKAGE));
  writeFileSync(join(folder, "rows.xlsx"), templateWorkbook(rowsOf(ROWS)));
  await importInto(join(folder, "small"), pairedCompany(SMALL), program);
  await importInto(join(folder, "large"), pairedCompany(size), program);
  const invite = ["members", "invite", "--email", EMAIL, "--role", "STAKEHOLDER"];
  const asked = [...invite, "--stakeholder", HOLDER, "--json", "--data-dir", join(folder, "large", "growing")];
  const { url, organizationId } = JSON.parse((await run([...program, ...asked])).stdout);
  await using service = await startService(join(folder, "large", "growing"), 0, program);
  const token = new URL(url).hash.slice(1);
  await sessionFrom(service, "/auth/accept", { token, name: "Grace Hopper", password: PASSWORD });
  writeFileSync(join(folder, "made.json"), JSON.stringify({ orgId: organizationId }));
}

function importInto(folder: string, company: Given, program: readonly string[]): Promise<string> {
  mkdirSync(folder);
  return importPackage(folder, company, program);
}

function pairedCompany(size: number): Given {
  const company = companyOf(size);
  const transactions = company.transactions.map((object, place) => {
    const isPreferred = "stock_class_id" in object && place % PREFERRED_EVERY === 0;
    return isPreferred ? { ...object, stock_class_id: PREFERRED.id } : object;
  });
  return { ...company, transactions, stockClasses: [PREFERRED] };
}

/** One of the two programs. Its services begin with the first request, and are paused when nothing is asked of them. */
export class Side implements AsyncDisposable {
  readonly #services = new Map<string, Service>();
  #number = 0;

  constructor(
    readonly program: readonly string[],
    readonly folder: string,
    readonly made: Made,
  ) {}

  /** Does work on the service of one of the companies, and counts that. */
  async on(
    company: "small" | "large",
    work: (service: Service) => Promise<number>,
    prepare?: (service: Service) => Promise<unknown>,
  ): Promise<Figures> {
    const service = this.#services.get(company) ?? (await startService(this.dataOf(company), 0, this.program));
    this.#services.set(company, service);
    await service.resume();
    await prepare?.(service);
    const [cpu, started] = [service.cpuMs(), performance.now()];
    const times = await work(service);
    const figures = { wall: (performance.now() - started) / times, cpu: (service.cpuMs() - cpu) / times };
    service.pause();
    return figures;
  }

  /** Ends the service of a company: the next work begins another. */
  async rest(company: "small" | "large"): Promise<void> {
    await this.#services.get(company)?.[Symbol.asyncDispose]();
    this.#services.delete(company);
  }

  /** Runs a command of the program to its end. */
  async command(...args: string[]): Promise<Figures> {
    const { seconds, cpuMs } = await run([...this.program, ...args]);
    return { wall: seconds * 1000, cpu: cpuMs };
  }

  /** The data directory of a company. */
  dataOf(company: "small" | "large"): string {
    return join(this.folder, company, "growing");
  }

  /** A number that was not used on this side before. */
  next(): number {
    return ++this.#number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const service of this.#services.values()) await service[Symbol.asyncDispose]();
  }
}

/** Asks as the holder who has an account. */
export async function askAsHolder(service: Service, { orgId }: Made, session: string, path: string): Promise<string> {
  const cookie = `captable-${service.port}=${session}`;
  const headers = { cookie, "captable-organization": orgId, "sec-fetch-site": "same-origin" };
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, { headers });
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

/** Signs that holder in: kept data outlives a session. */
export function signIn(service: Service): Promise<string> {
  return sessionFrom(service, "/auth/sign-in", { email: EMAIL, password: PASSWORD });
}

async function sessionFrom(service: Service, path: string, body: object): Promise<string> {
  const origin = `http://127.0.0.1:${service.port}`;
  const headers = { origin, "content-type": "application/json" };
  const answer = await fetch(`${origin}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const session = /=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1];
  if (session === undefined) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  return session;
}
