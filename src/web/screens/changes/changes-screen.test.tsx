import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NO_PREVIOUS, type TermsEntry, type TermsPart, termsText } from '#core/markets/terms/terms-entry.ts'
import { HOUR_MS, instant } from '#core/time/instant.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { ChangesScreen } from '#web/screens/changes/changes-screen.tsx'

const NOW = Date.UTC(2026, 10, 21, 10)

beforeEach(() => {
  queryClient.clear()
  vi.spyOn(Date, 'now').mockReturnValue(NOW)
})
afterEach(() => vi.restoreAllMocks())

type Row = readonly [what: TermsPart, of: string, value: string, appliesAt: number]

const NO_WORDS = { 'GET /proof/texts': { body: { data: { texts: [] } } } }

/** The reply for entries that are given oldest first. */
function replyOf(rows: readonly Row[], change: Partial<TermsEntry> = {}) {
  const entries = rows.map(([what, of, value, appliesAt], at) => {
    const times = { announcedAt: instant(NOW - HOUR_MS), appliesAt: instant(appliesAt) }
    const text = termsText({ n: at + 1, what, of, value, ...times, isBefore: false, previous: NO_PREVIOUS, ...change })
    return { text, hash: String(at).padStart(64, '0') }
  })
  return { body: { data: { entries: entries.toReversed(), next: null } } }
}

test('the screen shows announced future changes first, and replaced changes only in the list', async () => {
  fakeApi({
    'GET /proof/terms': replyOf([
      ['payout', '60', '8000', NOW - 1],
      ['payout', '60', '7000', NOW + HOUR_MS],
      ['payout', '60', '7550', NOW + HOUR_MS],
      ['max_stake', '300', '123450', NOW + 2 * HOUR_MS],
    ]),
    ...NO_WORDS,
  })
  render(<ChangesScreen />)
  const coming = await screen.findByRole('region', { name: 'Announced changes' })
  const lines = within(coming)
    .getAllByRole('listitem')
    .map((item) => item.textContent)
  expect(lines).toEqual([
    expect.stringMatching(/^Payout for 1 min: 75.5%Applies from .*21 Nov.*11:00:00 UTC/),
    expect.stringMatching(/^Maximum stake for 5 min: \$1,234.50Applies from .*12:00:00 UTC/),
  ])
  const all = screen.getByRole('list', { name: 'All changes' })
  await userEvent.click(within(all).getByText('Show them'))
  expect(within(all).getByText('Payout for 1 min: 70%')).toBeTruthy()
  expect(within(all).getByText('No. 4')).toBeTruthy()
})

test.each<[Row, string]>([
  [['min_stake', '60', '1000', 0], 'Minimum stake for 1 min: $10.00'],
  [['ceiling', 'all', '1000000', 0], 'Highest stake for any duration: $10,000.00'],
  [['max_tick_age', 'BTC', '5000', 0], 'Maximum price age of BTC: 5 s'],
  [['notice', 'all', '3600000', 0], 'Changes are announced at least 1 hour ahead'],
  [['duration', '86400', 'open', 0], '1 day is offered'],
  [['duration', '86400', 'withdrawn', 0], '1 day is no longer offered'],
  [['symbol', 'BTC', 'open', 0], 'BTC can be traded'],
  [['symbol', 'BTC', 'closing', 0], 'BTC takes no new orders'],
])('says what %j means', async (row, words) => {
  fakeApi({ 'GET /proof/terms': replyOf([row]), ...NO_WORDS })
  render(<ChangesScreen />)
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText('No change is announced.')).toBeTruthy()
})

test('the screen says when terms are older than the list, and shows the text of an entry that the screen cannot read', async () => {
  const before = replyOf([['payout', '60', '8000', 0]], { isBefore: true })
  before.body.data.entries.push({ text: '{"v":2}', hash: 'f'.repeat(64) })
  fakeApi({ 'GET /proof/terms': before, ...NO_WORDS })
  render(<ChangesScreen />)
  expect(await screen.findByText('In force before this list began')).toBeTruthy()
  expect(screen.getByText('{"v":2}')).toBeTruthy()
})

test('the screen shows terms that were announced together as one change, with their entries and hashes on request', async () => {
  fakeApi({
    'GET /proof/terms': replyOf([
      ['symbol', 'BTC', 'open', 0],
      ['symbol', 'ETH', 'open', 0],
      ['payout', '60', '8000', 1],
    ]),
    ...NO_WORDS,
  })
  render(<ChangesScreen />)
  expect(await screen.findByText('2 terms at the same time')).toBeTruthy()
  expect(screen.queryByText('BTC can be traded')).toBeNull()
  await userEvent.click(screen.getByText('Show them'))
  expect(screen.getByText('BTC can be traded')).toBeTruthy()
  expect(screen.getByText('ETH can be traded')).toBeTruthy()
  expect(screen.queryByText('1'.padStart(64, '0'))).toBeNull()
  await userEvent.click(screen.getAllByText('Hash in the register').at(-2) as HTMLElement)
  expect(screen.getByText('1'.padStart(64, '0'))).toBeTruthy()
})

test('a long list has several pages', async () => {
  const rows = Array.from({ length: 21 }, (_, at): Row => ['payout', '60', String(100 + at), at])
  fakeApi({ 'GET /proof/terms': replyOf(rows), ...NO_WORDS })
  render(<ChangesScreen />)
  expect(await screen.findByText('No. 21')).toBeTruthy()
  expect(screen.queryByText('No. 1')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(screen.getByText('No. 1')).toBeTruthy()
})

test('the screen offers a retry when loading fails', async () => {
  fakeApi({ 'GET /proof/terms': { status: 403, body: { message: 'No', code: 'forbidden' } }, ...NO_WORDS })
  render(<ChangesScreen />)
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})

test('the screen shows each replaced text beside the original', async () => {
  const text = {
    language: 'de',
    key: 'login.title',
    ours: 'Anmelden',
    theirs: 'Herein',
    since: '2026-11-20T10:00:00.000Z',
  }
  fakeApi({ 'GET /proof/terms': replyOf([]), 'GET /proof/texts': { body: { data: { texts: [text] } } } })
  render(<ChangesScreen />)
  const words = await screen.findByRole('region', { name: 'Changed words' })
  expect(await within(words).findByText('Here: Herein')).toBeTruthy()
  expect(within(words).getByText('Original: Anmelden')).toBeTruthy()
  expect(within(words).getByText(/login\.title/).parentElement?.textContent).toContain('Deutsch')
})
