// Two people at one record, in real browsers: nothing that one typed is overwritten unseen or saved over the other's
// change, and nothing is sent by itself. Guided actions whose ledger moves, and approvals that change while one decides.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import { signIn, type Visitor, visit } from "../kit/pages.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

let server: TestServer;
let browser: Browser;

const STREAM = "/api/v1/events/stream";
const LOOK_EVERY_MS = 20;
/** A browser that has as many streams as it may: the page hears of nothing for half a minute. */
const DEAF = `for (const number of [1, 2, 3]) {
  navigator.locks.request("captable-live-" + number, () => new Promise(() => undefined));
}`;

/** What a test has: an organization of its own, and a visitor there. */
interface Scene {
  readonly visitor: Visitor;
  readonly page: Page;
  readonly orgId: string;
  readonly ask: Ask;
  /** Opens a page; it hears of changes where it is not deaf. */
  open(path: string): Promise<void>;
  /** Changes that the page sent, by method. */
  readonly sent: string[];
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage((stage) => {
    ({ server, browser } = stage);
  });

  async function scene(does: (scene: Scene) => Promise<void>, { isDeaf = false } = {}): Promise<void> {
    const orgId = await server.newOrganization("Acme, Inc.");
    const ask = asking(server.url, await server.key("ADMIN", orgId));
    const visitor = await visit(browser, server);
    const { page, context } = visitor;
    if (isDeaf) await context.addInitScript(DEAF);
    await signIn(visitor, server, { orgId, name: "Paula Paralegal" });
    const sent: string[] = [];
    page.on("request", (request) => {
      // What is recorded has a key, so that it is recorded once.
      const isDry = request.url().includes("/transactions/") && !("idempotency-key" in request.headers());
      if (request.method() !== "GET" && !isDry) sent.push(request.method());
    });
    const open = async (path: string) => {
      // What was recorded before the page is opened is no news to it.
      const writtenMs = Date.now();
      while (Date.parse((await fetch(`${server.url}/healthz`)).headers.get("date") ?? "") <= writtenMs)
        await Bun.sleep(LOOK_EVERY_MS);
      const isFollowed = isDeaf
        ? page.waitForResponse((response) => response.url().includes("/api/v1/events?"))
        : page.waitForResponse((response) => response.url().endsWith(STREAM) && response.ok());
      await visitor.go(`/o/${orgId}${path}`);
      await isFollowed;
      await visitor.settled();
    };
    await does({ visitor, page, orgId, ask, open, sent });
    // What is refused is refused by an answer, of which browsers complain.
    const others = visitor.complaints.splice(0).filter((each) => !/status of 4(04|09|12|22)/.test(each));
    visitor.complaints.push(...others);
    await visitor.leave();
  }

  const holder = (ask: Ask, more: object = {}) =>
    ask("POST", "/stakeholders", {
      ...{ displayName: "Ada Lovelace", name: { legalName: "Ada Lovelace" }, type: "INDIVIDUAL" },
      ...more,
    });
  const press = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true }).click();
  const holds = async (field: Locator, value: string) => {
    while ((await field.inputValue()) !== value) await Bun.sleep(LOOK_EVERY_MS);
  };

  test("what another changes is shown where nothing was typed, kept where only one typed, and chosen where both did", async () => {
    await scene(async ({ page, ask, open, sent }) => {
      const { id } = await holder(ask);
      await open(`/edit/stakeholder/${id}`);
      const [name, email, note] = [
        page.getByLabel("Name", { exact: true }),
        page.getByRole("textbox", { name: "E-mail" }),
        page.getByLabel("Note"),
      ];
      await email.fill("ada@mine.example");
      await note.fill("Typed he");
      await note.focus();
      await ask("PATCH", `/stakeholders/${id}`, { displayName: "Ada King" });
      await page.getByText("Changed by another person: Name", { exact: true }).waitFor();
      await holds(name, "Ada King");
      expect(await email.inputValue()).toBe("ada@mine.example");
      // The field in which one types keeps its focus, and what is typed next.
      await page.keyboard.press("End");
      await page.keyboard.type("re");
      expect(await note.inputValue()).toBe("Typed here");

      await ask("PATCH", `/stakeholders/${id}`, { email: "ada@theirs.example" });
      await page.getByText("Changed by another person: Name, E-mail", { exact: true }).waitFor();
      const choice = page.getByRole("radiogroup", { name: "Which E-mail" });
      await choice.getByRole("radio", { name: "Yours ada@mine.example" }).waitFor();
      expect(await email.inputValue()).toBe("ada@mine.example");
      await press(page, "Save changes");
      await page.getByText("Choose yours or theirs.").waitFor();
      expect(sent).toEqual([]);
      await choice.getByRole("radio", { name: "Theirs ada@theirs.example" }).check();
      await holds(email, "ada@theirs.example");
      await choice.getByRole("radio", { name: "Yours ada@mine.example" }).check();
      await holds(email, "ada@mine.example");
      await press(page, "Save changes");
      await page.getByText("Changes saved.").waitFor();
      expect(sent).toEqual(["PATCH"]);
      expect(await ask("GET", `/stakeholders/${id}`)).toMatchObject({
        ...{ displayName: "Ada King", email: "ada@mine.example", comments: "Typed here" },
      });
    });
  });

  test("a change that was not heard of holds the save back: it is sent when it is pressed once more, and not before", async () => {
    await scene(
      async ({ visitor, page, ask, open, sent }) => {
        const { id } = await holder(ask, { email: "first@example.com" });
        await open(`/edit/stakeholder/${id}`);
        await page.getByRole("textbox", { name: "E-mail" }).fill("ada@mine.example");
        await ask("PATCH", `/stakeholders/${id}`, { displayName: "Ada King", email: "ada@theirs.example" });
        await press(page, "Save changes");
        await page.getByText("Changed by another person: Name, E-mail", { exact: true }).waitFor();
        await page.getByText("Nothing of yours was saved.").waitFor();
        await visitor.settled();
        expect(sent).toEqual(["PATCH"]);
        expect(await ask("GET", `/stakeholders/${id}`)).toMatchObject({ email: "ada@theirs.example" });
        await press(page, "Save changes");
        await page.getByText("Choose yours or theirs.").waitFor();
        expect(sent).toEqual(["PATCH"]);
        await page.getByRole("radio", { name: /^Yours/ }).check();
        await press(page, "Save changes");
        await page.getByText("Changes saved.").waitFor();
        expect(sent).toEqual(["PATCH", "PATCH"]);
        expect(await ask("GET", `/stakeholders/${id}`)).toMatchObject({
          ...{ displayName: "Ada King", email: "ada@mine.example" },
        });
      },
      { isDeaf: true },
    );
  });

  test("members that both changed to the same are no conflict, and there is nothing left to save", async () => {
    await scene(
      async ({ page, ask, open, sent }) => {
        const { id } = await holder(ask);
        await open(`/edit/stakeholder/${id}`);
        await page.getByRole("textbox", { name: "E-mail" }).fill("ada@example.com");
        await ask("PATCH", `/stakeholders/${id}`, { email: "ada@example.com" });
        await press(page, "Save changes");
        await page.getByText("It already holds what you typed, so there is nothing left to save.").waitFor();
        expect(await page.getByRole("radiogroup").count()).toBe(0);
        await press(page, "Save changes");
        await page.getByText("No changes to save.").waitFor();
        expect(sent).toEqual(["PATCH"]);
      },
      { isDeaf: true },
    );
  });

  test("without a tag the other's change would be lost: what the form sends is refused, where a plain change is not", async () => {
    await scene(
      async ({ page, ask, open }) => {
        const { id } = await holder(ask, { comments: "First" });
        await open(`/edit/stakeholder/${id}`);
        await page.route("**/stakeholders/*", (route) => {
          const { "if-match": _tag, ...headers } = route.request().headers();
          return route.continue({ headers });
        });
        await page.getByLabel("Note").fill("Mine");
        await ask("PATCH", `/stakeholders/${id}`, { comments: "Theirs" });
        await press(page, "Save changes");
        await page.getByText("Changes saved.").waitFor();
        expect(await ask("GET", `/stakeholders/${id}`)).toMatchObject({ comments: "Mine" });
        await page.unrouteAll({ behavior: "wait" });
      },
      { isDeaf: true },
    );
  });

  test("a proxy that compresses may make tags weak, or add to them", async () => {
    for (const mark of [(tag: string) => `W/${tag}`, (tag: string) => tag.replace(/"$/, '-gzip"')]) {
      await scene(async ({ page, ask, open, sent }) => {
        const { id } = await holder(ask);
        await page.route("**/api/v1/stakeholders/*", async (route) => {
          if (route.request().method() !== "GET") return route.continue();
          const response = await route.fetch();
          await route.fulfill({
            response,
            headers: { ...response.headers(), etag: mark(response.headers().etag ?? "") },
          });
        });
        await open(`/edit/stakeholder/${id}`);
        await page.getByLabel("Note").fill("Typed");
        await press(page, "Save changes");
        await page.getByText("Changes saved.").waitFor();
        expect(sent).toEqual(["PATCH"]);
        expect(await ask("GET", `/stakeholders/${id}`)).toMatchObject({ comments: "Typed" });
        await page.unrouteAll({ behavior: "wait" });
      });
    }
  });

  for (const isDeaf of [false, true]) {
    test(`a record that is deleted ${isDeaf ? "unheard" : "meanwhile"} is said to be, and what was typed stays`, async () => {
      await scene(
        async ({ page, ask, open }) => {
          const { id } = await holder(ask);
          await open(`/edit/stakeholder/${id}`);
          await page.getByLabel("Note").fill("Half a page of notes");
          await ask("DELETE", `/stakeholders/${id}`);
          if (isDeaf) await press(page, "Save changes");
          await page.getByText("It was deleted", { exact: true }).waitFor();
          expect(await page.getByLabel("Note").inputValue()).toBe("Half a page of notes");
          expect(await page.getByRole("button", { name: "Save changes" }).count()).toBe(0);
        },
        { isDeaf },
      );
    });
  }

  test("the page of a record that is deleted says so, without asking for it again", async () => {
    await scene(async ({ visitor, page, ask, open }) => {
      const { id } = await holder(ask);
      await open(`/stakeholders/${id}`);
      await ask("DELETE", `/stakeholders/${id}`);
      await page.getByText("This stakeholder was deleted").waitFor();
      expect(visitor.complaints).toEqual([]);
    });
  });

  test("each card of the company goes on after it saved, and after another card or person did", async () => {
    for (const isDeaf of [false, true]) {
      await scene(
        async ({ page, ask, open, sent }) => {
          await open("/settings");
          const company = page.getByRole("form", { name: "The company" });
          const portal = page.getByRole("form", { name: "What holders see" });
          await company.getByLabel("Legal name").fill("  Acme Robotics, Inc. ");
          await press(company, "Save company");
          await page.getByText("Company saved").last().waitFor();
          await holds(company.getByLabel("Legal name"), "Acme Robotics, Inc.");
          await portal.getByLabel("Contact for holders").fill("Olive, 555 0100");
          await press(portal, "Save what holders see");
          await page.getByText("Holder settings saved").waitFor();
          await company.getByLabel("Legal name").fill("Acme Robots, Inc.");
          await press(company, "Save company");
          await page.getByText("Company saved").last().waitFor();
          expect(await page.getByText("Changed by another person").count()).toBe(0);
          expect(sent).toEqual(["PATCH", "PATCH", "PATCH"]);
          expect(await ask("GET", "/organization")).toMatchObject({
            ...{ legalName: "Acme Robots, Inc.", portalContact: "Olive, 555 0100" },
          });
        },
        { isDeaf },
      );
    }
  });

  describe("a guided action", () => {
    /** A class with a limit, two holders, and an option of the second that may be exercised. */
    async function ledger(ask: Ask) {
      const { id: classId } = await ask("POST", "/share-classes", {
        ...{ name: "Common", classType: "COMMON", defaultIdPrefix: "CS-" },
        ...{ initialSharesAuthorized: "10000", votesPerShare: "1", seniority: 1 },
      });
      const { id: ada } = await holder(ask);
      const { id: bo } = await holder(ask, { displayName: "Bo Engineer", name: { legalName: "Bo Engineer" } });
      let number = 0;
      const issue = (stakeholderId: string, quantity: string) =>
        ask("POST", "/transactions/issue-shares", {
          ...{ stakeholderId, stockClassId: classId, quantity, certificateId: `X-${++number}` },
          effectiveDate: "2020-01-01",
        });
      await issue(ada, "1000");
      return { classId, ada, bo, issue };
    }
    const checked = (page: Page) => page.getByText("Checked", { exact: true }).waitFor();
    const marked = (page: Page) => page.getByRole("row").filter({ hasText: "changed since" });
    const count = async (ask: Ask) => (await ask("GET", "/transactions")).data.length;

    async function filled(page: Page, open: Scene["open"], { ada, classId }: { ada: string; classId: string }) {
      await open(`/record/issue-shares?stakeholderId=${ada}&stockClassId=${classId}&quantity=500`);
      await checked(page);
      await page
        .getByRole("row", { name: /^Common issued/ })
        .getByText("1,500")
        .waitFor();
    }

    test("runs its dry run again as others record, and marks what differs until a user changes the form", async () => {
      await scene(async ({ page, ask, open }) => {
        const given = await ledger(ask);
        await filled(page, open, given);
        expect(await marked(page).count()).toBe(0);
        await given.issue(given.bo, "700");
        await page
          .getByRole("row", { name: /^Common issued/ })
          .getByText("2,200")
          .waitFor();
        await page.getByText("The ledger changed while this form was open").waitFor();
        await checked(page);
        expect(await marked(page).filter({ hasText: "Common issued" }).count()).toBe(1);
        expect(await marked(page).filter({ hasText: "Fully diluted" }).getByText("2,200").count()).toBe(1);
        await page.getByLabel("Number of shares").fill("600");
        await page
          .getByRole("row", { name: /^Common issued/ })
          .getByText("2,300")
          .waitFor();
        await checked(page);
        expect(await marked(page).count()).toBe(0);
        await press(page, "Record issuance");
        await page.getByText("Recorded as entry 3.").waitFor();
      });
    });

    test("records nothing while it checks again, nor where that differs, until it is pressed once more", async () => {
      await scene(async ({ page, ask, open, sent }) => {
        const given = await ledger(ask);
        await filled(page, open, given);
        const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
        const isAsked = Promise.withResolvers<void>();
        await page.route("**/transactions/issue-shares", async (route) => {
          if (!("idempotency-key" in route.request().headers())) {
            isAsked.resolve();
            await isLetGo;
          }
          await route.continue();
        });
        await given.issue(given.bo, "700");
        await isAsked.promise;
        await press(page, "Record issuance");
        await page.getByRole("button", { name: "Record issuance" }).and(page.locator("[aria-busy=true]")).waitFor();
        letGo();
        await page.getByText("Nothing was recorded yet.").waitFor();
        expect(sent).toEqual([]);
        expect(await count(ask)).toBe(2);
        await press(page, "Record issuance");
        await page.getByText("Recorded as entry 3.").waitFor();
        expect(sent).toEqual(["POST"]);
        await page.unrouteAll({ behavior: "wait" });
      });
    });

    test("leads to what is marked before it records, also where that is below what is seen", async () => {
      await scene(async ({ visitor, page, ask, open, sent }) => {
        const given = await ledger(ask);
        await filled(page, open, given);
        await visitor.show({ width: 390, height: 844 });
        await given.issue(given.bo, "700");
        await page.getByText("The ledger changed while this form was open").waitFor();
        await checked(page);
        await page.getByRole("combobox", { name: "Holder" }).scrollIntoViewIfNeeded();
        await press(page, "Record issuance");
        const words = page.getByText("Nothing was recorded yet.");
        await words.waitFor();
        const top = (await words.boundingBox())?.y ?? -1;
        expect([top > 0, top < 844, sent]).toEqual([true, true, []]);
        await press(page, "Record issuance");
        await page.getByText("Recorded as entry 3.").waitFor();
        expect(sent).toEqual(["POST"]);
      });
    });

    test("that waits for a check which finds the same records at once", async () => {
      await scene(async ({ page, ask, open, sent }) => {
        const given = await ledger(ask);
        await filled(page, open, given);
        const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
        const isAsked = Promise.withResolvers<void>();
        await page.route("**/transactions/issue-shares", async (route) => {
          if (!("idempotency-key" in route.request().headers())) {
            isAsked.resolve();
            await isLetGo;
          }
          await route.continue();
        });
        // An entry that changes no figure of the form.
        await ask("POST", "/transactions/issue-convertible", {
          ...{ stakeholderId: given.bo, quantity: "5000", certificateId: "CN-1", effectiveDate: "2020-01-01" },
          convertibleTerms: { convertibleType: "SAFE", valuationCap: "1000000" },
        });
        await isAsked.promise;
        await press(page, "Record issuance");
        letGo();
        await page.getByText("Recorded as entry 3.").waitFor();
        expect(sent).toEqual(["POST"]);
        await page.unrouteAll({ behavior: "wait" });
      });
    });

    test("of a page that hears of nothing looks before it records", async () => {
      await scene(
        async ({ page, ask, open, sent }) => {
          const given = await ledger(ask);
          await filled(page, open, given);
          await given.issue(given.bo, "700");
          await press(page, "Record issuance");
          await page.getByText("Nothing was recorded yet.").waitFor();
          expect(await marked(page).filter({ hasText: "Fully diluted" }).getByText("2,200").count()).toBe(1);
          expect(sent).toEqual([]);
          await press(page, "Record issuance");
          await page.getByText("Recorded as entry 3.").waitFor();
        },
        { isDeaf: true },
      );
    });

    test("that others have made impossible says so, and records nothing", async () => {
      await scene(async ({ page, ask, open, sent }) => {
        const given = await ledger(ask);
        await filled(page, open, given);
        await given.issue(given.bo, "9000");
        await page.getByText("This cannot be recorded").waitFor();
        expect(sent).toEqual([]);
      });
    });
  });

  describe("an approval", () => {
    const submitted = async (ask: Ask) => {
      const { data } = await ask("POST", "/approvals", {
        ...{ title: "Grants of May", entityType: "Option Grant", steps: [{ name: "Chair" }, { name: "Counsel" }] },
      });
      await ask("POST", `/approvals/${data.id}/submit`);
      return data;
    };
    const stateOf = async (ask: Ask, id: string) => (await ask("GET", `/approvals/${id}`)).data.state;

    test("that changes while one decides says what changed; an unheard change refuses the decision", async () => {
      for (const isDeaf of [false, true]) {
        await scene(
          async ({ page, ask, open, sent }) => {
            const { id } = await submitted(ask);
            await open(`/approvals/${id}`);
            await press(page, "Decide: Chair");
            const dialog = page.getByRole("dialog", { name: "Decide: Chair" });
            await dialog.getByLabel("Comment").fill("As resolved");
            await ask("POST", `/approvals/${id}/steps`, { name: "Auditor" });
            if (!isDeaf) await dialog.getByText("Changed by another person: Steps").waitFor();
            await press(dialog, "Approve");
            if (isDeaf) {
              await dialog.getByText("Another person changed this a moment ago, so nothing was done.").waitFor();
              await dialog.getByText("Changed by another person: Steps").waitFor();
              expect((await ask("GET", `/approvals/${id}`)).data.steps[0].status).toBe("PENDING");
              expect(await dialog.getByLabel("Comment").inputValue()).toBe("As resolved");
              await press(dialog, "Approve");
            }
            await page.getByText("Chair: approved").waitFor();
            expect(sent).toEqual(isDeaf ? ["PATCH", "PATCH"] : ["PATCH"]);
          },
          { isDeaf },
        );
      }
    });

    test("is rejected, submitted and locked as it was looked at", async () => {
      await scene(
        async ({ page, ask, open, orgId }) => {
          const { data: draft } = await ask("POST", "/approvals", {
            title: "Draft",
            entityType: "Other",
            steps: [{ name: "Chair" }],
          });
          await open(`/approvals/${draft.id}`);
          await ask("PATCH", `/approvals/${draft.id}`, { notes: "Other terms" });
          await press(page, "Submit");
          await page.getByText("Another person changed this a moment ago").waitFor();
          expect(await stateOf(ask, draft.id)).toBe("Draft");
          await page.getByText("Other terms").waitFor();
          await press(page, "Submit");
          await page.getByText("Approval submitted").waitFor();

          await press(page, "Decide: Chair");
          const dialog = page.getByRole("dialog", { name: "Decide: Chair" });
          await ask("POST", `/approvals/${draft.id}/steps`, { name: "Auditor" });
          await press(dialog, "Reject");
          await dialog.getByRole("alert").getByRole("button", { name: "Reject" }).click();
          await dialog.getByText("Another person changed this a moment ago").waitFor();
          expect(await stateOf(ask, draft.id)).toBe("Submitted");

          for (const { id } of (await ask("GET", `/approvals/${draft.id}`)).data.steps) {
            await ask("PATCH", `/approvals/${draft.id}/steps/${id}`, { status: "APPROVED" });
          }
          await open(`/approvals/${draft.id}`);
          const { headers } = await server.api("GET", `/approvals/${draft.id}`, undefined, { orgId });
          const isLocking = page.waitForRequest((request) => request.url().endsWith("/lock"));
          await press(page, "Lock");
          await page.getByRole("alert").getByRole("button", { name: "Lock" }).click();
          expect((await isLocking).headers()["if-match"]).toBe(headers.get("etag") ?? "");
          await page.getByText("Approval locked").waitFor();
        },
        { isDeaf: true },
      );
    });

    test("that another submits while its draft is edited keeps what was typed", async () => {
      await scene(async ({ page, ask, open }) => {
        const { data } = await ask("POST", "/approvals", {
          title: "Draft",
          entityType: "Other",
          steps: [{ name: "Chair" }],
        });
        await open(`/approvals/${data.id}`);
        await press(page, "Edit");
        const dialog = page.getByRole("dialog", { name: "Edit draft" });
        await dialog.getByLabel("Notes").fill("Half a page");
        await ask("POST", `/approvals/${data.id}/submit`);
        await page.getByText("Submitted", { exact: true }).first().waitFor();
        expect(await dialog.getByLabel("Notes").inputValue()).toBe("Half a page");
      });
    });
  });

  test("vesting terms are compared by condition lists, and by their other members", async () => {
    await scene(async ({ page, ask, open, sent }) => {
      const month = { type: "TIME_BASED", periodType: "MONTHS" };
      const every = (periodLength: number) => ({
        ...{
          id: "every",
          trigger: { ...month, periodLength, occurrences: 4 },
          portion: { numerator: 1, denominator: 4 },
        },
        nextConditionId: null,
      });
      const terms = { triggerType: "TIME_BASED", vestingConditions: [every(3)] };
      const { id } = await ask("POST", "/vesting-terms", {
        ...{ name: "Quarters", description: "By quarters", allocationMethod: "CUMULATIVE_ROUND_DOWN" },
        ...terms,
      });
      await open(`/edit/vesting-terms/${id}`);
      await page.getByLabel("Description").fill("By quarters of a year");
      await page.getByLabel("Every", { exact: true }).fill("6");
      await ask("PATCH", `/vesting-terms/${id}`, { name: "Twelve months", ...terms, vestingConditions: [every(12)] });
      await page.getByText("Changed by another person: Name, Conditions", { exact: true }).waitFor();
      await holds(page.getByLabel("Name", { exact: true }), "Twelve months");
      expect(await page.getByLabel("Every", { exact: true }).inputValue()).toBe("6");
      await page.getByRole("radio", { name: /^Theirs 1\/4 every 12 months × 4/i }).check();
      await holds(page.getByLabel("Every", { exact: true }), "12");
      await press(page, "Save changes");
      await page.getByText("Changes saved.").waitFor();
      expect(sent.filter((method) => method === "PATCH")).toEqual(["PATCH"]);
      const saved = await ask("GET", `/vesting-terms/${id}`);
      expect(saved).toMatchObject({ name: "Twelve months", description: "By quarters of a year" });
      expect(saved.vestingConditions[0].trigger.periodLength).toBe(12);
    });
  });

  test("a convertible's terms are sent as a whole, with what another changed of them", async () => {
    await scene(
      async ({ page, ask, open, sent }) => {
        const { id: stakeholderId } = await holder(ask);
        const { data } = await ask("POST", "/transactions/issue-convertible", {
          ...{ stakeholderId, quantity: "5000", certificateId: "CN-1", effectiveDate: "2020-01-01" },
          convertibleTerms: { convertibleType: "SAFE", valuationCap: "1000000" },
        });
        const address = `/securities/${data.securityId}`;
        await open(`/edit/convertible-terms/${data.securityId}`);
        await page.getByLabel("Discount").fill("20");
        const terms = { convertibleType: "SAFE", valuationCap: "2000000" };
        await ask("PATCH", address, { convertibleTerms: terms });
        await press(page, "Save terms");
        await page.getByText("Changed by another person: Valuation cap", { exact: true }).waitFor();
        await press(page, "Save terms");
        await page.getByText("Terms saved.").waitFor();
        expect(sent).toEqual(["PATCH", "PATCH"]);
        expect((await ask("GET", address)).convertibleTerms).toMatchObject({
          ...{ valuationCap: "2000000", discountPercent: "20" },
        });
      },
      { isDeaf: true },
    );
  });

  test("dialogs over lists keep what was typed while the list is read again", async () => {
    await scene(async ({ page, ask, open }) => {
      const made = await ask("POST", "/documents", { title: "Charter", path: "charter.pdf" });
      await open("/documents");
      await press(page, "Open Charter");
      const dialog = page.getByRole("dialog", { name: "Charter" });
      // The form comes after the dialog, and what it asks for first has the focus then.
      await dialog.locator("input[name=title]:focus").waitFor();
      await dialog.getByLabel("Title").fill("Restated charter");
      await ask("PATCH", `/documents/${made.id}`, { comments: "Filed" });
      await dialog.getByText("Changed by another person: Comments").waitFor();
      expect(await dialog.getByLabel("Title").inputValue()).toBe("Restated charter");
      await press(dialog, "Save document");
      await page.getByText("Document saved").waitFor();
      expect(await ask("GET", `/documents/${made.id}`)).toMatchObject({ title: "Restated charter", comments: "Filed" });
    });
  });
});
