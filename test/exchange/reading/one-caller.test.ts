// What one caller sends to be read or imported waits for what it sent before, and is refused where it is far more; another
// organization's is taken in meanwhile.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { takeLines } from "../../../src/exchange/reading/answer-lines.ts";
import type { Problem } from "../../../src/kernel/problem.ts";
import { ServiceFileReader } from "../../../src/server/service/file-reader.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(120_000);

/** One under way and eight that wait. */
const SERVED = 9;
const TOGETHER = 12;
const PACKAGE = {
  manifest: { ocf_version: "1.2.0", issuer: { id: "issuer-1", object_type: "ISSUER", legal_name: "Acme, Inc." } },
  entityFiles: {},
};

test("small packages are read one at a time, another organization's before the caller's next", async () => {
  const under: (() => void)[] = [];
  const content = Buffer.from('{"end":{"objects":0}}\n');
  const file = { fileName: "", contentType: "", content };
  const threads = {
    async read() {
      await new Promise<void>((resolve) => void under.push(resolve));
      return { status: 200, file } as const;
    },
  };
  const files = new ServiceFileReader({ program: ["none"], threads, onEnded: () => undefined });
  const read: string[] = [];
  const ask = async (callerId: string) => {
    const request = { form: "body", gives: "findings", bounds: "served", name: "" } as const;
    const asked = { asker: { orgId: callerId, callerId }, signal: new AbortController().signal };
    await takeLines(files.read(request, [{ name: "", bytes: content }], asked), () => undefined);
    read.push(callerId);
  };
  const flood = Array.from({ length: TOGETHER }, () =>
    ask("hostile").catch(({ slug }: Problem) => void read.push(slug)),
  );
  await Bun.sleep(0);
  const other = ask("other");
  for (let settled = false; !settled; await Bun.sleep(0)) {
    expect(under.length).toBeLessThan(2);
    under.pop()?.();
    settled = read.length === TOGETHER + 1;
  }
  await Promise.all([...flood, other]);
  expect(read.slice(0, TOGETHER - SERVED)).toEqual(Array(TOGETHER - SERVED).fill("rate-limited"));
  const served = read.slice(TOGETHER - SERVED);
  expect(served.filter((each) => each === "hostile")).toHaveLength(SERVED);
  // It waits for the one under way, and for the one that had the turn when it came.
  expect(served.slice(0, 3)).toContain("other");
});

describe("in the service", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test.each(["ocf-validate", "ocf-import"])("%s by one caller twelve at a time", async (path) => {
    const orgId = await server.newOrganization();
    for (const each of [orgId, server.orgId]) await server.key("ADMIN", each);
    const send = (options = {}) => server.api("POST", `/cap-table/${path}`, PACKAGE, options);
    const flood = Array.from({ length: TOGETHER }, () => send());
    expect((await send({ orgId })).status).toBe(200);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });
});
