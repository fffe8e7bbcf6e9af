// The settings: one table from which flags, environment variables, defaults, error messages and the README's list come.
// The only module that reads the environment.

const PORT_MAX = 65_535;

interface Setting<T> {
  /** The command-line flag, where there is one. */
  readonly flag?: string;
  readonly variable: string;
  readonly default: string | null;
  /** What is allowed, in words, for the message about a wrong value. */
  readonly allowed: string;
  readonly doc: string;
  /** Returns undefined when `text` is not allowed. */
  parse(text: string): T | undefined;
}

function wholeNumber(min: number, max: number) {
  return (text: string) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

function word<const W extends readonly string[]>(...words: W) {
  return (text: string): W[number] | undefined => words.find((known) => known === text);
}

function anyText(text: string): string | undefined {
  return text === "" ? undefined : text;
}

function httpUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? text.replace(/\/+$/, "") : undefined;
}

function setting<T>(spec: Setting<T>): Setting<T> {
  return spec;
}

/** Every setting of the program (DECISIONS section 13). */
export const SETTINGS = {
  dataDir: setting({
    flag: "--data-dir",
    variable: "CAPTABLE_DATA_DIR",
    default: "./data",
    allowed: "a folder",
    doc: "where everything is kept; made with mode 0700",
    parse: anyText,
  }),
  host: setting({
    flag: "--host",
    variable: "CAPTABLE_HOST",
    default: "127.0.0.1",
    allowed: "a host name or address",
    doc: "the address to listen on",
    parse: anyText,
  }),
  port: setting({
    flag: "--port",
    variable: "CAPTABLE_PORT",
    default: "8080",
    allowed: `a number from 0 to ${PORT_MAX} (0: any free port)`,
    doc: "the port to listen on",
    parse: wholeNumber(0, PORT_MAX),
  }),
  publicUrl: setting({
    variable: "CAPTABLE_PUBLIC_URL",
    default: null,
    allowed: "an http or https URL",
    doc: "how others reach the service; default http://{host}:{port}",
    parse: httpUrl,
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
  bodyLimitMb: setting({
    variable: "CAPTABLE_BODY_LIMIT_MB",
    default: "1",
    allowed: "a number from 1 to 1024",
    doc: "the largest request body, in units of 2^20 bytes; OCF import takes 64",
    parse: wholeNumber(1, 1024),
  }),
  log: setting({
    variable: "CAPTABLE_LOG",
    default: "json",
    allowed: "json, pretty or off",
    doc: "one line for each request on standard output",
    parse: word("json", "pretty", "off"),
  }),
} as const;

type Name = keyof typeof SETTINGS;
/** Every setting's value; null where there is neither a value nor a default. */
export type Config = {
  readonly [N in Name]:
    | NonNullable<ReturnType<(typeof SETTINGS)[N]["parse"]>>
    | (N extends "publicUrl" | "environment" ? null : never);
};

/** A setting has a value that is not allowed: the program stops with exit status 2. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Where settings come from when no flag gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The process's environment. */
export function processEnvironment(): Environment {
  return process.env;
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
  throw new SettingError(`${source} is ${JSON.stringify(text)}; allowed is ${spec.allowed}.`);
}
