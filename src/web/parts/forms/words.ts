// What a refusal says of a form: which field it is about, and its detail as a sentence.

/** The field of `values` that a pointer such as `#/steps/0/name` names: the longest name that fits. */
export function fieldAt<V extends object>(pointer: string, values: V): (keyof V & string) | undefined {
  const parts = pointer.replace(/^#?\//, "").split("/");
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join(".");
    if (name in values) return name as keyof V & string;
  }
  return undefined;
}

/** A detail such as `must be a date` as a sentence of its own. */
export function sentence(detail: string): string {
  const whole = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
