// The OpenID Connect provider of the settings, checked before anything is opened. Whether it answers shows at the first
// sign-in by it: it may be down while this server starts.

import { KeyFileError, readPrivateFile } from "../../kernel/files/private-file.ts";
import { Provider } from "../../people/sign-in/oidc.ts";
import { type Config, SETTINGS, SettingError } from "../config.ts";

/** The provider; null if no setting names one. Throws {@link SettingError} if settings are missing or wrong. */
export function configuredProvider(config: Config): Provider | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file } = config;
  const together = { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file } as const;
  const names = (isSet: boolean) =>
    (Object.keys(together) as (keyof typeof together)[])
      .filter((name) => (together[name] !== null) === isSet)
      .map((name) => SETTINGS[name].variable);
  if (issuer === null || clientId === null || file === null) {
    const given = names(true);
    if (given.length === 0) return null;
    const words = `${given.join(" and ")} ${given.length === 1 ? "needs" : "need"} ${names(false).join(" and ")}`;
    throw new SettingError(`${words}: a provider is named by all three.`);
  }
  const { oidcName, oidcTrustFactors } = config;
  const trustsFactors = oidcTrustFactors === "yes";
  const name = oidcName ?? new URL(issuer).host;
  return new Provider({ issuer, clientId, clientSecret: readSecret(file), name, trustsFactors });
}

function readSecret(file: string): string {
  const { variable } = SETTINGS.oidcClientSecretFile;
  const fault = (message: string) =>
    new SettingError(`${variable}: ${message}; allowed is a file that its owner alone can read.`);
  try {
    const secret = readPrivateFile(file);
    if (secret === "") throw fault(`${file} is empty`);
    return secret;
  } catch (error) {
    throw error instanceof KeyFileError ? fault(error.message) : error;
  }
}
