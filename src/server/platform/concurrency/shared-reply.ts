import type { Instant } from '#core/time/instant.ts'

/**
 * Shares one reply among all requests for the same key within `ms` milliseconds. Use it for data that many clients
 * request at the same time.
 */
export function shareReply<T, Key extends string = string>(
  { now, ms }: { readonly now: () => Instant; readonly ms: number },
  load: (key: Key) => Promise<T>,
): (key: Key) => Promise<T> {
  const answers = new Map<Key, { at: Instant; answer: Promise<T> }>()
  return (key) => {
    const known = answers.get(key)
    if (known && now() - known.at < ms) return known.answer
    const answer = load(key)
    answers.set(key, { at: now(), answer })
    // A failed reply is not shared with later requests.
    answer.catch(() => {
      if (answers.get(key)?.answer === answer) answers.delete(key)
    })
    return answer
  }
}
