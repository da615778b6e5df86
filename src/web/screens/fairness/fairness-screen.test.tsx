import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { ProofServiceLevels } from '#contract/service-levels.ts'
import type { Voids } from '#contract/voids.ts'
import type { Fairness, FairnessGroup } from '#contract/fairness.ts'
import type { ProofMeasures } from '#contract/measures.ts'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { FairnessScreen } from '#web/screens/fairness/fairness-screen.tsx'

beforeEach(() => queryClient.clear())

const TERMS = { seconds: 60, payout: 80, break_even: 55.56 }
const PEOPLE: FairnessGroup = {
  who: 'people',
  users: 40,
  losing_users: 27,
  losing_share: 67.5,
  ahead_users: 12,
  orders: [
    { symbol: 'BTC', ...TERMS, wins: 30, losses: 20, draws: 2, voids: 1 },
    { symbol: 'ETH', ...TERMS, wins: 20, losses: 30, draws: 0, voids: 0 },
    { symbol: null, seconds: null, payout: null, break_even: null, wins: 4, losses: 4, draws: 0, voids: 0 },
  ],
  acceptance: {
    count: 104,
    median_ms: 2,
    p95_ms: 14,
    p99_ms: 31,
    histogram: [
      { up_to_ms: 10, count: 90 },
      { up_to_ms: null, count: 14 },
    ],
  },
  not_timed: 7,
  lateness: {
    count: 111,
    median_ms: 640,
    p95_ms: 1_500,
    p99_ms: 60_000,
    histogram: [
      { up_to_ms: 1_000, count: 100 },
      { up_to_ms: null, count: 11 },
    ],
  },
}
const BOTS: FairnessGroup = {
  who: 'bots',
  users: null,
  losing_users: null,
  losing_share: null,
  ahead_users: null,
  orders: [],
  acceptance: null,
  not_timed: null,
  lateness: null,
}
const FIGURES: Fairness = {
  computed_at: '2026-11-21T10:00:00.000Z',
  until: '2026-11-21T09:59:00.000Z',
  least_users: 5,
  expiries: [TERMS],
  windows: [30, 90].map((days) => ({
    days,
    since: '2026-10-23T00:00:00.000Z',
    groups: [PEOPLE, BOTS],
    sales: days === 30 ? [{ symbol: 'EURUSD', seconds: 300, orders: 1_204, paid: 91.5, fee: 4, at_expiry: 96.25 }] : [],
    withdrawals: days === 30 ? null : { decided: 12, median_ms: 3_600_000, p95_ms: 86_400_000 },
  })),
  pending_withdrawals: { count: 3, oldest_ms: 7_200_000, late: 0 },
  queries: [{ figure: 'losing', sql: 'select 1' }],
}

const NONE = { accounts: 0, accounts_90_days: 0, ahead: 0 }
const MEASURES: ProofMeasures = {
  kinds: [
    { kind: 'trade_off', ...NONE },
    { kind: 'stake_limit', accounts: 2, accounts_90_days: 4, ahead: 3 },
  ],
  all: { users: 40, ahead: 12 },
}

const NO_WINDOW = { done: 0, median_ms: null, p90_ms: null, rejected: 0, rejected_by: {}, cancelled: 0 }
const NOTHING_LATE = { count: 0, sum: 0 }
const LEVELS: ProofServiceLevels = {
  deposits: {
    windows: [{ days: 90, ...NO_WINDOW }],
    waiting: { count: 0, oldest_ms: null, over_24h: NOTHING_LATE, over_72h: NOTHING_LATE, over_7d: NOTHING_LATE },
  },
  withdrawals: {
    windows: [
      { days: 7, ...NO_WINDOW },
      {
        days: 90,
        done: 40,
        median_ms: 7_200_000,
        p90_ms: 86_400_000,
        rejected: 3,
        rejected_by: { details_wrong: 2, legal: 1 },
        cancelled: 5,
      },
    ],
    waiting: {
      count: 4,
      oldest_ms: 90_000_000,
      over_24h: { count: 2, sum: 1_300 },
      over_72h: NOTHING_LATE,
      over_7d: NOTHING_LATE,
    },
  },
}

const STAND = { would_win: 1, would_lose: 0, would_draw: 0, missed_by_users: 8, kept_by_users: 0 }
const VOIDS: Voids = {
  by: 'cause',
  since: '2026-08-23T00:00:00.000Z',
  orders: 2_000,
  late: 12,
  lines: [{ of: 'history_unavailable', orders: 7, bots: 0, while_down: 3 }],
  without_record: [{ days: 7, ...STAND, against_users: 10, against_site: 0, chance: 0.001953125 }],
  pauses: [
    { why: 'too_many_voids', symbol: 'AAPL', from: '2026-11-20T10:00:00.000Z', until: '2026-11-27T10:00:00.000Z' },
  ],
  made_good: {
    orders: 3,
    amount: 25.5,
    unread: 0,
    waiting: [{ source: 'binance', orders: 40, amount: 20_000, pays_at: '2026-11-30T10:00:00.000Z' }],
  },
}
const AUDIT = { since: '2026-08-23T00:00:00.000Z', chosen: 21, compared: 20, equal: 19, different: 1 }

function show(answer: FakeAnswer): void {
  fakeApi({
    'GET /proof/fairness': answer,
    'GET /proof/measures': { body: { data: MEASURES } },
    'GET /proof/voids': { body: { data: { voids: VOIDS } } },
    'GET /proof/service-levels': { body: { data: LEVELS } },
    'GET /proof/audit': { body: { data: { audit: AUDIT } } },
  })
  render(<FairnessScreen />)
}
const region = (name: string) => within(screen.getByRole('region', { name }))

test('FN5: the screen shows how orders ended beside the break-even rate, in total and by symbol', async () => {
  show({ body: { data: { fairness: FIGURES } } })
  expect(await screen.findByText('67.5%')).toBeTruthy()
  expect(screen.getByText('27 of 40 users lost money')).toBeTruthy()
  const orders = region('How orders ended')
  expect(orders.getAllByText('50.0%')).toHaveLength(2)
  expect(orders.getByText('All others')).toBeTruthy()
  expect(orders.getByText('55.6%')).toBeTruthy()
  await userEvent.selectOptions(orders.getByLabelText('Symbol'), 'BTC')
  expect(orders.getByText('60.0%')).toBeTruthy()
  expect(orders.queryByText('All others')).toBeNull()
  expect(region('Settlement delay').getByText('640 ms')).toBeTruthy()
  expect(region('Time to accept orders').getByText('14 ms')).toBeTruthy()
  expect(region('Time to accept orders').getByText(/Orders without a recorded request time.*: 7$/)).toBeTruthy()
})

test('the screen shows what sold orders paid and would have paid, and nothing where none were sold', async () => {
  show({ body: { data: { fairness: FIGURES } } })
  await screen.findByText('67.5%')
  const sold = region('Orders sold back')
  for (const text of ['EURUSD', '1,204', '91.5%', '4.0%', '96.3%']) expect(sold.getByText(text), text).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: '90 days' }))
  expect(screen.queryByRole('region', { name: 'Orders sold back' })).toBeNull()
})

test('FN5: the screen shows when figures are withheld, and shows them with enough users', async () => {
  show({ body: { data: { fairness: FIGURES } } })
  await screen.findByText('67.5%')
  const withdrawals = region('Time to decide withdrawals')
  expect(withdrawals.getByText(/Fewer than 5 users/)).toBeTruthy()
  expect(withdrawals.getByText('2 hr')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: '90 days' }))
  expect(region('Time to decide withdrawals').getByText('12')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'Demo bots' }))
  expect(screen.getByText('No Data')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Who loses money' })).toBeNull()
})

test('FN5: the screen shows the query behind a figure and offers all figures as a table', async () => {
  show({ body: { data: { fairness: FIGURES } } })
  await userEvent.click(await screen.findByRole('button', { name: 'Who loses money' }))
  expect(screen.getByText('select 1')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toBe('/api/proof/fairness.csv')
})

test('FN5: the screen shows a message while no figures are computed', async () => {
  show({ body: { data: { fairness: null } } })
  expect(await screen.findByText('Nothing has been calculated yet. Come back in a minute.')).toBeTruthy()
})

test('the screen shows how long withdrawals took, why some were rejected, and how many wait for longer than a day', async () => {
  show({ body: { data: { fairness: FIGURES } } })
  const levels = within(await screen.findByRole('region', { name: 'Withdrawals' }))
  expect(levels.getByText('90 days: half within 2 hr, nine of ten within 1 day (40)')).toBeTruthy()
  expect(levels.getByText('7 days: none')).toBeTruthy()
  expect(levels.getByText('Longer than 1 day: 2 ($1,300.00)')).toBeTruthy()
  expect(levels.getByText(/The payment details are wrong/).textContent).toMatch(/ 2$/)
  expect(region('Deposits that staff credit').getByText('90 days: none')).toBeTruthy()
})

test('the screen shows void orders by cause, the chance of their split, and the pause of a symbol', async () => {
  show({ body: { data: { fairness: FIGURES } } })
  const voids = within(await screen.findByRole('region', { name: 'Void orders by cause' }))
  expect(await voids.findByText('3 of them expired while no server ran')).toBeTruthy()
  expect(voids.getByText("The source's public record could not be read for a day.")).toBeTruthy()
  expect(voids.getByText('7')).toBeTruthy()
  expect(voids.getByText('Results decided by late evidence: 12 of 2,000')).toBeTruthy()
  expect(voids.getByText(/^7 days: 10 voids cost users a gain, 0 .* split: 0\.2%$/)).toBeTruthy()
  expect(voids.getByText(/^AAPL takes no orders from /)).toBeTruthy()
  expect(voids.getByText(/contradicted: 3\. Paid in addition: .*25\.50/)).toBeTruthy()
  expect(voids.getByText(/20,000\.00 for 40 orders on binance will be paid on /)).toBeTruthy()
  expect(voids.getByText(/sources: 20\. Equal: 19\. Different: 1\.$/)).toBeTruthy()
})

test('the screen shows that the figures are loading', () => {
  fakeApi({
    'GET /proof/fairness': () => new Promise<never>(() => {}),
    'GET /proof/voids': () => new Promise<never>(() => {}),
    'GET /proof/audit': () => new Promise<never>(() => {}),
  })
  render(<FairnessScreen />)
  expect(document.querySelector('[aria-busy="true"]')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the screen links to the test report on ways to influence a result', () => {
  fakeApi({
    'GET /proof/fairness': () => new Promise<never>(() => {}),
    'GET /proof/voids': () => new Promise<never>(() => {}),
    'GET /proof/audit': () => new Promise<never>(() => {}),
  })
  render(<FairnessScreen />)
  const link = screen.getByRole('link', { name: 'Results cannot be changed' })
  expect(link.getAttribute('href')).toBe('/no-control')
})

test('FN5: the screen offers a retry when loading fails', async () => {
  show({ status: 403, body: { message: 'No', code: 'forbidden' } })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})

test('the screen shows whether measures hit users who were ahead more often than others', async () => {
  show({ body: { data: { fairness: FIGURES } } })
  expect(await screen.findByText('2 now, 4 in 90 days, 75.0% of them ahead')).toBeTruthy()
  const measures = region('Measures against accounts')
  expect(measures.getByText('0 now, 0 in 90 days')).toBeTruthy()
  expect(measures.getByText('30.0% ahead')).toBeTruthy()
})
