/** Runs work of the same key one after another, within this process. Different keys do not wait for each other. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work)
    // The next piece of work waits for this one, even if it fails.
    const over = mine.catch(() => undefined)
    last.set(key, over)
    try {
      return await mine
    } finally {
      if (last.get(key) === over) last.delete(key)
    }
  }
}
