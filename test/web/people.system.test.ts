// What concerns who gets in, from the pages: an operator's reset that an administrator refuses or allows, a member who
// is removed with keys and links, both ways to accept an invitation, a passkey beside a password, a changed e-mail
// address.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Staying, signIn, type Visitor } from "../kit/pages.ts";
import { type MadeMember, makeMember, PASSWORD, Browser as Person, type PersonGiven, signedIn } from "../kit/people.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";
import { addAuthenticator } from "../people/page.ts";

setDefaultTimeout(300_000);

const NEXT = "quiet rivers count backwards";
const BANNER = "An operator asked to reset a member's password";

let server: TestServer;
/** A window without a session, and that of an administrator of the first organization. */
let visiting: Staying["turn"];
let asAdministrator: Staying["turn"];

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

/** Takes out what the browser says of answers that a test provoked; all else stays, and fails the visit. */
function forgive({ complaints }: Visitor, ...statuses: readonly number[]): void {
  const isProvoked = (each: string) => statuses.some((status) => each.includes(`status of ${status}`));
  expect(complaints.splice(0).filter((each) => !isProvoked(each))).toEqual([]);
}

async function signInByPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(
    ({ stays, ...stage }) => {
      ({ server } = stage);
      visiting = stays(null);
      asAdministrator = stays({ name: "Ada Administrator" });
    },
    // Passkeys are of a name, and not of a number.
    { CAPTABLE_HOST: "localhost" },
  );

  const member = (orgId: string, given: PersonGiven) => makeMember(server.app.writer, orgId, given);

  describe("an operator's reset", () => {
    /** An organization that the operator is no member of, and a person of it. */
    async function scene() {
      const orgId = await server.newOrganization("Theirs, Inc.");
      const person = await member(orgId, { role: "VIEWER", name: "Pat Person" });
      const operator = await signedIn(server, { isOperator: true, hasSecondFactor: true, name: "Olive Operator" });
      const ask = async (): Promise<string> => {
        const asked = await operator.api("POST", "/instance/reset-link", { email: person.email }, { orgId: null });
        const { pathname, hash } = new URL(asked.json.url);
        return pathname + hash;
      };
      return { orgId, person, ask };
    }

    async function openMember({ page, turnTo }: Visitor, orgId: string) {
      await turnTo(`/o/${orgId}`);
      await page.getByText(BANNER).waitFor();
      await page.getByRole("link", { name: "Go to members" }).click();
      await page.getByRole("button", { name: /^Change.*Pat Person/ }).click();
      const dialog = page.getByRole("dialog", { name: "Pat Person" });
      await dialog.getByText("Olive Operator operates this server.").waitFor();
      return dialog;
    }

    test("stands on each page of administrators until one of them refuses it, and its link works no more", async () => {
      const { orgId, ask } = await scene();
      const link = await ask();
      await visiting(async (visitor) => {
        await signIn(visitor, server, { orgId, role: "EDITOR" });
        await visitor.go(`/o/${orgId}`);
        await heading(visitor.page, "Overview");
        await visitor.settled();
        expect(await visitor.page.getByText(BANNER).count()).toBe(0);
      });
      await visiting(async (visitor) => {
        const { page } = visitor;
        await signIn(visitor, server, { orgId });
        await visitor.go(`/o/${orgId}/audit-log`);
        await page.getByText(BANNER).waitFor();
        const dialog = await openMember(visitor, orgId);
        await dialog.getByRole("button", { name: "Refuse" }).click();
        await page.getByText("Reset refused").waitFor();
        await page.getByText(BANNER).waitFor({ state: "detached" });
      });
      await visiting(async (visitor) => {
        await visitor.go(link);
        await visitor.page.getByText("This link does not work").waitFor();
        forgive(visitor, 404, 409);
      });
    });

    test("waits a day, which its page says, and works at once where an administrator allows it", async () => {
      const { orgId, person, ask } = await scene();
      const link = await ask();
      await visiting(async ({ page, go }) => {
        await go(link);
        await page.getByText("An operator created this link. Your organizations can refuse it until").waitFor();
        expect(await page.getByRole("button", { name: "Set the password" }).count()).toBe(0);
      });
      await visiting(async (visitor) => {
        const { page } = visitor;
        await signIn(visitor, server, { orgId });
        const dialog = await openMember(visitor, orgId);
        await dialog.getByRole("button", { name: "Allow now" }).click();
        await dialog.getByRole("alert").getByRole("button", { name: "Allow now" }).click();
        await page.getByText("Reset allowed").waitFor();
        await page.getByText(BANNER).waitFor({ state: "detached" });
      });
      await visiting(async (visitor) => {
        const { page, go } = visitor;
        await go(link);
        await page.getByLabel("New password", { exact: true }).fill(NEXT);
        await page.getByRole("button", { name: "Set the password" }).click();
        await page.getByRole("link", { name: "Go to sign in" }).click();
        await signInByPassword(page, person.email, NEXT);
        await heading(page, "Overview");
      });
    });

    test("is nothing that the person decides", async () => {
      const orgId = await server.newOrganization("Theirs, Inc.");
      const operator = await signedIn(server, { isOperator: true, hasSecondFactor: true, name: "Olive Operator" });
      await visiting(async (visitor) => {
        const { email } = await signIn(visitor, server, { orgId, name: "Pat Person" });
        await operator.api("POST", "/instance/reset-link", { email }, { orgId: null });
        const dialog = await openMember(visitor, orgId);
        for (const name of ["Refuse", "Allow now"]) {
          expect(await dialog.getByRole("button", { name }).count()).toBe(0);
        }
      });
    });
  });

  describe("a member who is removed", () => {
    /** A member with a key, who has invited another person. */
    async function scene(name: string) {
      const leaver = await signedIn(server, { name });
      const made = await leaver.api("POST", "/api-keys", { name: `Payroll of ${name}`, role: "EDITOR" });
      const invited = await leaver.api("POST", "/invitations", {
        email: `friend-of-${made.json.id}@example.com`,
        role: "ADMIN",
      });
      const { pathname, hash } = new URL(invited.json.url);
      const asked = async () => (await server.api("GET", "/organization", undefined, { key: made.json.key })).status;
      return { key: `Payroll of ${name} (Editor)`, asked, link: pathname + hash };
    }

    async function remove(name: string, key: string, revokes: boolean): Promise<void> {
      await asAdministrator(async ({ page, go }) => {
        // Loaded, for the members may have been read a moment before.
        await go(`/o/${server.orgId}/settings?tab=members`);
        await page.getByRole("button", { name: new RegExp(`^Change.*${name}`) }).click();
        const dialog = page.getByRole("dialog", { name });
        await dialog.getByRole("button", { name: "Remove", exact: true }).click();
        await dialog.getByText(`open links that ${name} created here stop working`).waitFor();
        await dialog.getByRole("listitem").getByText(key).waitFor();
        const box = dialog.getByRole("checkbox", { name: "Also revoke these keys, and disable these endpoints" });
        expect(await box.isChecked()).toBe(true);
        if (!revokes) await box.uncheck();
        await dialog.getByRole("alert").getByRole("button", { name: "Remove" }).click();
        await page.getByText(`${name} removed`).waitFor();
      });
    }

    const isDead = (link: string) =>
      visiting(async (visitor) => {
        await visitor.go(link);
        await visitor.page.getByText("This invitation does not work").waitFor();
        forgive(visitor, 404, 409);
      });

    test("leaves no key that works, and no link", async () => {
      const { key, asked, link } = await scene("Leah Leaver");
      expect(await asked()).toBe(200);
      await remove("Leah Leaver", key, true);
      expect(await asked()).toBe(401);
      await isDead(link);
    });

    test("leaves the keys where that is chosen, and no link even so", async () => {
      const { key, asked, link } = await scene("Karl Keeper");
      await remove("Karl Keeper", key, false);
      expect(await asked()).toBe(200);
      await isDead(link);
    });
  });

  describe("an invitation", () => {
    async function invite(email: string): Promise<{ readonly orgId: string; readonly link: string }> {
      const orgId = await server.newOrganization("Inviting, Inc.");
      const { url } = (await server.api("POST", "/invitations", { email, role: "EDITOR" }, { orgId })).json;
      const { pathname, hash } = new URL(url);
      return { orgId, link: pathname + hash };
    }
    const rolesIn = async (orgId: string) => {
      const { items } = (await server.api("GET", "/members", undefined, { orgId })).json;
      return items.map(({ email, role }: MadeMember & { readonly role: string }) => [email, role]);
    };

    test("is accepted with the account that the person has, after a sign-in on its page", async () => {
      const { email } = await member(server.orgId, {});
      const { orgId, link } = await invite(email);
      await visiting(async (visitor) => {
        const { page, go } = visitor;
        await go(link);
        await page.getByText("Inviting, Inc. invites you. Your role: Editor.").waitFor();
        await page.getByRole("button", { name: "I have an account" }).click();
        expect(await page.getByLabel("E-mail").inputValue()).toBe(email);
        await signInByPassword(page, email, "not the password");
        await page.getByText("E-mail, password or code is wrong.").waitFor();
        await signInByPassword(page, email);
        await page.getByRole("button", { name: "Accept the invitation" }).click();
        await page.getByRole("heading", { level: 1, name: /^(Organizations|Overview)$/ }).waitFor();
        forgive(visitor, 401);
      });
      expect(await rolesIn(orgId)).toEqual([[email, "EDITOR"]]);
    });

    test("is accepted with an account that is made for it, also after a look at the other way", async () => {
      const email = "new-here@example.com";
      const { orgId, link } = await invite(email);
      await visiting(async ({ page, go }) => {
        await go(link);
        await page.getByRole("button", { name: "I have an account" }).click();
        await page.getByText(`Sign in with the account of ${email} to accept.`).waitFor();
        await page.getByRole("button", { name: "I am new here" }).click();
        await page.getByLabel("Your name").fill("Nia New");
        await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
        await page.getByRole("button", { name: "Accept and create the account" }).click();
        await heading(page, "Overview");
      });
      expect(await rolesIn(orgId)).toEqual([[email, "EDITOR"]]);
    });

    test("shows the same for an address with an account as for one without, and makes no second account", async () => {
      const { email } = await member(server.orgId, { name: "Known Already" });
      const [known, unknown] = [await invite(email), await invite("unknown-here@example.com")];
      const shown: string[] = [];
      const look = async ({ page, go, settled }: Visitor, { link }: { readonly link: string }, address: string) => {
        await go(link);
        await page.getByRole("button", { name: "Accept and create the account" }).waitFor();
        await settled();
        shown.push((await page.getByRole("main").innerHTML()).replaceAll(address, "(address)"));
      };
      await visiting((visitor) => look(visitor, unknown, "unknown-here@example.com"));
      await visiting(async (visitor) => {
        await look(visitor, known, email);
        expect(shown[0]?.replace(/id="[^"]*"/g, "")).toBe(shown[1]?.replace(/id="[^"]*"/g, "") ?? "");
        const { page } = visitor;
        await page.getByLabel("Your name").fill("A Second One");
        await page.getByLabel("Password", { exact: true }).fill(NEXT);
        await page.getByRole("button", { name: "Accept and create the account" }).click();
        const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
        await dialog.getByText("This e-mail address already has an account.").waitFor();
        expect(await rolesIn(known.orgId)).toEqual([]);
        await dialog.getByLabel("E-mail").fill(email);
        await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
        await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
        await page.getByRole("heading", { level: 1, name: /^(Organizations|Overview)$/ }).waitFor();
        forgive(visitor, 401);
      });
      const { items } = (await server.api("GET", "/members", undefined, { orgId: known.orgId })).json;
      expect(items).toMatchObject([{ email, name: "Known Already", role: "EDITOR" }]);
      const tries = [PASSWORD, NEXT].map((password) =>
        new Person(server).api("POST", "/auth/sign-in", { email, password }, { orgId: null }),
      );
      expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([200, 401]);
    });
  });

  test("a passkey that is added after a sign-in by password is what the password alone lacks from then on", async () => {
    const { email } = await member(server.orgId, {});
    await visiting(async (visitor) => {
      const { page, context, go } = visitor;
      const authenticator = await context.newCDPSession(page);
      await addAuthenticator(authenticator);
      await go("/sign-in");
      await signInByPassword(page, email);
      await heading(page, "Overview");
      // Loaded: this browser ends itself where a passkey is made in the document in which a password was typed.
      await go("/account");
      await page.getByRole("button", { name: "Add a passkey" }).click();
      const dialog = page.getByRole("dialog", { name: "Add a passkey" });
      await dialog.getByLabel("Name").fill("This laptop");
      await dialog.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("button", { name: "I have stored them" }).click();
      await page.getByRole("heading", { name: "This laptop" }).waitFor();
      await context.clearCookies();
      await go("/sign-in");
      await signInByPassword(page, email);
      await page.getByText("Your account has a passkey. Sign in with it, or enter a recovery code.").waitFor();
      const session = `captable-${new URL(server.url).port}`;
      expect((await context.cookies()).filter(({ name }) => name === session)).toEqual([]);
      await page.getByRole("button", { name: "Sign in with a passkey" }).first().click();
      await heading(page, "Overview");
      forgive(visitor, 401);
      await authenticator.detach();
    });
  });

  describe("a changed e-mail address", () => {
    async function ask({ page, go }: Visitor, email: string): Promise<void> {
      await go("/account");
      await page.getByLabel("E-mail", { exact: true }).fill(email);
      await page.getByRole("button", { name: "Save name and e-mail" }).click();
      await page.getByText(`Waiting for approval of ${email}`).waitFor();
    }

    const signsIn = async (email: string): Promise<number> =>
      (await new Person(server).api("POST", "/auth/sign-in", { email, password: PASSWORD }, { orgId: null })).status;

    test("counts once an administrator has accepted it", async () => {
      const wish = "married@example.com";
      let old = "";
      await visiting(async (visitor) => {
        old = (await signIn(visitor, server, { name: "Marie Marries", role: "VIEWER" })).email;
        await ask(visitor, wish);
      });
      expect([await signsIn(old), await signsIn(wish)]).toEqual([200, 401]);
      await asAdministrator(async ({ page, go }) => {
        // Loaded, for the members may have been read a moment before.
        await go(`/o/${server.orgId}/settings?tab=members`);
        await page.getByRole("button", { name: /^Change.*Marie Marries/ }).click();
        const dialog = page.getByRole("dialog", { name: "Marie Marries" });
        await dialog.getByText(`Requested the e-mail address ${wish}`).waitFor();
        await dialog.getByRole("button", { name: "Accept address" }).click();
        await dialog.getByText(`This member will sign in with ${wish}.`).waitFor();
        await dialog.getByRole("alert").getByRole("button", { name: "Accept address" }).click();
        await page.getByText("E-mail address changed").waitFor();
        await page.getByRole("row", { name: new RegExp(wish) }).waitFor();
      });
      expect([await signsIn(old), await signsIn(wish)]).toEqual([401, 200]);
    });

    test("is accepted by an operator on the instance page, who names both addresses, after a proof", async () => {
      const wish = "Moved@example.com";
      const { email } = await member(server.orgId, { name: "Mo Moves", role: "VIEWER" });
      const person = new Person(server);
      await person.api("POST", "/auth/sign-in", { email, password: PASSWORD }, { orgId: null });
      expect((await person.api("PATCH", "/auth/account", { email: wish }, { orgId: null })).status).toBe(200);
      await visiting(async (visitor) => {
        const { page, go } = visitor;
        await signIn(visitor, server, { isOperator: true, confirmedAt: "2026-01-01T00:00:00.000Z" });
        await go("/instance");
        const form = page.getByRole("form", { name: "Changed e-mail address" });
        const accept = form.getByRole("button", { name: "Accept address" });
        await accept.click();
        await form.getByText("2 fields need your attention.").waitFor();
        await form.getByLabel("Old e-mail address").fill(email);
        await form.getByLabel("New e-mail address").fill("another@example.com");
        await accept.click();
        const proof = page.getByRole("dialog", { name: "Confirm your identity" });
        await proof.getByLabel("Password", { exact: true }).fill(PASSWORD);
        await proof.getByRole("button", { name: "Confirm" }).click();
        await form.getByText("This person has asked for another e-mail address since").waitFor();
        expect(await signsIn(wish)).toBe(401);
        await form.getByLabel("New e-mail address").fill(wish.toLowerCase());
        await accept.click();
        await page.getByText("E-mail address changed").waitFor();
        expect(await form.getByLabel("Old e-mail address").inputValue()).toBe("");
        forgive(visitor, 403, 409);
      });
      expect([await signsIn(email), await signsIn(wish)]).toEqual([401, 200]);
    });

    test("is for operators alone on the instance page", () =>
      asAdministrator(async (visitor) => {
        await visitor.turnTo("/instance");
        await heading(visitor.page, "Instance");
        await visitor.settled();
        expect(await visitor.page.getByRole("form").count()).toBe(0);
      }));
  });
});
