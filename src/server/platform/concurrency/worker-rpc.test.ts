import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { WorkerRpc } from '#server/platform/concurrency/worker-rpc.ts'

interface Answer {
  readonly id: number
  readonly twice?: number
}

const questionsTo = (onMessage: string) =>
  new WorkerRpc<Answer>(
    new Worker(
      `const { parentPort } = require('node:worker_threads'); parentPort.postMessage({ id: 0 })
      parentPort.on('message', ({ id, number }) => { ${onMessage} })`,
      { eval: true, execArgv: [] },
    ),
    'The thread',
  )

it("each call gets its reply, even if the worker thread's replies come in another order", async () => {
  const questions = questionsTo(
    'setTimeout(() => parentPort.postMessage({ id, twice: 2 * number }), number === 1 ? 20 : 0); if (number === 3) parentPort.unref()',
  )
  await questions.ready()
  const replies = [1, 2, 3].map((number) => questions.call({ number }))
  expect(questions.waiting).toBe(3)
  expect((await Promise.all(replies)).map(({ twice }) => twice)).toEqual([2, 4, 6])
  expect(questions.waiting).toBe(0)
})

it.each([
  ['throws', 'throw new Error("no")', 'The thread stopped.'],
  ['ends', 'process.exit()', 'The thread is closed.'],
])('fails all pending and later calls when the thread %s', async (_what, onMessage, said) => {
  const questions = questionsTo(onMessage)
  await questions.ready()
  const replies = await Promise.allSettled([questions.call({}), questions.call({})])
  expect(replies.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
    `Error: ${said}`,
    `Error: ${said}`,
  ])
  expect(questions.hasEnded).toBe(true)
  await expect(questions.call({})).rejects.toThrow(said)
})
