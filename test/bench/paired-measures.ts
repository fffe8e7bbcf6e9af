// What is compared of two builds.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { addDays } from "../../src/kernel/date.ts";
import { getting, issuing } from "./company.ts";
import { GROWN } from "./grow.ts";
import { preview } from "./imports.ts";
import { askAsHolder, type Figures, type Side, signIn } from "./paired-side.ts";
import { freePort, keyOf, type Service, startService } from "./programs.ts";
import { fetched } from "./reports.ts";

/** A figure, and how it is taken once of a side. */
export interface Measure {
  readonly name: string;
  readonly unit: "ms" | "MB";
  /** Rounds that do not count; 2 unless it says else. */
  readonly warmUps?: number;
  take(side: Side, round: number): Promise<Figures>;
}

const IDLE_MS = 2000;
const LOAD_SECONDS = 1;
const ALONE = 150;
const READS = 20;
const FEW = 5;
const HOLDER = GROWN.stakeholderId;
const POSITION = `/stakeholders/${HOLDER}/position`;

type Work = (service: Service) => Promise<unknown>;

const inMs = (name: string, take: Measure["take"], warmUps?: number): Measure => {
  return { name, unit: "ms", take, ...(warmUps === undefined ? {} : { warmUps }) };
};

/** So many requests, one after the other. */
const repeated = (times: number, work: Work) => async (service: Service) => {
  for (let n = 0; n < times; n++) await work(service);
  return times;
};
const get = (path: string) => (service: Service) => service.call("GET", path);
const file = (path: string) => (service: Service) => fetched(service, path);

/** A read that was asked for before, on the large company. */
const again = (name: string, path: string, times = READS): Measure =>
  inMs(name, (side) => side.on("large", repeated(times, get(path)), get(path)));

/** A read, the first after a write each time; the writes are not counted. */
const afterWrite = (name: string, path: string): Measure =>
  inMs(name, async (side) => {
    const all: Figures[] = [];
    for (let n = 0; n < FEW; n++) all.push(await side.on("large", repeated(1, get(path)), issue(side, "100")));
    const mean = (of: (figures: Figures) => number) => all.reduce((sum, each) => sum + of(each), 0) / all.length;
    return { wall: mean(({ wall }) => wall), cpu: mean(({ cpu }) => cpu) };
  });

/** A read of another past day each time. */
const pastDay = (name: string, pathOn: (day: string) => string): Measure =>
  inMs(name, (side, round) => side.on("large", repeated(1, get(pathOn(addDays("2024-01-01", round * 7))))));

const issue = (side: Side, quantity: string) => (service: Service) => {
  const body = { ...GROWN, quantity, certificateId: `PAIRED-${side.next()}`, effectiveDate: "2026-01-15" };
  return service.call("POST", "/transactions/issue-shares", body);
};

const makeHolder = (side: Side) => (service: Service) => {
  const displayName = `Person ${side.next()}`;
  return service.call("POST", "/stakeholders", { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" });
};

async function load(service: Service, requests: Parameters<Service["load"]>[0]): Promise<number> {
  return (await service.load(requests)).count;
}

async function start(side: Side): Promise<Figures> {
  const [data, port] = [side.dataOf("small"), freePort()];
  const headers = { authorization: `Bearer ${keyOf(data)}` };
  const url = `http://127.0.0.1:${port}/api/v1/stakeholders/${HOLDER}`;
  const isThere = () =>
    fetch(url, { headers }).then(
      ({ ok }) => ok,
      () => false,
    );
  const started = performance.now();
  const starting = startService(data, port, side.program);
  while (!(await isThere())) await Bun.sleep(1);
  const wall = performance.now() - started;
  await using service = await starting;
  return { wall, cpu: service.cpuMs() };
}

async function idleMemory(side: Side): Promise<Figures> {
  await using service = await startService(join(side.folder, "idle"), 0, side.program);
  await Bun.sleep(IDLE_MS);
  return { wall: service.megabytes(), cpu: Number.NaN };
}

async function importPackage(side: Side): Promise<Figures> {
  const data = join(side.folder, "imported");
  const figures = await side.command("ocf", "import", join(side.folder, "package"), "--data-dir", data);
  rmSync(data, { recursive: true });
  return figures;
}

async function exportPackage(side: Side): Promise<Figures> {
  const out = join(side.folder, "out.zip");
  const figures = await side.command("ocf", "export", "--out", out, "--data-dir", side.dataOf("small"));
  rmSync(out);
  return figures;
}

async function previewRows(side: Side): Promise<Figures> {
  const bytes = await Bun.file(join(side.folder, "rows.xlsx")).bytes();
  return side.on(
    "small",
    repeated(1, (service) => preview(service, bytes)),
  );
}

async function portal(side: Side): Promise<Figures> {
  let session = "";
  const ask: Work = (service) => askAsHolder(service, side.made, session, "/portal");
  return side.on("large", repeated(READS, ask), async (service) => {
    session = await signIn(service);
    await ask(service);
  });
}

/** Every figure. */
export const MEASURES: readonly Measure[] = [
  // A service that runs has the small company, so its starts come first.
  inMs("start to first answer", start),
  { name: "memory at rest", unit: "MB", take: idleMemory },
  inMs("package in, 3,000 securities", importPackage, 1),
  inMs("package out, 1,000 securities", exportPackage, 1),
  inMs("write alone: issue-shares", (side) => side.on("small", repeated(ALONE, issue(side, "100")))),
  inMs("write alone: stakeholder", (side) => side.on("small", repeated(ALONE, makeHolder(side)))),
  inMs("write at 64: issue-shares", (side) =>
    side.on("small", (service) => load(service, issuing(service, GROWN, 64, LOAD_SECONDS))),
  ),
  inMs("list of 25 securities at 8", (side) =>
    side.on("small", (service) => load(service, getting(service, "/securities?limit=25", 8, LOAD_SECONDS))),
  ),
  inMs("list of 500 securities", (side) => side.on("small", repeated(READS, get("/securities?limit=500")))),
  inMs("preview of 2,000 rows", previewRows),
  inMs("cap table of today, first of a process", firstView("/cap-table"), 0),
  again("cap table of today, again", "/cap-table"),
  afterWrite("cap table of today, after a write", "/cap-table"),
  inMs("past day, first of a process", firstView("/cap-table?asOf=2025-06-30"), 0),
  pastDay("past day, first", (day) => `/cap-table?asOf=${day}`),
  again("past day, again", "/cap-table?asOf=2024-06-30"),
  afterWrite("history, after a write", "/cap-table/history"),
  again("history, again", "/cap-table/history"),
  afterWrite("position, after a write", POSITION),
  again("position, again", POSITION),
  pastDay("position of a past day, first", (day) => `${POSITION}?asOf=${day}`),
  inMs("portal", portal),
  again("health", "/cap-table/health", 1),
  inMs("workbook", (side) => side.on("large", repeated(1, file("/reports/cap-table.xlsx"))), 1),
  inMs("transactions as CSV", (side) => side.on("large", repeated(1, file("/transactions.csv"))), 1),
  inMs("export over HTTP", (side) => side.on("large", repeated(1, file("/cap-table/ocf-export"))), 1),
];

/** In a process that was just started: what it takes with it, and what no fold helps with. */
function firstView(path: string): Measure["take"] {
  return async (side) => {
    await side.rest("large");
    return side.on("large", repeated(1, get(path)));
  };
}
