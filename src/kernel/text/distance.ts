// Edit distance between two texts. Pure.

/**
 * The number of letters to insert, delete, change or swap with the next one to turn one text into the other (optimal
 * string alignment). Beyond `most`, any larger number may be returned.
 */
export function distance(from: string, to: string, most = Number.POSITIVE_INFINITY): number {
  const [a, b] = [[...from], [...to]];
  if (Math.abs(a.length - b.length) > most) return Math.abs(a.length - b.length);
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line++) {
    const next = [line];
    for (let column = 1; column <= b.length; column++) {
      const isEqual = a[line - 1] === b[column - 1];
      const isSwapped = line > 1 && column > 1 && a[line - 1] === b[column - 2] && a[line - 2] === b[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      const [above = 0, diagonal = 0, left = 0] = [row[column], row[column - 1], next[column - 1]];
      next.push(Math.min(above + 1, left + 1, diagonal + (isEqual ? 0 : 1), swapped));
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
