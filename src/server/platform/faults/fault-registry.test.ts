import { expect, it } from 'vitest'
import { DAY_MS, instant, SECOND_MS } from '#core/time/instant.ts'
import { FAULT_KINDS, FaultRegistry, FAULTS } from '#server/platform/faults/fault-registry.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

function open() {
  const clock = new FakeClock(1_000_000)
  const lines: object[] = []
  const write = (level: string) => (facts: object, message: string) => void lines.push({ level, ...facts, message })
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  return { clock, lines, book: new FaultRegistry({ log, now: () => clock.now() }) }
}

it('the registry logs a fault once with its size, and its end with the duration of the fault', () => {
  const { clock, lines, book } = open()
  for (const seconds of [3_600.04, 3_601, 12]) {
    book.set('clock_jumped', { seconds })
    clock.advance(SECOND_MS)
  }
  book.set('clock_jumped', null)
  book.set('clock_jumped', null)
  expect(lines).toEqual([
    { level: 'error', fault: 'clock_jumped', seconds: 3_600, message: FAULTS.clock_jumped.begins },
    { level: 'warn', fault: 'clock_jumped', lastedMs: 3_000, message: FAULTS.clock_jumped.ends },
  ])
  expect(book.recent()).toEqual([{ kind: 'clock_jumped', since: 1_000_000, until: instant(1_003_000), seconds: 3_601 }])
})

it('the registry lists current faults first, and forgets faults that ended more than a day ago', () => {
  const { clock, book } = open()
  book.set('database_full', {})
  book.set('database_full', null)
  clock.advance(DAY_MS / 2)
  book.set('database_silent', {})
  book.set('database_silent', null)
  book.set('log_ahead', { seconds: 7 })
  expect(book.recent().map(({ kind }) => kind)).toEqual(['log_ahead', 'database_silent', 'database_full'])
  clock.advance(DAY_MS / 2 + 1)
  expect(book.recent().map(({ kind }) => kind)).toEqual(['log_ahead', 'database_silent'])
})

it('the registry names the fault that stops orders', () => {
  const { book } = open()
  book.set('clock_drifts', { seconds: 2 })
  book.set('connections_full', {})
  expect(book.stopping).toBeNull()
  book.set('clocks_apart', { seconds: 6 })
  expect(book.stopping).toBe('clocks_apart')
})

it.each(FAULT_KINDS)('the text of the fault %s first describes the problem, then says what to do', (kind) => {
  const { begins } = FAULTS[kind]
  expect(begins).toMatch(/\. [A-Z]/u)
  expect(begins).toMatch(/Check|Put|Make|Raise/u)
})
