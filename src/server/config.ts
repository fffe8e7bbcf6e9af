// Settings: one table from which flags, environment variables, defaults, error messages and the README's list come. The
// only module that reads the environment.
import { BACKUP_SETTINGS } from "./backup-settings.ts";
import { MAIL_SETTINGS } from "./mail-settings.ts";
import {
  allowedAddresses,
  anyText,
  baseUrl,
  chainNumber,
  hostName,
  issuerUrl,
  PORT_MAX,
  PROXY_RANGES_MAX,
  proxyRanges,
  rpcUrl,
  type Setting,
  serverUrl,
  setting,
  wholeNumber,
  word,
} from "./setting-values.ts";

/** Every setting of the program. */
export const SETTINGS = {
  dataDir: setting({
    flag: "--data-dir",
    variable: "CAPTABLE_DATA_DIR",
    default: "./data",
    allowed: "a folder",
    doc: "the folder of all data; made with mode 0700",
    parse: anyText,
  }),
  host: setting({
    flag: "--host",
    variable: "CAPTABLE_HOST",
    default: "127.0.0.1",
    allowed: "a host name or address",
    doc: "the address to listen on",
    parse: hostName,
  }),
  port: setting({
    flag: "--port",
    variable: "CAPTABLE_PORT",
    default: "8080",
    allowed: `a number from 0 to ${PORT_MAX} (0 for any free port)`,
    doc: "the port to listen on",
    parse: wholeNumber(0, PORT_MAX),
  }),
  publicUrl: setting({
    variable: "CAPTABLE_PUBLIC_URL",
    default: null,
    allowed: "an http or https URL without ? and #",
    doc: "the URL by which clients reach the service; default http://{host}:{port}, for 0.0.0.0 with 127.0.0.1",
    parse: baseUrl,
  }),
  environment: setting({
    variable: "CAPTABLE_ENV",
    default: null,
    allowed: "production or test",
    doc: "production (the default) or test; fixed when the data directory is made: pg_live_ or pg_test_ keys",
    parse: word("production", "test"),
  }),
  rateLimit: setting({
    variable: "CAPTABLE_RATE_LIMIT",
    default: "6000",
    allowed: "a number from 0 to 999999999",
    doc: "requests a minute for each API key; 0 turns limiting off",
    parse: wholeNumber(0, 999_999_999),
  }),
  organizationRateLimit: setting({
    variable: "CAPTABLE_ORG_RATE_LIMIT",
    default: null,
    allowed: "a number from 0 to 999999999",
    doc: "requests a minute for all keys of an organization together; default four times a key's; 0 turns it off",
    parse: wholeNumber(0, 999_999_999),
  }),
  organizationStorageMb: setting({
    variable: "CAPTABLE_ORG_STORAGE_MB",
    default: "2048",
    allowed: "a number from 0 to 999999999",
    doc: "MiB of documents, originals and previews that an organization may store over HTTP; 0: no limit",
    parse: wholeNumber(0, 999_999_999),
  }),
  bodyLimitMb: setting({
    variable: "CAPTABLE_BODY_LIMIT_MB",
    default: "1",
    allowed: "a number from 1 to 1024",
    doc: "the largest request body, in units of 2^20 bytes; OCF import takes 64",
    parse: wholeNumber(1, 1024),
  }),
  chain: setting({
    variable: "CAPTABLE_CHAIN",
    default: "on",
    allowed: "on or off",
    doc: "on, or off: no tokens, whatever the other CHAIN settings say; only while no class has one",
    parse: word("on", "off"),
  }),
  chainRpcUrl: setting({
    variable: "CAPTABLE_CHAIN_RPC_URL",
    default: null,
    allowed: "an http or https URL",
    doc: "the EVM node for tokens; without it the service runs its own local development chain",
    isSecret: true,
    parse: rpcUrl,
  }),
  chainId: setting({
    variable: "CAPTABLE_CHAIN_ID",
    default: null,
    allowed: "a number from 1 to 999999999999999",
    doc: "the chain that the node must serve; by default the one that the data directory first used",
    parse: chainNumber,
  }),
  chainKeyFile: setting({
    variable: "CAPTABLE_CHAIN_KEY_FILE",
    default: null,
    allowed: "a file",
    doc: "the operator's key, raw or as a keystore of version 3, readable by its owner only; needed with a node",
    parse: anyText,
  }),
  chainKeyPasswordFile: setting({
    variable: "CAPTABLE_CHAIN_KEY_PASSWORD_FILE",
    default: null,
    allowed: "a file",
    doc: "the password of a keystore, readable by its owner only",
    parse: anyText,
  }),
  chainConfirmations: setting({
    variable: "CAPTABLE_CHAIN_CONFIRMATIONS",
    default: "1",
    allowed: "a number from 1 to 1000",
    doc: "how deep a transaction must be to count; 1 is the block that holds it, public chains deserve more",
    parse: wholeNumber(1, 1000),
  }),
  fontDir: setting({
    variable: "CAPTABLE_FONT_DIR",
    default: null,
    allowed: "a folder",
    doc: "more fonts (TTF, OTF) for certificates and statements, for letters that the program's own fonts lack",
    parse: anyText,
  }),
  ...BACKUP_SETTINGS,
  checkpointFile: setting({
    variable: "CAPTABLE_CHECKPOINT_FILE",
    default: null,
    allowed: "a file outside the data directory, in an existing folder",
    doc: "where the server keeps signed checkpoints, best on another machine's disk; it then refuses restored older data",
    parse: anyText,
  }),
  tsaUrl: setting({
    variable: "CAPTABLE_TSA_URL",
    default: null,
    allowed: "an http or https URL",
    doc: "a time stamp authority (RFC 3161) for checkpoints; needs the file that follows",
    isSecret: true,
    parse: rpcUrl,
  }),
  tsaCaFile: setting({
    variable: "CAPTABLE_TSA_CA_FILE",
    default: null,
    allowed: "a file of PEM certificates",
    doc: "the roots by which time stamps are checked",
    parse: anyText,
  }),
  tsaEveryHours: setting({
    variable: "CAPTABLE_TSA_EVERY_HOURS",
    default: "24",
    allowed: "a number from 1 to 8760",
    doc: "the hours from one time stamp to the next, where there is news",
    parse: wholeNumber(1, 8760),
  }),
  witnessFile: setting({
    variable: "CAPTABLE_WITNESS_FILE",
    default: null,
    allowed: "a file with a line for each of up to 8 witnesses: its key and its address",
    doc: "witnesses (C2SP) that cosign checkpoints: a key and an address a line",
    parse: anyText,
  }),
  metrics: setting({
    variable: "CAPTABLE_METRICS",
    default: "loopback",
    allowed: "loopback or public",
    doc: "who may see /metrics: this machine only, or any client",
    parse: word("loopback", "public"),
  }),
  dashboard: setting({
    variable: "CAPTABLE_DASHBOARD",
    default: "on",
    allowed: "on or off",
    doc: "on, or off: no pages for people, and no sign-in; keys and the command line remain",
    parse: word("on", "off"),
  }),
  sessionIdleMinutes: setting({
    variable: "CAPTABLE_SESSION_IDLE_MINUTES",
    default: "60",
    allowed: "a number from 5 to 1440",
    doc: "after how many minutes without a request a session ends",
    parse: wholeNumber(5, 1440),
  }),
  sessionHours: setting({
    variable: "CAPTABLE_SESSION_HOURS",
    default: "24",
    allowed: "a number from 1 to 720",
    doc: "after how many hours a session ends in any case",
    parse: wholeNumber(1, 720),
  }),
  trustedProxy: setting({
    variable: "CAPTABLE_TRUSTED_PROXY",
    default: "none",
    allowed: `none, loopback, or up to ${PROXY_RANGES_MAX} CIDR ranges with commas between them, as 10.0.0.0/8`,
    doc: "which proxies tell the client's address, in the last entry of X-Forwarded-For: none, loopback, or up to 8 CIDR ranges",
    parse: proxyRanges,
  }),
  webhookAllow: setting({
    variable: "CAPTABLE_WEBHOOK_ALLOW",
    default: "public",
    allowed: "none, or public and CIDR ranges with commas between them, as public,10.0.0.0/8",
    doc: "where webhooks may go: public addresses by https, none, or also the addresses of CIDR ranges, by http too",
    parse: allowedAddresses,
  }),
  oidcIssuer: setting({
    variable: "CAPTABLE_OIDC_ISSUER",
    default: null,
    allowed: "an https URL, or an http one of this machine",
    doc: "the OpenID Connect provider with which people may sign in; needs the two that follow",
    parse: issuerUrl,
  }),
  oidcClientId: setting({
    variable: "CAPTABLE_OIDC_CLIENT_ID",
    default: null,
    allowed: "what the provider calls this service",
    doc: "the client id that the provider gave",
    parse: anyText,
  }),
  oidcClientSecretFile: setting({
    variable: "CAPTABLE_OIDC_CLIENT_SECRET_FILE",
    default: null,
    allowed: "a file",
    doc: "the client secret that the provider gave, readable by its owner only",
    parse: anyText,
  }),
  oidcName: setting({
    variable: "CAPTABLE_OIDC_NAME",
    default: null,
    allowed: "a name",
    doc: "what the provider is called on the sign-in page; by default the host of its URL",
    parse: anyText,
  }),
  oidcTrustFactors: setting({
    variable: "CAPTABLE_OIDC_TRUST_FACTORS",
    default: "no",
    allowed: "yes or no",
    doc: "yes: what the provider says of a second factor counts here",
    parse: word("yes", "no"),
  }),
  ...MAIL_SETTINGS,
  log: setting({
    variable: "CAPTABLE_LOG",
    default: null,
    allowed: "json, pretty or off",
    doc: "one line for each request on standard output: json, pretty or off; default pretty on a terminal, else json",
    parse: word("json", "pretty", "off"),
  }),
  server: setting({
    flag: "--server",
    variable: "CAPTABLE_SERVER",
    default: null,
    allowed: "an http or https URL without user, ? and #",
    doc: "the server that `captable api` and `captable mcp` speak to; default a profile's, else http://127.0.0.1:8080",
    parse: serverUrl,
  }),
  keyFile: setting({
    flag: "--key-file",
    variable: "CAPTABLE_KEY_FILE",
    default: null,
    allowed: "a file",
    doc: "the file that has the API key of `captable api` and `captable mcp`, readable by its owner only; default a profile's",
    parse: anyText,
  }),
  profile: setting({
    flag: "--profile",
    variable: "CAPTABLE_PROFILE",
    default: null,
    allowed: "the name of a profile",
    doc: "the profile of `captable api` and `captable mcp`: a server and the file of its key; default the default profile",
    parse: anyText,
  }),
} as const;

type Name = keyof typeof SETTINGS;
/** Settings that may have no value. */
type Optional =
  | "publicUrl"
  | "environment"
  | "organizationRateLimit"
  | "chainRpcUrl"
  | "chainId"
  | "chainKeyFile"
  | "chainKeyPasswordFile"
  | "backupDir"
  | "backupRecipients"
  | "offsiteBucket"
  | "offsiteEndpoint"
  | "offsiteKeyFile"
  | "checkpointFile"
  | "tsaUrl"
  | "tsaCaFile"
  | "witnessFile"
  | "oidcIssuer"
  | "oidcClientId"
  | "oidcClientSecretFile"
  | "oidcName"
  | "log"
  | "server"
  | "keyFile"
  | "profile"
  | "mailHost"
  | "mailFrom"
  | "mailUser"
  | "mailPasswordFile"
  | "mailCaFile";
/** Every setting's value; null if it has neither a value nor a default. */
export type Config = {
  readonly [N in Name]: NonNullable<ReturnType<(typeof SETTINGS)[N]["parse"]>> | (N extends Optional ? null : never);
};

/** A setting has a value that is not allowed: the program stops with exit status 2. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** The refusal of a value whose fault shows only when it is used; `allowed` may say more than the table does. */
export function wrongSetting(name: Name, value: string, allowed: string = SETTINGS[name].allowed): SettingError {
  return new SettingError(`${SETTINGS[name].variable} is ${JSON.stringify(value)}; allowed is ${allowed}.`);
}

/** The source of settings that no flag gives. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The process's environment. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * Refuses `BUN_OPTIONS`: the runtime inside the executable takes flags from it, among them ones that load other code.
 * An empty one does nothing, and is how some places clear it. Throws {@link SettingError}.
 */
export function refuseRuntimeOptions({ BUN_OPTIONS }: Environment): void {
  if (BUN_OPTIONS === undefined || BUN_OPTIONS === "") return;
  throw new SettingError("BUN_OPTIONS is set: it changes what captable runs. Nothing was opened; unset it.");
}

/** Reads every setting: flag, else variable, else default. Throws {@link SettingError} naming the first wrong one. */
export function readConfig(flags: Readonly<Partial<Record<Name, string>>>, environment: Environment): Config {
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(SETTINGS)) {
    values[name] = readSetting(spec, flags[name as Name], environment);
  }
  return values as Config;
}

function readSetting(spec: Setting<unknown>, flag: string | undefined, environment: Environment): unknown {
  const text = flag ?? environment[spec.variable] ?? spec.default;
  if (text === null) return null;
  const value = spec.parse(text);
  if (value !== undefined) return value;
  const source = flag === undefined ? spec.variable : (spec.flag ?? spec.variable);
  const shown = spec.isSecret ? "not usable (its value is not shown)" : JSON.stringify(text);
  throw new SettingError(`${source} is ${shown}; allowed is ${spec.allowed}.`);
}
