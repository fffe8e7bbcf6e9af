// docs/integrate.md, acceptances: its calls, as they are typed.
import { expect, setDefaultTimeout, test } from "bun:test";
import { ACCEPTANCE_STATUSES } from "../../src/resources/securities/schema.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

const guide = await Bun.file("docs/integrate.md").text();
const section = guide.split(/^## /m).find((each) => each.startsWith("Acceptances")) ?? "";

test("its calls are answered in their order, and its words are those of the API", async () => {
  const server = await startTestServer();
  try {
    const shell = section.split("```")[1] ?? "";
    const calls = shell
      .replaceAll("\\\n", " ")
      .split("\n")
      .filter((line) => line.startsWith("curl"));
    expect(calls).toHaveLength(4);
    let security = "";
    for (const [at, call] of calls.entries()) {
      const method = /-X (\w+)/.exec(call)?.[1] ?? "GET";
      const path = /"\$CAPTABLE_SERVER\/api\/v1([^"]*)"/.exec(call)?.[1] ?? "";
      const given = /-d '([^']*)'/.exec(call)?.[1];
      const role = call.includes("$CAPTABLE_ADMIN_KEY") ? "ADMIN" : "EDITOR";
      const body = given === undefined ? undefined : JSON.parse(given);
      const answer = await server.api(method, path.replace("$SECURITY", security), body, { role });
      expect({ call, status: answer.status, text: answer.status < 300 ? "" : answer.text }).toEqual({
        ...{ call, status: at === 3 ? 201 : 200, text: "" },
      });
      if (at > 0) continue;
      const issue = { stakeholderId: await makeStakeholder(server), stockClassId: await makeShareClass(server) };
      const dated = { quantity: "10", certificateId: "CS-1", effectiveDate: "2026-01-15" };
      security = (await server.api("POST", "/transactions/issue-shares", { ...issue, ...dated })).json.data.securityId;
    }
    const { json } = await server.api("GET", `/securities/${security}`);
    expect(json).toMatchObject({ acceptanceStatus: "ACCEPTED", acceptedAt: "2026-02-03T00:00:00.000Z" });
    const words = /`acceptanceStatus` \(([^)]*)\)/.exec(section)?.[1] ?? "";
    expect([...words.matchAll(/`(\w+)`/g)].map(([, word]) => word)).toEqual([...ACCEPTANCE_STATUSES]);
  } finally {
    await server.stop();
  }
});
