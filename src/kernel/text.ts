// What may stand in a string: DECISIONS section 2. Lengths are Unicode code points, as JSON Schema counts them.

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_BREAKS = /[^\P{Cc}\t\n\r]/u;

/** The number of Unicode code points in `text`. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) length--;
  }
  return length;
}

/** Whether `text` holds a control character; line breaks and tabs pass when `breaksAllowed`. */
export function hasControlCharacter(text: string, breaksAllowed: boolean): boolean {
  return (breaksAllowed ? CONTROL_BUT_BREAKS : CONTROL).test(text);
}

/** Control and escape characters, separators of lines, and what turns the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The text for a terminal: what would move its cursor or turn its lines about is written as `\u202e`. Line breaks and
 * tabs pass when `breaksAllowed`.
 */
export function printable(text: string, breaksAllowed: boolean): string {
  return text.replace(UNPRINTABLE, (character) => {
    if (breaksAllowed && (character === "\n" || character === "\t")) return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Whether `text` is nothing but white space, or empty. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** A JSON Pointer as a URI fragment (RFC 6901, section 6); a lone surrogate in a name has no UTF-8 and is replaced. */
export function pointerFragment(pointer: string): string {
  return `#${encodeURI(pointer.toWellFormed()).replaceAll("#", "%23")}`;
}
