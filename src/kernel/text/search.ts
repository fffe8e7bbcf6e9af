// Search in what is sorted.

/**
 * The first of the places 0 to `count` - 1 of which `isSo` is true, by halving: it has to be true of all after
 * that one as well. `count` where it is true of none.
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

/** The first of `items` of which `isSo` is true, as {@link firstPlace} finds it. */
export function firstPlaceIn<Item>(items: readonly Item[], isSo: (item: Item) => boolean): number {
  return firstPlace(items.length, (place) => isSo(items[place] as Item));
}
