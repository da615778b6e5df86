import { expect, it } from 'vitest'
import { createBatchLoader } from '#server/platform/concurrency/batch-loader.ts'

/** Statements that stay pending until the test ends them. */
function slowly() {
  const calls: { readonly questions: readonly number[]; readonly end: (error?: Error) => void }[] = []
  const ask = (questions: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve(questions.map((question) => question * 10)))
      calls.push({ questions, end })
    })
  return { calls, ask }
}

it('the batch loader sends the first query at once, and later queries together', async () => {
  const { calls, ask } = slowly()
  const one = createBatchLoader(ask, { underWay: 2 })
  const answers = [1, 2, 3, 4, 5].map(one)
  expect(calls.map(({ questions }) => questions)).toEqual([[1], [2]])
  calls[1]?.end()
  expect(await answers[1]).toBe(20)
  expect(calls.map(({ questions }) => questions)).toEqual([[1], [2], [3, 4, 5]])
  for (const { end } of calls) end()
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50])
  const later = one(6)
  expect(calls.at(-1)?.questions).toEqual([6])
  calls.at(-1)?.end()
  expect(await later).toBe(60)
})

it('the batch loader fails all queries of a failed statement, and runs the next statement', async () => {
  const { calls, ask } = slowly()
  const one = createBatchLoader(ask, { underWay: 1 })
  const [first, second, third] = [1, 2, 3].map(one)
  calls[0]?.end(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(calls.at(-1)?.questions).toEqual([2, 3])
  calls.at(-1)?.end()
  expect(await Promise.all([second, third])).toEqual([20, 30])
})

it('the batch loader fails the queries when the statement returns too few results', async () => {
  const one = createBatchLoader(() => Promise.resolve([]), { underWay: 1 })
  await expect(one(1)).rejects.toThrow('1 queries, 0 results')
})

it('the batch loader collects queries before each statement when `gather` is set', async () => {
  const { calls, ask } = slowly()
  const rests: (() => void)[] = []
  const one = createBatchLoader(ask, { underWay: 1, gather: () => new Promise((resolve) => rests.push(resolve)) })
  const answers = [1, 2].map(one)
  expect(calls).toEqual([])
  rests[0]?.()
  await expect.poll(() => calls.map(({ questions }) => questions)).toEqual([[1, 2]])
  const later = one(3)
  calls[0]?.end()
  expect(await Promise.all(answers)).toEqual([10, 20])
  expect(calls.length).toBe(1)
  rests[1]?.()
  await expect.poll(() => calls.length).toBe(2)
  calls[1]?.end()
  expect(await later).toBe(30)
})
