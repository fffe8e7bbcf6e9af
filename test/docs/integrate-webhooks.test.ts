// docs/integrate.md, webhooks: its call, as it is typed, and what it says of types and waits.
import { expect, setDefaultTimeout, test } from "bun:test";
import { waitAfter } from "../../src/exchange/webhooks/delivery-waits.ts";
import { isTypeName } from "../../src/resources/events/event-types.ts";
import { startTestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

const guide = await Bun.file("docs/integrate.md").text();
const section = guide.split(/^## /m).find((each) => each.startsWith("Webhooks")) ?? "";

test("its call makes an endpoint, whose members and routes are those that it names", async () => {
  const server = await startTestServer();
  try {
    const [, path = "", body = ""] = /^curl .*"\$CAPTABLE_SERVER\/api\/v1(\/[^"]*)" -d '(.*)'$/m.exec(section) ?? [];
    const { status, json } = await server.api("POST", path, body, { headers: { "content-type": "application/json" } });
    expect([status, json.secret.slice(0, 6)]).toEqual([201, "whsec_"]);
    for (const member of ["pendingEvents", "failingSince", "nextAttemptAt", "lastError"]) {
      expect([member, section.includes(`\`${member}\``), member in json]).toEqual([member, true, true]);
    }
    const one = `${path}/${json.id}`;
    const ask = async (verb: string, given?: object) => (await server.api("POST", `${one}/${verb}`, given)).status;
    expect([await ask("seek", { latest: true }), await ask("rotate-secret"), await ask("test")]).toEqual([
      200, 200, 201,
    ]);
    expect((await server.api("PATCH", one, { status: "ENABLED" })).status).toBe(200);
    await server.api("DELETE", one);
  } finally {
    await server.stop();
  }
});

test("its types are types, and its waits are those that are kept", () => {
  const [, named = ""] = /the types that it gets \(([^)]*)\)/.exec(section) ?? [];
  const types = [...named.matchAll(/`([^`]+)`/g)].map(([, type = ""]) => type);
  expect([types.length, types.every(isTypeName)]).toEqual([3, true]);
  const seconds = [1, 2, 3, 4, 5, 6].map((failures) => waitAfter(failures, 0.5) / 1000);
  expect(section).toContain("5 s, 30 s, 2, 10 and 30 minutes, then hourly");
  expect(seconds).toEqual([5, 30, 120, 600, 1800, 3600]);
});
