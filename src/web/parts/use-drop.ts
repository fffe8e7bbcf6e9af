// Files that are dropped on an element: what it listens to, and whether some are over it. There is always a button, too.
import { useState } from "preact/hooks";

/** `zone` goes on the element. */
export function useDrop(onDrop: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  const zone = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setOver(false);
      onDrop([...(event.dataTransfer?.files ?? [])]);
    },
  };
  return { isOver, zone };
}
