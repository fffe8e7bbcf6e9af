// docs/integrate.md, dates and calendars: its calls, as they are typed, and its kinds.
import { expect, setDefaultTimeout, test } from "bun:test";
import { DATE_KINDS } from "../../src/views/dates/kinds.ts";
import { startTestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

const guide = await Bun.file("docs/integrate.md").text();
const section = guide.split(/^## /m).find((each) => each.startsWith("Dates and calendars")) ?? "";

test("its calls are answered, and its table has every kind", async () => {
  const server = await startTestServer();
  try {
    const calls = [...section.matchAll(/^curl .*"\$CAPTABLE_SERVER\/api\/v1(\/[^"]*)"$/gm)].map(
      ([, path = ""]) => path,
    );
    expect(calls).toHaveLength(2);
    for (const path of calls) {
      const { status, json } = await server.api("GET", path, undefined, { role: "VIEWER" });
      expect([path, status, json.data]).toEqual([path, 200, { items: [], isCut: false }]);
    }
    const rows = [...section.matchAll(/^\| (`.*?) \| /gm)].map(([, kinds = ""]) => kinds);
    const named = [...rows.join().matchAll(/`([^`]+)`/g)].map(([, kind = ""]) => kind);
    expect(named.sort()).toEqual([...DATE_KINDS].sort());
  } finally {
    await server.stop();
  }
});
