/** Loads one value; see `askTogether`. */
export type AskOne<Q, A> = (question: Q) => Promise<A>

/**
 * Groups concurrent queries into one statement. A query is sent at once while fewer than `underWay` statements run. Later queries wait for
 * the first statement to return, then all go out together. `ask` returns one result per query, in order. When it fails, all queries of that
 * statement fail. No result is older than its query. `gather` may delay a statement to collect more queries.
 */
export function askTogether<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
  { underWay, gather }: { readonly underWay: number; readonly gather?: () => Promise<void> },
): AskOne<Q, A> {
  let waiting: {
    readonly question: Q
    readonly answer: (answer: A) => void
    readonly fail: (error: unknown) => void
  }[] = []
  let running = 0

  async function go(): Promise<void> {
    running += 1
    while (waiting.length > 0) {
      // Without `gather` the first query is sent in the same turn.
      if (gather) await gather()
      const asked = waiting
      waiting = []
      try {
        const answers = await ask(asked.map(({ question }) => question))
        if (answers.length !== asked.length) throw new Error(`${asked.length} queries, ${answers.length} results`)
        for (const [at, answer] of answers.entries()) asked[at]?.answer(answer)
      } catch (error) {
        for (const { fail } of asked) fail(error)
      }
    }
    running -= 1
  }

  return (question) =>
    new Promise((answer, fail) => {
      waiting.push({ question, answer, fail })
      if (running < underWay) void go()
    })
}
