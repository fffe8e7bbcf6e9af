// Passkeys: what the browser signs of a challenge. It speaks JSON with the server.
import { answer, personApi } from "../api/client.ts";
import { Told } from "../api/problem.ts";
import { SIGN_IN } from "../text/sign-in/sign-in.ts";

/** Whether this browser can use passkeys as these pages do. */
export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in globalThis && "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** Signs in with a passkey. Throws `Told` where none was used. */
export async function signInByPasskey() {
  const credential = await sign("sign-in");
  return answer(personApi.POST("/api/v1/auth/passkey", { body: { credential } }));
}

/** Confirms with a passkey of the account. Throws `Told` where none was used. */
export async function confirmByPasskey() {
  const passkey = await sign("confirm");
  return answer(personApi.POST("/api/v1/auth/confirm", { body: { passkey } }));
}

async function sign(purpose: "sign-in" | "confirm") {
  const { data } = await answer(personApi.POST("/api/v1/auth/passkey/options", { body: { for: purpose } }));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(plain(data));
  return toJson(() => navigator.credentials.get({ publicKey }));
}

/** What the browser made or signed, as the server reads it. Throws `Told` where there is no passkey. */
export async function toJson(ask: () => Promise<Credential | null>) {
  const credential = await ask().catch(() => null);
  // The person gave up, or the browser has no passkey that fits.
  if (!(credential instanceof PublicKeyCredential)) throw new Told(SIGN_IN.passkeyFailed);
  return plain(credential);
}

/** The same as JSON has it: the types of browser and document name the same members differently. */
export function plain(value: object) {
  return JSON.parse(JSON.stringify(value));
}
