/**
 * Returns a function whose runs wait for each other. Used to reload data that is kept in memory: an earlier read must
 * not finish later and restore old data.
 */
export function oneAfterAnother<T>(run: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(run)
    last = next.catch(() => undefined)
    return next
  }
}
