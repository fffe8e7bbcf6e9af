// The typed client's verification of webhooks, against signatures made here by plain HMAC.
import { expect, test } from "bun:test";
import { createHmac, randomBytes } from "node:crypto";
import { verifyWebhook, WebhookVerificationError } from "../../kit/client.ts";

const secretOf = (bytes: Buffer) => `whsec_${bytes.toString("base64")}`;
const [RAW, OTHER] = [randomBytes(32), randomBytes(32)];
const EVENT = { id: "evt_1", type: "stakeholder.created", timestamp: "2026-01-15T14:30:00.000Z", data: { é: "ü" } };
const BODY = Buffer.from(JSON.stringify(EVENT));

function signed(body: Buffer, { raw = RAW, at = Math.floor(Date.now() / 1000), more = "" } = {}) {
  const signature = createHmac("sha256", raw).update(`evt_1.${at}.`).update(body).digest("base64");
  return { "webhook-id": "evt_1", "webhook-timestamp": String(at), "webhook-signature": `${more}v1,${signature}` };
}

test("a request that was signed gives its event, whatever the headers are", () => {
  const headers = signed(BODY);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  for (const given of [headers, new Headers(headers), upper]) {
    expect(verifyWebhook(BODY, given, secretOf(RAW)) as object).toEqual(EVENT);
  }
  expect(verifyWebhook(BODY.toString(), headers, secretOf(RAW)).type).toBe("stakeholder.created");
});

test("either secret fits while one is replaced, and one of two signatures is enough", () => {
  const both = [secretOf(OTHER), secretOf(RAW)];
  expect(verifyWebhook(BODY, signed(BODY), both).id).toBe("evt_1");
  const former = `${signed(BODY, { raw: OTHER })["webhook-signature"]} `;
  expect(verifyWebhook(BODY, signed(BODY, { more: former }), secretOf(RAW)).id).toBe("evt_1");
});

test("what is not signed by it, changed, old, without a header or no UTF-8 is refused", () => {
  const changed = Buffer.from(BODY);
  changed[changed.length - 4] = 0x61;
  const now = Math.floor(Date.now() / 1000);
  const bad = Buffer.from([0x22, 0xff, 0x22]);
  const { "webhook-id": _id, ...without } = signed(BODY);
  const refused = [
    () => verifyWebhook(changed, signed(BODY), secretOf(RAW)),
    () => verifyWebhook(BODY, signed(BODY), secretOf(OTHER)),
    () => verifyWebhook(BODY, signed(BODY), []),
    () => verifyWebhook(BODY, signed(BODY, { at: now - 3600 }), secretOf(RAW)),
    () => verifyWebhook(BODY, signed(BODY, { at: now + 3600 }), secretOf(RAW)),
    () => verifyWebhook(BODY, { ...signed(BODY), "webhook-id": "evt_2" }, secretOf(RAW)),
    () => verifyWebhook(BODY, without, secretOf(RAW)),
    () => verifyWebhook(BODY, {}, secretOf(RAW)),
    () => verifyWebhook(bad, signed(bad), secretOf(RAW)),
    () => verifyWebhook(BODY, signed(BODY), "whsec_!!"),
  ];
  for (const attempt of refused) expect(attempt).toThrow(WebhookVerificationError);
  for (let at = 0; at < BODY.length; at++) {
    const other = Buffer.from(BODY);
    other[at] = (other[at] ?? 0) ^ 1;
    expect(() => verifyWebhook(other, signed(BODY), secretOf(RAW))).toThrow(WebhookVerificationError);
  }
});
