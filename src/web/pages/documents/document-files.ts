// What is known of files before they are sent, and of what documents are about.
import type { components } from "../../api/types.ts";

/** What a document can be about, as the API takes it. */
export type Related = NonNullable<
  components["requestBodies"]["DocumentCreate"]["content"]["application/json"]["relatedObjects"]
>[number];

/** The most bytes that the API stores of one. */
export const BYTES_MAX = 25 * 1024 * 1024;

/** A file's name without its ending, as a title: `Charter 2021.pdf` is `Charter 2021`. */
export function titleOfFile(name: string): string {
  return name.replace(/(?<=.)\.[A-Za-z0-9]{1,8}$/, "").replaceAll("_", " ");
}

/** Something that a document is about, as the value of a choice. */
export function choiceOf({ objectType, objectId }: { readonly objectType: string; readonly objectId: string }): string {
  return `${objectType} ${objectId}`;
}

/** Choices back as what the API takes. */
export function relatedOf(choices: readonly string[]): Related[] {
  return choices.map((choice) => {
    const [objectType = "", objectId = ""] = choice.split(" ");
    return { objectType: objectType as Related["objectType"], objectId };
  });
}

/** The holders among choices, by id. */
export function holdersIn(choices: readonly string[]): readonly string[] {
  return relatedOf(choices)
    .filter(({ objectType }) => objectType === "STAKEHOLDER")
    .map(({ objectId }) => objectId);
}
