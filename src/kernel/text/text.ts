// Checks of strings: length, control characters, visibility, safe display. Lengths are Unicode code points, as in JSON
// Schema.

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

/** Whether `text` is nothing but white space, or empty. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Spaces, controls and characters that fonts do not draw; U+2800 is a Braille pattern of no dots. */
const INVISIBLE = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
/** Marks that turn the direction of what follows them, so that a text reads otherwise than it is written. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;

/** Why `text` cannot be a name: it is invisible, or shown otherwise than it is written. Null if it can. */
export function faultOfName(text: string): string | null {
  if (INVISIBLE.test(text)) return "must have a visible character";
  const [turning] = TURNING.exec(text) ?? [];
  if (turning === undefined) return null;
  const code = turning.charCodeAt(0).toString(16).toUpperCase();
  return `must not have a character that turns the direction of text (U+${code})`;
}

/** Line breaks, controls, and marks that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
/** Those of them that `JSON.stringify` leaves as they are. */
const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu;

/** `text` on one line, with escapes such as `\u001b` in place of characters that would control a terminal. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** The same JSON, with escapes in place of characters that would control a terminal. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE_IN_JSON, escaped);
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A JSON Pointer as a URI fragment (RFC 6901, section 6); a lone surrogate in a name has no UTF-8 and is replaced. */
export function pointerFragment(pointer: string): string {
  return `#${encodeURI(pointer.toWellFormed()).replaceAll("#", "%23")}`;
}

/** `1 security`, `2 securities`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
