/** Answers one question; see `askTogether`. */
export type AskOne<Q, A> = (question: Q) => Promise<A>

/**
 * Puts questions that come at about the same time to the database in one statement: one goes out at once while fewer than
 * `underWay` are, and what is asked meanwhile waits for the first of them to come back, then goes out all together. `ask`
 * answers as many as it is asked, in their order; when it fails, all of that statement fail. No answer is from before its question.
 * What nobody waits for may `gather` for a while before it goes out.
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
      // Without it the first question goes out in the same turn.
      if (gather) await gather()
      const asked = waiting
      waiting = []
      try {
        const answers = await ask(asked.map(({ question }) => question))
        if (answers.length !== asked.length) throw new Error(`${asked.length} questions, ${answers.length} answers`)
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
