import { expect, it } from 'vitest'
import { askTogether } from '#server/platform/concurrency/batch-loader.ts'

/** Statements that stay pending until the test ends them. */
function slowly() {
  const asked: { readonly questions: readonly number[]; readonly end: (error?: Error) => void }[] = []
  const ask = (questions: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve(questions.map((question) => question * 10)))
      asked.push({ questions, end })
    })
  return { asked, ask }
}

it('sends the first query at once, and later ones together', async () => {
  const { asked, ask } = slowly()
  const one = askTogether(ask, { underWay: 2 })
  const answers = [1, 2, 3, 4, 5].map(one)
  expect(asked.map(({ questions }) => questions)).toEqual([[1], [2]])
  asked[1]?.end()
  expect(await answers[1]).toBe(20)
  expect(asked.map(({ questions }) => questions)).toEqual([[1], [2], [3, 4, 5]])
  for (const { end } of asked) end()
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50])
  const later = one(6)
  expect(asked.at(-1)?.questions).toEqual([6])
  asked.at(-1)?.end()
  expect(await later).toBe(60)
})

it('fails the queries of a failed statement, and continues with the next', async () => {
  const { asked, ask } = slowly()
  const one = askTogether(ask, { underWay: 1 })
  const [first, second, third] = [1, 2, 3].map(one)
  asked[0]?.end(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(asked.at(-1)?.questions).toEqual([2, 3])
  asked.at(-1)?.end()
  expect(await Promise.all([second, third])).toEqual([20, 30])
})

it('fails the queries when there are too few results', async () => {
  const one = askTogether(() => Promise.resolve([]), { underWay: 1 })
  await expect(one(1)).rejects.toThrow('1 queries, 0 results')
})

it('collects queries before each statement when gathering is set', async () => {
  const { asked, ask } = slowly()
  const rests: (() => void)[] = []
  const one = askTogether(ask, { underWay: 1, gather: () => new Promise((resolve) => rests.push(resolve)) })
  const answers = [1, 2].map(one)
  expect(asked).toEqual([])
  rests[0]?.()
  await expect.poll(() => asked.map(({ questions }) => questions)).toEqual([[1, 2]])
  const later = one(3)
  asked[0]?.end()
  expect(await Promise.all(answers)).toEqual([10, 20])
  expect(asked.length).toBe(1)
  rests[1]?.()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.end()
  expect(await later).toBe(30)
})
