// Mail from the pages: an invitation and a reset link sent, a forgotten password, a new e-mail address proven, the list of
// mails, and what a person turns off.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ReceivedMail, startMailServer } from "../exchange/mail/mail-server.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Staying, signIn } from "../kit/pages.ts";
import { makeMember } from "../kit/people.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(40_000);

const post = await startMailServer();
afterAll(() => post.stop());

let server: TestServer;
let visiting: Staying["turn"];

async function mailTo(address: string, at = 0): Promise<ReceivedMail> {
  for (;;) {
    const found = post.received.filter(({ to }) => to.includes(address))[at];
    if (found) return found;
    await post.has(post.received.length + 1);
  }
}

const pathIn = ({ text }: ReceivedMail) => {
  const { pathname, hash } = new URL(/http\S+#\S+/.exec(text)?.[0] ?? "");
  return pathname + hash;
};

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(
    ({ stays, ...stage }) => {
      ({ server } = stage);
      visiting = stays(null);
    },
    {
      ...{ CAPTABLE_MAIL_HOST: "127.0.0.1", CAPTABLE_MAIL_PORT: String(post.port), CAPTABLE_MAIL_TLS: "none" },
      CAPTABLE_MAIL_FROM: "captable@acme.example",
    },
  );

  test("a forgotten password is set by the link that was sent", async () => {
    const { email } = await makeMember(server.app.writer, server.orgId, { role: "VIEWER" });
    await visiting(async ({ page, go }) => {
      await go("/sign-in");
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await page.getByLabel("E-mail").fill(email);
      await page.getByRole("button", { name: "Send the link" }).click();
      await page.getByText("If an account has this address").waitFor();
      await go(pathIn(await mailTo(email)));
      await page.getByRole("textbox", { name: "New password" }).fill("quiet rivers count backwards");
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByText("The password is set.").waitFor();
    });
  });

  test("an invitation goes out by mail, the list shows it, and a new address is confirmed", async () => {
    await visiting(async (visitor) => {
      const { page } = visitor;
      await signIn(visitor, server, { role: "ADMIN" });
      await visitor.go(`/o/${server.orgId}/settings?tab=members`);
      await page.getByRole("button", { name: "Invite a member" }).click();
      await page.getByRole("textbox", { name: "E-mail" }).fill("guest@example.com");
      await page.getByLabel("Send the link by e-mail, too").check();
      await page.getByRole("button", { name: "Create invitation link" }).click();
      await page.getByRole("button", { name: "I have sent it" }).click();
      expect((await mailTo("guest@example.com")).headers.subject).toStartWith("Invitation to");
      await visitor.go(`/o/${server.orgId}/settings?tab=mail`);
      await page.getByText("guest@example.com").first().waitFor();
      await page.getByText("Invitation", { exact: true }).first().waitFor();
      await visitor.go("/account");
      const form = page.getByRole("region", { name: "Name and e-mail" });
      await form.getByRole("textbox", { name: "E-mail" }).fill("new-address@example.com");
      await form.getByRole("button", { name: "Save name and e-mail" }).click();
      const path = pathIn(await mailTo("new-address@example.com"));
      await visitor.go(path);
      await page.getByText("new-address@example.com").waitFor();
      await page.getByRole("button", { name: "Confirm the address" }).click();
      await page.getByText("The address is confirmed.").waitFor();
    });
  });

  test("what is told by mail is turned off under Account, and stays off", async () => {
    await visiting(async (visitor) => {
      const { page } = visitor;
      await signIn(visitor, server, { role: "EDITOR" });
      await visitor.go("/account");
      const card = page.getByRole("region", { name: "Notifications" });
      const dates = card.getByLabel("Dates that are near");
      expect(await dates.isChecked()).toBe(true);
      await dates.uncheck();
      await card.getByRole("button", { name: "Save" }).click();
      await page.getByText("Notifications saved").waitFor();
      await visitor.go("/account");
      await card.getByLabel("Dates that are near").waitFor();
      expect(await card.getByLabel("Dates that are near").isChecked()).toBe(false);
      expect(await card.getByLabel("Approvals that wait for you").isChecked()).toBe(true);
    });
  });
});
