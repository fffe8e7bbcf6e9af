// Reports over a real socket: what they are called, what they say of the ledger, what is refused; and CSV of everything.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { canonicalJson } from "../../../src/storage/database/log/log-hash.ts";
import { SHEET_KEYS } from "../../../src/views/reports/keys.ts";
import { asking, makeWholeCompany } from "../../kit/company.ts";
import { signedIn } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { ROUTES } from "../../matrix/world.ts";
import { readXlsx } from "./read-xlsx.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await makeWholeCompany(asking(server.url, await server.key("ADMIN")));
});
afterAll(() => server.stop());

async function get(path: string, role: "VIEWER" | "ADMIN" = "VIEWER") {
  const headers = { authorization: `Bearer ${await server.key(role)}` };
  const answer = await fetch(`${server.url}/api/v1${path}`, { headers });
  return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() };
}

function recordsIn(bytes: Uint8Array): string[][] {
  return parse(Buffer.from(bytes), { bom: true, record_delimiter: "\r\n" });
}

describe("the workbook", () => {
  test("comes whole, named, with the head of the ledger", async () => {
    const { status, headers, bytes } = await get("/reports/cap-table.xlsx?asOf=2026-11-01");
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="whole-inc-cap-table-2026-11-01.xlsx"');
    expect(headers.get("content-length")).toBe(String(bytes.length));
    expect(headers.get("cache-control")).toBe("no-store");
    const [last] = (await server.api("GET", "/transactions?limit=1")).json.data;
    expect(headers.get("x-captable-head")).toBe(`${last.sequence} ${last.hash}`);
    const { sheets } = readXlsx(bytes);
    expect(sheets).toHaveLength(SHEET_KEYS.length + 1);
    expect(sheets[0]?.cells.get("A2")?.value).toContain(`Ledger entry ${last.sequence}, recorded ${last.createdAt}`);
  });

  test("has the sheets that are asked for, and its notes", async () => {
    const { sheets } = readXlsx((await get("/reports/cap-table.xlsx?sheets=pool,summary")).bytes);
    expect(sheets.map(({ name }) => name)).toEqual(["Summary", "Pool", "Notes"]);
  });

  test.each([
    ["summary,notes", ["Summary", "Notes"]],
    ["notes,pool", ["Pool", "Notes"]],
    ["notes", ["Notes"]],
  ])("can be asked for its notes by their key: %s", async (keys, names) => {
    const { status, bytes } = await get(`/reports/cap-table.xlsx?sheets=${keys}`);
    expect(status).toBe(200);
    const { sheets } = readXlsx(bytes);
    expect(sheets.map(({ name }) => name)).toEqual(names);
    expect(sheets.at(-1)?.cells.get("A4")?.value).toBe("Note");
  });

  test("refuses what it does not know", async () => {
    for (const [query, parameter] of [
      ["sheets=summary,other", "sheets"],
      ["sheets=summary,summary", "sheets"],
      ["sheets=notes,notes", "sheets"],
      ["basis=ALL", "basis"],
      ["asOf=2026-02-30", "asOf"],
      ["knownAt=yesterday", "knownAt"],
      ["bom=true", "bom"],
      ["asOf=2026-01-01&asOf=2026-01-02", "asOf"],
    ]) {
      const { status, bytes } = await get(`/reports/cap-table.xlsx?${query}`);
      expect(status).toBe(422);
      expect(JSON.parse(Buffer.from(bytes).toString()).errors[0].parameter).toBe(parameter);
    }
    for (const path of ["/reports/other.csv", "/reports/cap-table.ods", "/reports/notes.csv"]) {
      expect((await get(path)).status).toBe(404);
    }
    expect((await get("/audit-log.csv")).status).toBe(403);
  });
});

/** A person's answer to a report, with its bytes. */
async function getAs(person: Awaited<ReturnType<typeof signedIn>>, path: string) {
  const headers = { cookie: `${person.cookieName}=${person.token}`, "captable-organization": server.orgId };
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    headers: { "sec-fetch-site": "same-origin", ...headers },
  });
  return { status: answer.status, bytes: await answer.bytes() };
}

describe("people", () => {
  test("get with their session the bytes that a key gets", async () => {
    const [viewer, holder] = [
      await signedIn(server, { role: "VIEWER" }),
      await signedIn(server, { role: "STAKEHOLDER", stakeholderIds: [] }),
    ];
    const [{ id }] = (await server.api("GET", "/securities?type=STOCK&limit=1")).json.items;
    const day = "?asOf=2026-11-01";
    for (const path of [
      `/reports/cap-table.xlsx${day}`,
      `/securities/${id}/certificate.pdf${day}`,
      "/stakeholders.csv",
    ]) {
      const own = await getAs(viewer, path);
      expect({ path, status: own.status }).toEqual({ path, status: 200 });
      expect(Buffer.compare(own.bytes, (await get(path)).bytes)).toBe(0);
      expect({ path, status: (await getAs(holder, path)).status }).toEqual({ path, status: 403 });
    }
    expect((await getAs(viewer, "/audit-log.csv")).status).toBe(403);
    expect((await getAs(await signedIn(server), "/audit-log.csv")).status).toBe(200);
  });
});

describe("CSV", () => {
  test("of each sheet has its headers and rows", async () => {
    const { sheets } = readXlsx((await get("/reports/cap-table.xlsx")).bytes);
    for (const [at, key] of SHEET_KEYS.entries()) {
      const { status, headers, bytes } = await get(`/reports/${key}.csv`);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
      const [header = [], ...rows] = recordsIn(bytes);
      const cells = sheets[at]?.cells;
      expect(header.map((text) => text)).toEqual(
        header.map((_, column) => cells?.get(`${letter(column)}4`)?.value ?? ""),
      );
      const [text = ""] = rows.map((row) => row[0]);
      if (key !== "transactions") expect(text).toBe(cells?.get("A5")?.value ?? "");
    }
  });

  test("begins with its mark and guards text, unless it is told not to", async () => {
    await server.api("POST", "/stakeholders", {
      displayName: "=1+1",
      name: { legalName: "@risk" },
      type: "INDIVIDUAL",
    });
    const guarded = Buffer.from((await get("/stakeholders.csv")).bytes).toString();
    expect(guarded.startsWith("\uFEFFid,orgId,displayName,name.legalName")).toBe(true);
    expect(guarded).toContain(",'=1+1,'@risk,");
    const plain = Buffer.from((await get("/stakeholders.csv?bom=false&guard=false")).bytes).toString();
    expect(plain.startsWith("id,")).toBe(true);
    expect(plain).toContain(",=1+1,@risk,");
    expect(guarded.endsWith("\r\n")).toBe(true);
  });

  test("of a list has all records of its pages, and takes its filters alone", async () => {
    const pages = [];
    for (let cursor = ""; ; ) {
      const { json } = await server.api("GET", `/securities?limit=2${cursor}`);
      pages.push(...(json.items ?? json.data));
      if (json.nextCursor === null) break;
      cursor = `&cursor=${json.nextCursor}`;
    }
    const [header = [], ...rows] = recordsIn((await get("/securities.csv?guard=false")).bytes);
    expect(rows).toHaveLength(pages.length);
    for (const [at, row] of rows.entries()) {
      for (const name of ["id", "certificateId", "quantity", "status", "pricePerShare"]) {
        expect(row[header.indexOf(name)]).toBe(pages[at][name] ?? "");
      }
    }
    const [, ...stock] = recordsIn((await get("/securities.csv?type=STOCK")).bytes);
    expect(stock.length).toBe(pages.filter(({ type }) => type === "STOCK").length);
    expect((await get("/securities.csv?limit=2")).status).toBe(422);
    expect((await get("/audit-log.csv", "ADMIN")).status).toBe(200);
  });

  test("of every route is parted and has its decimals as it is asked for, and says the same", async () => {
    const routes = ROUTES.filter(({ path }) => path.endsWith(".csv") && !path.includes(":id"));
    const paths = routes.flatMap(({ path }) => {
      const short = path.replace("/api/v1", "");
      return short.includes(":report") ? SHEET_KEYS.map((key) => short.replace(":report", key)) : [short];
    });
    expect(paths.length).toBeGreaterThan(20);
    let decimals = 0;
    for (const path of paths) {
      const [plain, other] = await Promise.all(
        ["", "&separator=SEMICOLON&decimal=COMMA"].map(
          async (query) => (await get(`${path}?bom=false${query}`, "ADMIN")).bytes,
        ),
      );
      const read = (bytes: Uint8Array | undefined, delimiter: string) =>
        parse(Buffer.from(bytes ?? []), { delimiter, relax_column_count: false }) as string[][];
      const [points, commas] = [read(plain, ","), read(other, ";")];
      expect(commas.length).toBe(points.length);
      for (const [at, record] of points.entries()) {
        for (const [column, field] of record.entries()) {
          const there = commas[at]?.[column];
          if (there === field) continue;
          expect(there).toBe(field.replace(".", ","));
          expect(field).toMatch(/^-?\d+\.\d+$/);
          decimals++;
        }
      }
    }
    expect(decimals).toBeGreaterThan(10);
    expect((await get("/stakeholders.csv?separator=PIPE", "ADMIN")).status).toBe(422);
  });

  test("of the ledger suffices to recompute its chain", async () => {
    const { bytes } = await get("/transactions.csv?guard=false&bom=false");
    const [header = [], ...rows] = recordsIn(bytes);
    let previousHash = "0".repeat(64);
    for (const row of rows.toReversed()) {
      const of = (name: string) => row[header.indexOf(name)] || null;
      const metadata = of("metadata");
      const members = {
        id: of("id"),
        orgId: server.orgId,
        sequence: Number(of("sequence")),
        type: of("type"),
        securityId: of("securityId"),
        stakeholderId: of("stakeholderId"),
        quantity: of("quantity"),
        effectiveDate: of("effectiveDate"),
        metadata: metadata === null ? null : JSON.parse(metadata),
        recordOnly: of("recordOnly") === "true",
        createdAt: of("createdAt"),
        previousHash,
      };
      const hash = new Bun.CryptoHasher("sha256").update(canonicalJson(members)).digest("hex");
      expect(hash).toBe(of("hash") ?? "");
      previousHash = hash;
    }
    expect(rows.length).toBeGreaterThan(10);
  });
});

function letter(column: number): string {
  const rest = String.fromCharCode(65 + (column % 26));
  return column < 26 ? rest : letter(Math.floor(column / 26) - 1) + rest;
}
