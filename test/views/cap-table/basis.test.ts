// What is kept of a ledger, and which changes of records leave it as it is.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Basis } from "../../../src/views/cap-table/basis.ts";
import { Asking, TODAY } from "../portal/acceptance-kit.ts";

setDefaultTimeout(60_000);

let asking: Asking;
beforeAll(async () => {
  asking = await Asking.start();
});
afterAll(() => asking.server.stop());

test("an acceptance and a webhook endpoint leave what is folded, and another start of vesting does not", async () => {
  const { org, ada, planId } = await asking.company();
  const id = await org.option(ada, planId);
  const { reader } = asking.server.app;
  const held = async (change: () => Promise<unknown>) => {
    const basis = new Basis(org.id);
    basis.move(reader);
    await change();
    return basis.holds(reader);
  };
  const paper = () => org.made(`/securities/${id}/acceptances`, { acceptedOn: TODAY });
  const endpoint = () => org.made("/webhook-endpoints", { url: "https://hooks.example.com/x" });
  const restart = () => org.made(`/securities/${id}`, { vestingStartDate: "2024-02-01" }, "PATCH");
  expect([await held(paper), await held(endpoint), await held(restart)]).toEqual([true, true, false]);
});
