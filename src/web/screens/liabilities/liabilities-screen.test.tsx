import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { LiabilitiesReply } from '#contract/proof.ts'
import { type DayRecord, headOf, NO_HEAD } from '#core/proof/day-record.ts'
import type { Sha256 } from '#core/proof/bytes.ts'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { LiabilitiesScreen } from '#web/screens/liabilities/liabilities-screen.tsx'

const ROUTE = 'GET /proof/liabilities'
/** Node's SHA-256, so that the browser's SHA-256 is compared with another implementation. */
const sha256: Sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest())
beforeEach(() => queryClient.clear())

/** Builds days that form a hash chain, newest first. */
function chainOf(totals: readonly string[]): DayRecord[] {
  const days: DayRecord[] = []
  for (const [at, total] of totals.entries()) {
    const day = `2026-11-${21 + at}`
    const record = {
      number: at + 1,
      day,
      taken_at: `${day}T00:00:00.000Z`,
      currency: 'USDT',
      leaves: 4,
      total,
      root: String(at).repeat(64),
      previous: days[0]?.head ?? NO_HEAD,
    }
    days.unshift({ ...record, head: headOf(sha256, record) })
  }
  return days
}

function show(days: DayRecord[], rest: Partial<LiabilitiesReply> = {}): void {
  const data = {
    days,
    since: days.at(-1)?.day ?? '',
    next_at: '2026-11-24T00:00:00.000Z',
    kept_days: 30,
    statement: '',
  }
  const meta = { page: 1, per_page: 5, total: days.length, pages: 1 }
  fakeApi({ [ROUTE]: { body: { data: { ...data, ...rest }, meta } } })
  render(<LiabilitiesScreen />)
}

test('the screen shows the total and root of each day, and that the days form a chain', async () => {
  show(chainOf(['150000', '123456789']))
  await screen.findByText(/^Each day includes the hash of the day before/)
  const days = screen.getByRole('region', { name: 'Published totals' }).textContent
  for (const text of ['1,234,567.89', '1,500.00', '1'.repeat(64)]) expect(days).toContain(text)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText('What it does not prove')).toBeTruthy()
})

test.each<[string, (days: DayRecord[]) => DayRecord[]]>([
  ['a total was changed', ([first, ...rest]) => (first ? [{ ...first, total: '1' }, ...rest] : [])],
  ['a root was changed', ([first, ...rest]) => (first ? [{ ...first, root: 'f'.repeat(64) }, ...rest] : [])],
  ['a day was taken out', ([first, , ...rest]) => (first ? [first, ...rest] : [])],
  ['an older day was changed', (days) => days.map((day, at) => (at === 2 ? { ...day, total: '1' } : day))],
])('shows an alert when %s', async (_, change) => {
  show(change(chainOf(['100', '200', '300'])))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('This does not match')
  expect(screen.queryByText(/^Each day includes/)).toBeNull()
})

test('the screen separates the operator’s statement from what is proven', async () => {
  show(chainOf(['100']), { statement: 'All funds are at the bank around the corner.' })
  const said = await screen.findByText('All funds are at the bank around the corner.')
  expect(said.closest('section')?.textContent).toContain(
    "This is the operator's own statement. It is not checked here.",
  )
})

test('the screen shows a message while nothing has been published', async () => {
  show([])
  expect(await screen.findByText('Nothing has been published yet.')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the screen shows loading and failure, and offers a retry', async () => {
  let answer: (given: FakeAnswer) => void = () => undefined
  const waiting = new Promise<FakeAnswer>((resolve) => (answer = resolve))
  let isUp = false
  const [day] = chainOf(['777700'])
  fakeApi({
    [ROUTE]: () =>
      isUp
        ? { body: { data: { days: [day], since: '', next_at: '', kept_days: 30, statement: '' }, meta: { pages: 1 } } }
        : waiting,
  })
  render(<LiabilitiesScreen />)
  expect(document.querySelector('[aria-busy="true"]')).toBeTruthy()
  answer({ status: 403, body: { message: 'Not now', code: 'forbidden' } })
  const again = await screen.findByRole('button', { name: 'Try again' })
  isUp = true
  await userEvent.setup().click(again)
  await screen.findByText(/^Each day includes the hash of the day before/)
  expect(screen.getByRole('region', { name: 'Published totals' }).textContent).toContain('7,777.00')
})
