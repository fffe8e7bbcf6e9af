// What a module changes that is loaded before the program, it changes in the thread that loads it: this has every thread
// that the program begins load it as well.

/** Has each new thread load the module first. */
export function loadInThreads(module: string): void {
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, { ...options, preload: [module] });
    }
  };
}
