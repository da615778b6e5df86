/** Loads one value; see `createBatchLoader`. */
export type BatchLoader<Q, A> = (question: Q) => Promise<A>

/**
 * Groups concurrent queries into one statement. A query is sent at once while fewer than `underWay` statements run.
 * Later queries wait for the first statement to return, then all go out together. `ask` returns one result per query,
 * in order. When it fails, all queries of that statement fail. No result is older than its query. `gather` may delay a
 * statement to collect more queries.
 */
export function createBatchLoader<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
  { underWay, gather }: { readonly underWay: number; readonly gather?: () => Promise<void> },
): BatchLoader<Q, A> {
  let waiting: {
    readonly question: Q
    readonly answer: (answer: A) => void
    readonly fail: (error: unknown) => void
  }[] = []
  let running = 0

  async function go(): Promise<void> {
    running += 1
    while (waiting.length > 0) {
      // Without `gather` the first query is sent in the same turn of the event loop.
      if (gather) await gather()
      const batch = waiting
      waiting = []
      try {
        const answers = await ask(batch.map(({ question }) => question))
        if (answers.length !== batch.length) throw new Error(`${batch.length} queries, ${answers.length} results`)
        for (const [at, answer] of answers.entries()) batch[at]?.answer(answer)
      } catch (error) {
        for (const { fail } of batch) fail(error)
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
