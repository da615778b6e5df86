import type { Instant } from '#core/time/instant.ts'

/** Asks once for everyone who wants the same within `ms`: many look at one dashboard, and all at the same news. */
export function shareAnswers<T>(
  { now, ms }: { readonly now: () => Instant; readonly ms: number },
  load: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const answers = new Map<string, { at: Instant; answer: Promise<T> }>()
  return (key) => {
    const known = answers.get(key)
    if (known && now() - known.at < ms) return known.answer
    const answer = load(key)
    answers.set(key, { at: now(), answer })
    // A failure is nobody else's.
    answer.catch(() => {
      if (answers.get(key)?.answer === answer) answers.delete(key)
    })
    return answer
  }
}
