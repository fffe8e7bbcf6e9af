// Texts of forms whose record another person changes or deletes while they are open.

export const CHANGES = {
  changed: (members: readonly string[]) => `Changed by another person: ${members.join(", ")}`,
  changedMeanwhile: "Another person changed this record",
  taken: "The form shows the new values. What you typed is kept.",
  choose: "Where both of you changed a field, choose which value is saved.",
  notSaved: "Nothing of yours was saved. Check the values, then save once more.",
  nothingLeft: "It already holds what you typed, so there is nothing left to save.",
  fault: "Choose yours or theirs.",
  which: (label: string) => `Which ${label}`,
  yours: "Yours",
  theirs: "Theirs",
  deleted: "It was deleted",
  deletedWords: "Another person deleted this record, so it cannot be saved. What you typed stays here for copying.",
  yes: "Yes",
  no: "No",
} as const;
