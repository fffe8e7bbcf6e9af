// What the portal shows in random companies holds no other holder's id, name, figure or comment, and nothing of the whole.
// The control: handlers that leak one thing each, of every kind, are each found out.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { present } from "../../../src/kernel/assert.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { writeCursor } from "../../../src/storage/database/paging.ts";
import { readDocumentFile } from "../../../src/views/reports/documents/read-pdf.ts";
import { firstSeed, mustMeetAll, proved, seedCount } from "../../kit/proof.ts";
import { QUICK } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { TODAY } from "../health/support.ts";
import { findLeaks, readWhole, type Shown, type Whole } from "./search.ts";
import { type Json, makeSecretCompany, type SecretCompany } from "./secret-company.ts";
import { member, type Person } from "./support.ts";

setDefaultTimeout(600_000);

const PAPERS_MAX = QUICK ? 1 : 2;
/** Drawing takes longer than all else: of how many companies one has its papers looked at. */
const PAPERS_EVERY = 8;
const COMPANIES = seedCount(5, 200);
const nowMs = Date.parse(`${TODAY}T12:00:00Z`);
let server: TestServer;

beforeAll(async () => {
  const runtime = { ...systemRuntime, nowMs: () => nowMs };
  server = await startTestServer({ CAPTABLE_LOG: "off" }, { runtime });
});
afterAll(() => server.stop());

/** All that the portal shows one person. */
async function everythingShown(person: Person, whole: Whole, own: readonly string[], hasPapers = true): Promise<Shown> {
  const shown = new Map<string, Json>();
  const look = async (path: string) => {
    const { status, json, text } = await person.ask("GET", path);
    expect({ path, status: status < 500 ? "" : text }).toEqual({ path, status: "" });
    // A refusal names its request, which is not a holder's figure.
    shown.set(path, { ...json, ...(status === 200 ? {} : { instance: null, type: null }) });
    return { status, json };
  };
  await look("/portal");
  await look("/portal/dates?from=2024-01-01&to=2027-01-01");
  for (const list of ["/portal/transactions", "/portal/documents"]) {
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { json }: Json = await look(`${list}?limit=4${cursor ? `&cursor=${cursor}` : ""}`);
      cursor = json.nextCursor;
    }
  }
  for (const { id, stakeholderId } of whole.securities) {
    const { status } = await look(`/portal/securities/${id}/vesting`);
    expect({ id, status }).toEqual({ id, status: own.includes(stakeholderId) ? 200 : 404 });
  }
  for (const { id } of whole.documents) await look(`/portal/documents/${id}/content`);
  const held = shown.get("/portal").data.holdings.map(({ securityId }: Json) => securityId);
  // Each is drawn, or replayed: a few of one's own, and a few of others.
  const others = whole.securities.filter((row) => !isOwnOf(own)(row)).map(({ id }) => id);
  const asked = [...held.slice(0, PAPERS_MAX), ...others.slice(0, PAPERS_MAX)];
  if (!hasPapers) return shown;
  const isDrawn = ({ id }: Json) => asked.includes(id);
  for (const path of papersOf({ ...whole, securities: whole.securities.filter(isDrawn) })) {
    const { status, bytes } = await person.file(path);
    const isHeld = [...own, ...held].some((id) => path.includes(`/${id}/`));
    expect({ path, status }).toEqual({ path, status: isHeld ? 200 : 404 });
    if (status === 200) shown.set(path, saidOnPaper(bytes));
  }
  return shown;
}

const isOwnOf = (own: readonly string[]) => (row: Json) => own.includes(row.stakeholderId);

function papersOf({ securities, stakeholders }: Whole): string[] {
  return [
    ...securities.map(({ id }) => `/portal/securities/${id}/certificate.pdf`),
    ...stakeholders.map(({ id }) => `/portal/stakeholders/${id}/statement.pdf`),
  ];
}

/** What a paper says: its texts, and each figure in them; not the entry that it goes up to, without which it has no code. */
function saidOnPaper(bytes: Uint8Array): Json {
  const { facts } = present(readDocumentFile(bytes).facts, "a document of ours");
  const texts = facts.statement.filter(([label]) => label !== "Ledger entry");
  return texts.map(([label, text]) => ({
    ...{ label, text },
    words: text.split(", "),
    figures: [...text.replaceAll(",", "").matchAll(/\d+(?:\.\d+)?/g)].map(([figure]) => figure),
  }));
}

/** Leaks one thing into what is shown; null where the company has no such thing. */
type Mutant = (scene: Scene) => readonly [path: string, leaked: Json] | null;

interface Scene {
  readonly shown: Shown;
  readonly own: readonly string[];
  readonly company: SecretCompany;
  readonly whole: Whole;
}

const isOwn = (own: readonly string[]) => (row: Json) => own.includes(row.stakeholderId);
const first = <T>(rows: readonly T[], leaked: (row: T) => Json): Json | null =>
  rows[0] === undefined ? null : leaked(rows[0]);
const at = (path: string, leaked: Json | null) => (leaked === null ? null : ([path, leaked] as const));

/** All that one person may know by the register: what is in it is no leak. */
const ownText = ({ securities, entries, positions }: Whole, own: readonly string[]) =>
  JSON.stringify([
    ...[securities.filter(isOwn(own)), own.map((id) => positions.get(id))],
    entries.filter((row) => isOwn(own)(row) || own.includes(row.metadata?.toStakeholderId)),
  ]);

const MUTANTS: Readonly<Record<string, Mutant>> = {
  "metadata of an own entry": ({ whole, own }) => {
    const told = whole.entries.filter((row) => isOwn(own)(row) && row.metadata?.description);
    return at(
      "/portal/transactions",
      first(told, ({ id, metadata }) => ({ id, said: metadata })),
    );
  },
  "the security that a transfer made": ({ whole, own }) => {
    const given = whole.entries.filter(
      (row) => isOwn(own)(row) && row.type.endsWith("_TRANSFER") && row.metadata.newSecurityId,
    );
    const ids = [...whole.securities.map((row) => [row, row.id]), ...whole.entries.map((row) => [row, row.securityId])]
      .filter(([row]) => isOwn(own)(row))
      .map(([, id]) => id);
    const others = given.filter(({ metadata }) => !ids.includes(metadata.newSecurityId));
    return at(
      "/portal/transactions",
      first(others, ({ id, metadata }) => ({ id, newSecurityId: metadata.newSecurityId })),
    );
  },
  "the other side of a transfer": ({ whole, own }) => {
    const given = whole.entries.filter((row) => isOwn(own)(row) && row.metadata?.toStakeholderId);
    const others = given.filter(({ metadata }) => !own.includes(metadata.toStakeholderId));
    return at(
      "/portal/transactions",
      first(others, ({ metadata }) => ({ to: metadata.toStakeholderId })),
    );
  },
  "what an own security came of": ({ whole, own }) => {
    const origins = whole.securities.filter(isOwn(own)).map(({ originSecurityId }) => originSecurityId);
    const others = whole.securities.filter((row) => origins.includes(row.id) && !isOwn(own)(row));
    return at(
      "/portal",
      first(others, ({ id }) => ({ originSecurityId: id })),
    );
  },
  "another's security": ({ whole, own }) =>
    at(
      "/portal",
      first(
        whole.securities.filter((row) => !isOwn(own)(row)),
        ({ id }) => ({ id }),
      ),
    ),
  "another's quantity": ({ whole, own }) => {
    const others = whole.securities.filter((row) => !isOwn(own)(row) && !ownText(whole, own).includes(row.quantity));
    return at(
      "/portal",
      first(others, ({ quantity }) => ({ quantity })),
    );
  },
  "another's certificate number": ({ whole, own }) => {
    const others = whole.securities.filter((row) => !isOwn(own)(row) && row.certificateId?.startsWith("CERT-"));
    return at(
      "/portal",
      first(others, ({ certificateId }) => ({ certificateId })),
    );
  },
  "another's name": ({ whole, own }) => {
    const others = whole.stakeholders.filter(({ id, displayName }) => !own.includes(id) && displayName !== "Ada");
    return at(
      "/portal/documents",
      first(others, ({ displayName }) => ({ title: `For ${displayName}` })),
    );
  },
  "another's holding in all": ({ whole, own }) => {
    const others = [...whole.positions].filter(([id]) => !own.includes(id)).map(([, { totals }]) => totals);
    return at(
      "/portal",
      first(
        others.filter(({ fullyDiluted }) => !ownText(whole, own).includes(fullyDiluted)),
        ({ fullyDiluted }) => ({ fullyDiluted }),
      ),
    );
  },
  "a comment": ({ whole, own }) => {
    const commented = whole.securities.filter((row) => isOwn(own)(row) && row.comments);
    return at(
      "/portal",
      first(commented, ({ comments }) => ({ note: comments })),
    );
  },
  "a comment of the holder's own record": ({ whole, own }) => {
    const commented = whole.stakeholders.filter(({ id, comments }) => own.includes(id) && comments);
    return at(
      "/portal",
      first(commented, ({ comments }) => ({ note: comments })),
    );
  },
  // A holder may have all of one class.
  "what is issued of the classes": ({ whole }) =>
    at("/portal", { issued: whole.table.shareClasses.map(({ issued }: Json) => issued) }),
  "what is authorized of a class": ({ whole }) =>
    at(
      "/portal",
      first(whole.classes, ({ currentSharesAuthorized: figure }) => ({ of: figure })),
    ),
  "a plan's pool": ({ whole }) =>
    at(
      "/portal",
      first(whole.plans, ({ currentSharesReserved: figure }) => ({ available: figure })),
    ),
  "the number of what an own security came of, on its paper": ({ whole, own }) => {
    const others = whole.securities.filter((row) => !isOwn(own)(row) && row.certificateId?.startsWith("CERT-"));
    return at(
      "/certificate.pdf",
      first(others, ({ certificateId }) => ({ words: [certificateId] })),
    );
  },
  "the whole": ({ whole }) => at("/portal", { fullyDiluted: whole.table.totals.fullyDiluted }),
  "a 409A price": ({ whole }) =>
    at(
      "/portal",
      first(whole.valuations, ({ pricePerShare }) => ({ pricePerShare })),
    ),
  "the words of vesting terms": ({ whole }) =>
    at(
      "/vesting",
      first(whole.terms, ({ name }) => ({ terms: name })),
    ),
  "what a milestone is about": ({ whole }) =>
    at(
      "/vesting",
      first(whole.milestones, ({ description }) => ({ waitsFor: description })),
    ),
  "what else a document is about": ({ whole, own }) => {
    const shared = whole.documents.flatMap(({ relatedObjects }) => relatedObjects as Json[]);
    return at(
      "/portal/documents",
      first(
        shared.filter(({ objectId }) => !own.includes(objectId)),
        (about) => ({ about }),
      ),
    );
  },
  "a document that is not shared": ({ whole }) =>
    at(
      "/portal/documents",
      first(
        whole.documents.filter((row) => !row.isSharedWithHolders),
        ({ id }) => ({ id }),
      ),
    ),
  "the folder of a document": ({ whole }) =>
    at(
      "/portal/documents",
      first(whole.documents, ({ path }) => ({ path })),
    ),
  "an entry of others": ({ whole, own }) => {
    const others = whole.entries.filter(({ stakeholderId, metadata, type }) => {
      return ![stakeholderId, metadata?.toStakeholderId].some((id) => own.includes(id)) && type !== "STOCK_SPLIT";
    });
    return at(
      "/portal/transactions",
      first(others, ({ id }) => ({ id })),
    );
  },
  "an entry that only records something": ({ whole }) =>
    at(
      "/portal/transactions",
      first(
        whole.entries.filter(({ recordOnly }) => recordOnly),
        ({ quantity }) => ({ quantity }),
      ),
    ),
  "how many entries there are": () => at("/portal/transactions", { sequence: 17 }),
  "a row's number in a cursor": () => at("/portal/transactions", { nextCursor: writeCursor("a list", 17) }),
};

/** What the portal shows, with a leak in one of its answers. */
function leaking({ shown }: Scene, [path, leaked]: readonly [string, Json]): Shown {
  const key = [...shown.keys()].find((each) => each.includes(path)) ?? path;
  return new Map([...shown, [key, { ...shown.get(key), ...leaked }]]);
}

test(`${COMPANIES} random companies: no person sees another's records, and whatever leaks is found`, async () => {
  const caught: Record<string, number> = Object.fromEntries(Object.keys(MUTANTS).map((name) => [name, 0]));
  let [looked, held] = [0, 0];
  for (let index = 0; index < COMPANIES; index++) {
    const seed = firstSeed() + index;
    const company = await makeSecretCompany(server, seed);
    const whole = await readWhole(company);
    const { org, holders } = company;
    const groups = [[holders[0] ?? ""], [holders[1] ?? "", holders[2] ?? ""], [holders.at(-1) ?? ""]];
    for (const own of groups) {
      const person = await member(server, { orgId: org.id, stakeholderIds: own, nowMs });
      const scene = {
        shown: await everythingShown(person, whole, own, index % PAPERS_EVERY === 0),
        own,
        company,
        whole,
      };
      expect({ seed, own, leaks: findLeaks(scene.shown, own, company, whole) }).toEqual({ seed, own, leaks: [] });
      looked += scene.shown.size;
      held += scene.shown.get("/portal").data.holdings.length;
      if (own.length === 1) expectOwn(scene);
      for (const [name, mutant] of Object.entries(MUTANTS)) {
        const leak = mutant(scene);
        if (leak === null) continue;
        const found = findLeaks(leaking(scene, leak), own, company, whole);
        expect({ seed, name, leak, isFound: found.length > 0 }).toEqual({ seed, name, leak, isFound: true });
        caught[name] = (caught[name] ?? 0) + 1;
      }
    }
  }
  expect(held).toBeGreaterThan(COMPANIES);
  const missed = Object.keys(caught).filter((name) => caught[name] === 0);
  // A single company has not everything that could leak.
  if (mustMeetAll(COMPANIES)) expect(missed).toEqual([]);
  const result = `no leak; ${Object.keys(MUTANTS).length} kinds of leaks found`;
  proved({ fault: "Portal", what: "answers searched", count: looked, seed: `${firstSeed()} on`, result });
});

/** What is shown is what an administrator reads of the same holder. */
function expectOwn({ shown, own, whole }: Scene): void {
  const { holdings, totals } = shown.get("/portal").data;
  const position = whole.positions.get(own[0] ?? "");
  for (const name of Object.keys(totals)) expect([name, totals[name]]).toEqual([name, position.totals[name]]);
  const all: Json[] = [...position.securities, ...position.convertibles];
  expect(holdings.map(({ securityId }: Json) => securityId).sort()).toEqual(all.map(({ id }) => id).sort());
}

test("a handler that gets another stakeholder, or of all, is found out", async () => {
  const company = await makeSecretCompany(server, firstSeed());
  const whole = await readWhole(company);
  const [own, other] = company.holders;
  const person = await member(server, { orgId: company.org.id, stakeholderIds: [own ?? "", other ?? ""], nowMs });
  const shown = await everythingShown(person, whole, [own ?? "", other ?? ""], !QUICK);
  expect(findLeaks(shown, [own ?? "", other ?? ""], company, whole)).toEqual([]);
  const leaks = findLeaks(shown, [own ?? ""], company, whole);
  for (const path of ["/portal", "/portal/transactions", "/vesting"]) {
    expect({ path, isFound: leaks.some((leak) => leak.includes(path)) }).toEqual({ path, isFound: true });
  }
});
