// News for a file of evidence: the notes that it does not hold yet, compared by what they say and by what vouches for them.
import { type Note, readNotes, writeNote } from "../checkpoint/note.ts";

/** The time at which a checkpoint was made is no news. */
function contentOf({ text }: Note): string {
  return text.replace(/\ntime [^\n]+\n/, "\n");
}

/** What vouches for a note besides its own key: time stamps and cosignatures, as lines. */
function vouchersOf(note: Note): string[] {
  const [origin] = note.text.split("\n");
  const { signatures } = note;
  return signatures
    .filter(({ name }) => name !== origin)
    .map(({ name, bytes }) => `${name} ${Buffer.from(bytes).toString("base64")}`);
}

/**
 * The notes of a text that are news for a file, as they came: not those of which the file has one that says the same,
 * with all that vouches for it. Null where the file holds something else than notes.
 */
export function newsFor(file: string, text: string): string[] | null {
  const known = file.trim() === "" ? [] : readNotes(file);
  if (known === null) return null;
  const seen = Map.groupBy(known, contentOf);
  return (readNotes(text) ?? [])
    .filter((note) => {
      const same = seen.get(contentOf(note)) ?? [];
      const vouchers = vouchersOf(note);
      // A time stamp is of the note with its own time.
      const isKnown = same.some((each) => {
        const has = new Set(vouchersOf(each));
        return vouchers.every((voucher) => has.has(voucher));
      });
      if (!isKnown) seen.set(contentOf(note), [...same, note]);
      return !isKnown;
    })
    .map(writeNote);
}
