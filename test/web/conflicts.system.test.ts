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
  /** The organization's address. */
  readonly org: string;
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
    context.setDefaultTimeout(Number(process.env.DEV_WAIT ?? 120_000));
    if (isDeaf) await context.addInitScript(DEAF);
    await signIn(visitor, server, { orgId, name: "Paula Paralegal" });
    if (process.env.DEV_WAIT)
      page.on("request", (request) =>
        process.stderr.write(`${performance.now().toFixed(0)} ${request.method()} ${request.url().slice(22)}\n`),
      );
    const sent: string[] = [];
    page.on("request", (request) => {
      const isDry = request.postData()?.includes('"dryRun":true') ?? false;
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
    await does({ visitor, page, org: `/o/${orgId}`, ask, open, sent });
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
});
