import { expect, it } from 'vitest'
import { MAX_PORTION_MS, pacedFile } from '#server/platform/http/paced-file.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

/** Portions that are larger than the buffer of a stream, so that each portion waits for the reader. */
async function* portions(count: number, onEnd: () => void = () => undefined): AsyncGenerator<string> {
  try {
    for (let at = 0; at < count; at += 1) yield String(at).repeat(100_000)
  } finally {
    onEnd()
  }
}
const eventOf = (stream: ReturnType<typeof pacedFile>, name: string) =>
  new Promise<unknown>((resolve) => stream.once(name, resolve))

it('US2.3: gives the whole file to a reader, and leaves no timer behind', async () => {
  const clock = new FakeClock(0)
  let text = ''
  for await (const chunk of pacedFile(clock, portions(5))) {
    clock.advance(MAX_PORTION_MS - 1)
    text += String(chunk)
  }
  expect([text.length, clock.pendingTimers]).toEqual([500_000, 0])
})

it('US2.3: cuts off a reader that hangs, and ends the source', async () => {
  const clock = new FakeClock(0)
  let isOver = false
  const stream = pacedFile(
    clock,
    portions(5, () => {
      isOver = true
    }),
  )
  const failure = eventOf(stream, 'error')
  const closed = eventOf(stream, 'close')
  await eventOf(stream, 'readable')
  clock.advance(MAX_PORTION_MS)
  expect(String(await failure)).toContain('too slow')
  await closed
  expect([isOver, clock.pendingTimers, stream.readableEnded]).toEqual([true, 0, false])
})

it('US2.3: ends the source when the reader hangs up', async () => {
  const clock = new FakeClock(0)
  let isOver = false
  const stream = pacedFile(
    clock,
    portions(5, () => {
      isOver = true
    }),
  )
  const closed = eventOf(stream, 'close')
  await eventOf(stream, 'readable')
  stream.destroy()
  await closed
  expect([isOver, clock.pendingTimers]).toEqual([true, 0])
})

it('US2.3: destroys a file whose source fails midway', async () => {
  async function* failing(): AsyncGenerator<string> {
    yield 'begin'
    throw new Error('the source failed')
  }
  const stream = pacedFile(new FakeClock(0), failing())
  let isAtEnd = false
  stream.once('end', () => {
    isAtEnd = true
  })
  stream.resume()
  expect(String(await eventOf(stream, 'error'))).toContain('the source failed')
  expect([isAtEnd, stream.destroyed]).toEqual([false, true])
})
