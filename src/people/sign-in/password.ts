// The password policy: long, and not one of the passwords that an attacker tries first. Pure.
import { codePointLength } from "../../kernel/text/text.ts";

const LENGTH_MIN = 12;
const LENGTH_MAX = 256;
/** Shorter words are part of so many passwords that they do not matter. */
const WORD_MIN = 6;
/** With this many characters besides, a common word does no harm. */
const OTHERS_MIN = 6;
const PROGRAM = "captable";

/** Facts that others can guess of a person: a password must not be made of them. */
export interface Known {
  readonly email: string;
  /** The person's name, and the organizations'. */
  readonly names: readonly string[];
}

/**
 * What is wrong with a password, in words; null if it is allowed. It is judged as received, any characters and case;
 * `common` holds the common passwords, in lower case.
 */
export function passwordFault(password: string, known: Known, common: ReadonlySet<string>): string | null {
  const length = codePointLength(password);
  if (!password.isWellFormed()) return "must be well-formed Unicode (it has a lone surrogate)";
  if (length < LENGTH_MIN) return `must have at least ${LENGTH_MIN} characters`;
  if (length > LENGTH_MAX) return `must have at most ${LENGTH_MAX} characters`;
  const letters = [...password.toLowerCase()];
  const guessed = new Set(wordsOf(known));
  for (const word of longParts(letters)) {
    if (guessed.has(word)) return "is mostly a name or an address that others know";
    if (common.has(word)) return "is mostly one of the passwords that are tried first";
  }
  return null;
}

/** The parts that leave fewer than six characters besides. */
function* longParts(letters: readonly string[]): Generator<string> {
  const shortest = Math.max(WORD_MIN, letters.length - OTHERS_MIN + 1);
  for (let length = letters.length; length >= shortest; length--) {
    for (let from = 0; from + length <= letters.length; from++) yield letters.slice(from, from + length).join("");
  }
}

function wordsOf({ email, names }: Known): string[] {
  const whole = [PROGRAM, email, ...email.split("@"), ...names].map((text) => text.toLowerCase());
  const parts = whole.flatMap((text) => [text, text.replace(/\s/g, ""), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return parts.filter((part) => [...part].length >= WORD_MIN);
}

let loaded: Promise<ReadonlySet<string>> | null = null;

/** The common passwords of six characters and more, in lower case; loaded when first asked for. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => {
    const words = dictionary["passwords-common"].map((word) => String(word).toLowerCase());
    return new Set(words.filter((word) => word.length >= WORD_MIN));
  });
  return loaded;
}
