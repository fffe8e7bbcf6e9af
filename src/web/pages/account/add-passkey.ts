// What the browser makes of an offer of a passkey.
import { answer, personApi } from "../../api/client.ts";
import { plain, toJson } from "../../frame/passkey.ts";

/** Makes a passkey for the account. Throws `Told` where none was used. */
export async function addPasskey(name: string) {
  const { data } = await answer(personApi.POST("/api/v1/auth/passkeys/options"));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(plain(data));
  const credential = await toJson(() => navigator.credentials.create({ publicKey }));
  return answer(personApi.POST("/api/v1/auth/passkeys", { body: { name, credential } }));
}
