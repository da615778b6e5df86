import { expect, it } from 'vitest'
import { DAY_MS } from '#core/time/instant.ts'
import { createRecentErrors } from '#server/platform/runtime/recent-errors.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { quiet } from '#test/support/quiet-log.ts'

it('errors of the last day are grouped by message without their fields, newest first', () => {
  const clock = new FakeClock(0)
  const lines: string[] = []
  const write = (_facts: object, message: string) => void lines.push(message)
  const book = createRecentErrors({ debug: write, info: write, warn: write, error: write }, clock)
  book.log.error({ userId: 'someone' }, 'a call failed')
  clock.advance(1_000)
  book.log.error({}, 'settling failed')
  book.log.warn({}, 'a warning is no error')
  book.log.error({ userId: 'another' }, 'a call failed')
  expect(book.recent()).toEqual([
    { message: 'a call failed', count: 2, lastAt: 1_000 },
    { message: 'settling failed', count: 1, lastAt: 1_000 },
  ])
  expect(lines).toHaveLength(4)
  clock.advance(DAY_MS)
  expect(book.recent()).toEqual([])
})

it('only the hundred newest error messages are kept', () => {
  const book = createRecentErrors(quiet, new FakeClock(0))
  for (let nth = 0; nth < 250; nth += 1) book.log.error({}, `failure ${nth}`)
  expect(book.recent()).toHaveLength(100)
  expect(book.recent()[0]?.message).toBe('failure 249')
})
