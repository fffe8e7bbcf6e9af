// How long a GET takes while a hundred people sign in at once, over and over. Each password costs a core for a tenth of a
// second, so that they share the machine with the readers, as they would on a Monday morning.
import { join } from "node:path";
import { DATABASE_FILE, openWritable } from "../../src/storage/database/open.ts";
import { Writer } from "../../src/storage/database/writer.ts";
import { makeMember, PASSWORD } from "../kit/people.ts";
import { getting, makeCompany } from "./company.ts";
import type { LoadResult } from "./load.ts";
import type { Bench } from "./part.ts";
import { type Service, startService } from "./programs.ts";

const PART = "reads beside sign-ins";
const PEOPLE = 100;
const READERS = 4;
const TOO_BUSY = 503;
const AIM = { atMost: 20 };

/** Measures reads beside sign-ins. */
export async function measureSignIns(bench: Bench): Promise<void> {
  const { rounds, seconds, report } = bench;
  const data = join(bench.folder, "data");
  await (await startService(data))[Symbol.asyncDispose]();
  const emails = await makePeople(data);
  await using service = await startService(data);
  const { stakeholderId } = await makeCompany(service);
  const get = () => service.load(getting(service, `/stakeholders/${stakeholderId}`, READERS, seconds));
  const note = (when: string, { p50Ms, p99Ms }: LoadResult, aim = {}) => {
    report.note(PART, `GET ${when}, p50`, p50Ms, "ms");
    report.note(PART, `GET ${when}, p99`, p99Ms, "ms", aim);
  };
  await get();
  for (let round = 0; round < rounds; round++) {
    note("alone", await get());
    const signing = new SigningIn(service, emails);
    const read = await get();
    const [accepted, elapsed] = await signing.end();
    note(`while ${PEOPLE} sign in`, read, AIM);
    report.note(PART, "sign-ins meanwhile", accepted / elapsed, "/s");
  }
}

/** Accounts with a password, in the database itself. */
async function makePeople(data: string): Promise<string[]> {
  const db = openWritable(join(data, DATABASE_FILE));
  const orgId = db.sqlite.prepare<[], string>("select id from organizations").pluck().get() ?? "";
  const writer = new Writer(db, (error) => {
    throw error;
  });
  const emails: string[] = [];
  for (let n = 0; n < PEOPLE; n++) emails.push((await makeMember(writer, orgId)).email);
  await writer.drain();
  db.sqlite.close();
  return emails;
}

/** People who sign in again as soon as they are in, each from an address of their own, until told to end. */
class SigningIn {
  #isEnding = false;
  #accepted = 0;
  readonly #started = performance.now();
  readonly #all: Promise<unknown>;

  constructor(
    private readonly service: Service,
    emails: readonly string[],
  ) {
    this.#all = Promise.all(emails.map((email, n) => this.#keepOn(email, `203.0.113.${n + 1}`)));
  }

  /** How many were let in, and in how many seconds. */
  async end(): Promise<readonly [accepted: number, seconds: number]> {
    this.#isEnding = true;
    await this.#all;
    return [this.#accepted, (performance.now() - this.#started) / 1000];
  }

  async #keepOn(email: string, address: string): Promise<void> {
    const origin = `http://127.0.0.1:${this.service.port}`;
    while (!this.#isEnding) {
      const { status } = await fetch(`${origin}/api/v1/auth/sign-in`, {
        method: "POST",
        headers: { origin, "content-type": "application/json", "x-forwarded-for": address },
        body: JSON.stringify({ email, password: PASSWORD }),
      });
      if (status === 200) this.#accepted++;
      else if (status !== TOO_BUSY) throw new Error(`sign-in: ${status}`);
      else await Bun.sleep(Math.random() * 1000);
    }
  }
}
