// Binary search in sorted lists.

/**
 * The first index from 0 to `count` - 1 for which `isSo` is true, by halving; it must be true for every later index as
 * well. `count` if it is never true.
 */
export function firstPlace(count: number, isSo: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first of `items` for which `isSo` is true, as {@link firstPlace} finds it. */
export function firstPlaceIn<Item>(items: readonly Item[], isSo: (item: Item) => boolean): number {
  return firstPlace(items.length, (place) => isSo(items[place] as Item));
}
