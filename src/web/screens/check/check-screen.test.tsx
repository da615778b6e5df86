import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { bundleText } from '#core/proof/bundle-file.ts'
import type { Bundle } from '#core/proof/check-bundle.ts'
import type { Receipt } from '#core/proof/receipt.ts'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { aSignedOrder, type OrderSketch, type SignedOrder } from '#test/support/signed-order.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { CheckScreen } from '#web/screens/check/check-screen.tsx'
import { getSession, signIn, signOut } from '#web/session/session.ts'

const TRX = 'ABCD1234'
beforeEach(() => {
  signOut()
  queryClient.clear()
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } })
})

const keysAnswer = (bundle: Bundle): FakeAnswer => ({ body: { data: { keys: bundle.keys } } })
const evidenceAnswer = ({ bundle, next, line }: SignedOrder): FakeAnswer => ({
  body: { data: { entry_log: bundle.entryLog, exit_log: bundle.exitLog, terms: [], sources: [], next, line } },
})
const answersOf = (order: SignedOrder): Record<string, FakeAnswer> => ({
  [`GET /proof/receipts/${TRX}`]: { body: { data: { accepted: order.bundle.accepted, result: order.bundle.result } } },
  [`GET /proof/evidence/${TRX}`]: evidenceAnswer(order),
  'GET /proof/keys': keysAnswer(order.bundle),
})

function shown(params: { trx?: string } = { trx: TRX }): void {
  render(
    <ToastProvider dismissLabel="Close">
      <CheckScreen params={params} />
    </ToastProvider>,
  )
}
/** Returns the heading of the verdict, by its role: status, or alert for a mismatch. */
async function verdict(role: 'status' | 'alert'): Promise<HTMLElement> {
  const headings = await screen.findAllByRole('heading', { name: VERDICTS })
  expect(headings).toHaveLength(1)
  const box = headings[0]?.closest<HTMLElement>('[role="status"], [role="alert"]')
  expect(box?.getAttribute('role')).toBe(role)
  return box ?? document.body
}
const LOADING = /^Loading/
const VERDICTS = /^(Recalculated here|Accepted as the receipt says|This does not match)/
const noVerdict = () => expect(screen.queryByText(/Matches|Recalculated|does not match/)).toBeNull()

function checked(order: SignedOrder) {
  const api = fakeApi(answersOf(order))
  shown()
  return api
}

describe('a valid result', () => {
  test.each<[string, OrderSketch, string, RegExp]>([
    ['a buy that won', {}, 'Recalculated here: won', /A buy wins when it is above/],
    ['a buy that lost', { exit: 9_399_900 }, 'Recalculated here: lost', /A buy wins/],
    [
      'a sell that won',
      { direction: 'sell', exit: 9_399_900 },
      'Recalculated here: won',
      /A sell wins when it is below/,
    ],
    ['a draw', { exit: 9_400_000 }, 'Recalculated here: draw', /A buy wins/],
    ['one without a price', { exit: null }, 'Recalculated here: void, stake returned', /order is void/],
  ])('PR5: is confirmed for %s, with the rule', async (_, sketch, headline, rule) => {
    checked(aSignedOrder(sketch))
    const found = await verdict('status')
    expect(within(found).getByRole('heading', { name: headline })).toBeTruthy()
    expect(found.textContent).toContain('Matches the stored result.')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText(rule)).toBeTruthy()
  })

  test('PR5: the page shows the known facts of an open order, and no result', async () => {
    checked(aSignedOrder({ isRunning: true }))
    const found = await verdict('status')
    expect(found.textContent).toContain('Accepted as the receipt says')
    expect(found.textContent).toContain('The order is still open.')
    expect(screen.queryByText(/Matches the stored result|Recalculated/)).toBeNull()
  })
})

describe('the times of an order', () => {
  const steps = () => within(screen.getByRole('list', { name: 'Times of the order' })).getAllByRole('listitem')
  const shownSteps = () => steps().map(({ textContent }) => textContent.replaceAll(/[\u2066-\u2069]/g, ''))
  const rowsAround = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      )
  const [ACCEPTED, ENTRY, EXPIRY] = [
    'Accepted18 Mar 12:00:01.000 UTC',
    'Entry18 Mar 12:00:00.500 UTC94,000.0000',
    'Expiry18 Mar 12:01:01.000 UTC · 1 min after acceptance',
  ]

  test('P17: the times of an order are acceptance, entry, expiry, exit and next tick, to the millisecond, in this order', async () => {
    checked(aSignedOrder())
    await verdict('status')
    expect(shownSteps()).toEqual([
      ACCEPTED,
      ENTRY,
      EXPIRY,
      'Exit, last tick before expiry18 Mar 12:01:00.900 UTC94,000.5000',
      'Next tick, not counted18 Mar 12:01:01.100 UTC94,000.0900',
    ])
  })

  test('P17: the times of an order end with the expiry while the order is open', async () => {
    checked(aSignedOrder({ isRunning: true }))
    await verdict('status')
    expect(shownSteps()).toEqual([ACCEPTED, ENTRY, EXPIRY])
  })

  test('P17: the times of a void order explain why the order has no exit', async () => {
    checked(aSignedOrder({ exit: null }))
    await verdict('status')
    expect(shownSteps()[3]).toBe('Exit, last tick before expiryNo price arrived shortly before the expiry.')
  })

  test('P18: the times include the tick after the expiry even when a heartbeat decided the price', async () => {
    checked(aSignedOrder({ isByHeartbeat: true }))
    await verdict('status')
    expect(shownSteps()[4]).toBe('Next tick, not counted18 Mar 12:01:01.100 UTC94,000.0900')
    expect(rowsAround().at(-2)).toEqual(['3', '12:01:00.900', '94,000.5000', 'Exit'])
    expect(rowsAround().at(-1)).toEqual(['4', '12:01:01.100', '94,000.0900', 'after'])
  })

  test('P18: the times list the tick after the expiry once when the receipt names it', async () => {
    checked(aSignedOrder())
    await verdict('status')
    expect(rowsAround().map(([place]) => place)).toEqual(['3', '4'])
  })

  test('P18: the page requests the tick after the expiry until it arrives', async () => {
    const order = aSignedOrder({ isByHeartbeat: true })
    checked({ ...order, next: null })
    await verdict('status')
    expect(shownSteps()[4]).toBe('Next tick, not countedNo later tick is known yet.')
    fakeApi(answersOf(order))
    await waitFor(() => expect(shownSteps()[4]).toContain('94,000.0900'))
  })

  test('P18: the file includes the tick after the expiry', async () => {
    fakeApi({})
    shown({})
    const { bundle, next, line } = aSignedOrder({ isByHeartbeat: true })
    const file = new File([bundleText(bundle, line, next)], 'receipt.json', { type: 'application/json' })
    await userEvent.setup().upload(screen.getByLabelText(/Choose or drop a file/), file)
    await verdict('status')
    expect(shownSteps()[4]).toContain('94,000.0900')
  })
})

/** A change of the server's reply, and the expected message. */
type Tampering = [name: string, change: (bundle: Bundle) => Bundle, words: string]

const inResult = (bundle: Bundle, change: (result: Receipt) => Partial<Receipt>): Bundle =>
  bundle.result === null ? bundle : { ...bundle, result: { ...bundle.result, ...change(bundle.result) } }
const signedAnew = (lies: Partial<ResultFacts>) => () => aSignedOrder({ lies, isOwn: true }).bundle
const tick = (q: number, price: number) => ({ q, price, time_ms: Date.UTC(2026, 2, 18, 12, 1, 0, 900) })

const TAMPERINGS: readonly Tampering[] = [
  [
    'facts written otherwise',
    (all) => inResult(all, ({ facts }) => ({ facts: `${facts} ` })),
    'The facts of the receipt do not have the required format',
  ],
  [
    'a fact changed after signing',
    (all) => inResult(all, ({ facts }) => ({ facts: facts.replace('8000', '9000') })),
    'The facts are not the ones that were signed.',
  ],
  [
    'a stake changed',
    (all) => inResult(all, ({ owner = '' }) => ({ owner: owner.replace('1000', '9000') })),
    'The stake shown does not belong to this order.',
  ],
  [
    'a tick changed in the log',
    (all) => ({
      ...all,
      exitLog: all.exitLog.map((batch) => ({ ...batch, payload: batch.payload.replace('94000', '94001') })),
    }),
    'The price log was changed: from position 3 on, its hashes do not match.',
  ],
  ['a tick taken out of the log', (all) => ({ ...all, exitLog: [] }), 'The price log was changed'],
  [
    'a log that begins after the exit',
    (all) => ({ ...all, exitLog: all.exitLog.slice(1) }),
    'This part of the price log is too short',
  ],
  [
    'the log of another moment',
    (all) => ({ ...all, exitLog: all.exitLog.slice(0, 1) }),
    'The receipt refers to a different price log.',
  ],
  ['another entry', signedAnew({ entry: tick(1, 9_390_000) }), 'The entry is not the latest price'],
  [
    'another exit',
    signedAnew({ exit: tick(3, 9_410_000) }),
    'The exit, or the price after it, is not the one in the log.',
  ],
  [
    'another price after it',
    signedAnew({ next: tick(3, 1) }),
    'The exit, or the price after it, is not the one in the log.',
  ],
  ['another result', signedAnew({ result: 'lose' }), 'The stored result does not follow from the rule.'],
  [
    'a void that was none',
    signedAnew({ void: 'no_price_after_expiry', exit: null, result: 'draw' }),
    'The stored result does not follow from the rule.',
  ],
  [
    'no signature at all',
    (all) => inResult(all, () => ({ signature: 'x' })),
    'The signature was not made with the key that it names.',
  ],
  [
    'a signature of something else',
    (all) => inResult(all, () => ({ signature: all.accepted?.signature ?? '' })),
    'The facts are not the ones that were signed.',
  ],
  [
    'a key of somebody else',
    (all) => ({ ...all, keys: aSignedOrder().bundle.keys }),
    'The receipt was signed with a key that was never published.',
  ],
  [
    'another key under the published id',
    (all) => ({ ...all, keys: all.keys.map((key) => ({ ...key, x: aSignedOrder().bundle.keys[0]?.x ?? '' })) }),
    'The receipt was signed with a key that was never published.',
  ],
  [
    'a key that nobody published',
    (all) => ({ ...all, keys: all.keys.map((key) => ({ ...key, kid: 'other' })) }),
    'The receipt was signed with a key that was never published.',
  ],
  [
    'a key that was retired before',
    (all) => ({ ...all, keys: all.keys.map((key) => ({ ...key, retired_ms: key.from_ms + 1 })) }),
    'The receipt was signed with a key that was not in use at that time.',
  ],
  [
    'a key that came after',
    (all) => ({ ...all, keys: all.keys.map((key) => ({ ...key, from_ms: key.from_ms + 100_000 })) }),
    'The receipt was signed with a key that was not in use at that time.',
  ],
  ['receipts of two orders', signedAnew({ trx: 'OTHER999' }), 'The receipts belong to different orders.'],
  ['receipts of two terms', signedAnew({ payout_bp: 9_000 }), 'The receipts belong to different orders.'],
]

describe('a mismatch', () => {
  test.each(TAMPERINGS)('PR5: a mismatch is shown as an alert: %s', async (_, change, words) => {
    const order = aSignedOrder({ isOwn: true })
    checked({ ...order, bundle: change(order.bundle) })
    const alert = await verdict('alert')
    expect(within(alert).getByRole('heading', { name: 'This does not match!' })).toBeTruthy()
    expect(alert.textContent).toContain(words)
    expect(alert.textContent).toContain('Download the file and keep it')
    expect(screen.queryByText(/Matches the stored result/)).toBeNull()
  })

  test('PR5: the page shows what the result should have been', async () => {
    checked(aSignedOrder({ lies: { result: 'lose' } }))
    expect((await verdict('alert')).textContent).toContain('Recalculated here: won')
  })

  test('a reply about another order shows a mismatch', async () => {
    const order = aSignedOrder()
    const answers = answersOf(order)
    fakeApi(
      Object.fromEntries(Object.entries(answers).map(([route, answer]) => [route.replace(TRX, 'WANTED00'), answer])),
    )
    shown({ trx: 'WANTED00' })
    expect((await verdict('alert')).textContent).toContain('belong to different orders')
  })
})

describe('an order that cannot be checked', () => {
  test.each([
    ['an unknown reference', 404, 'receipt_unknown', 'There is no receipt with this reference'],
    ['an order without its receipt yet', 422, 'receipt_not_yet', 'It is being signed'],
    ['a log that is gone', 410, 'evidence_gone', 'The log of that day is gone'],
  ])('PR5: an order that cannot be checked has no verdict: %s', async (_, status, code, message) => {
    const refused = { status, body: { code, message } }
    const answers = { [`GET /proof/receipts/${TRX}`]: refused, [`GET /proof/money/${TRX}`]: refused }
    fakeApi({ ...answersOf(aSignedOrder()), ...answers })
    shown()
    expect(await screen.findByText(message)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
    noVerdict()
  })

  test('PR5: the page shows a network failure, and checks the order once the network is back', async () => {
    fakeApi({})
    shown()
    const again = await screen.findByRole('button', { name: 'Try again' })
    noVerdict()
    fakeApi(answersOf(aSignedOrder()))
    await userEvent.setup().click(again)
    expect((await verdict('status')).textContent).toContain('Recalculated here: won')
  })

  test('the page shows that the check is loading', () => {
    fakeApi({ 'GET /proof/keys': () => new Promise<never>(() => {}) })
    shown()
    expect(screen.getByText(LOADING).closest('[aria-busy="true"]')).toBeTruthy()
  })
})

describe('a file', () => {
  async function choose(text: string): Promise<void> {
    shown({})
    const input = screen.getByLabelText(/Choose or drop a file/)
    await userEvent.setup().upload(input, new File([text], 'receipt.json', { type: 'application/json' }))
  }
  const fileOf = ({ bundle, next, line }: SignedOrder) => bundleText(bundle, line, next)

  test('the check of a file requests only the keys', async () => {
    const order = aSignedOrder({ isOwn: true })
    const { seen } = fakeApi({ 'GET /proof/keys': keysAnswer(order.bundle) })
    signIn({ token: 'T', user: aUser() })
    await choose(fileOf(order))
    expect((await verdict('status')).textContent).toContain('Matches the stored result.')
    expect(seen.map(({ route }) => route)).toEqual(['GET /proof/keys'])
  })

  test('the page says when there were no published keys to compare with', async () => {
    fakeApi({})
    const order = aSignedOrder()
    await choose(fileOf(order))
    expect((await verdict('status')).textContent).toContain('The published keys could not be fetched')
    expect(screen.getByText(order.bundle.keys[0]?.kid ?? '')).toBeTruthy()
  })

  test('P11: a file with a forged key under a published id does not match offline, and shows no id', async () => {
    fakeApi({})
    const [order, published] = [aSignedOrder(), aSignedOrder().bundle.keys[0]]
    const keys = order.bundle.keys.map((key) => ({ ...key, kid: published?.kid ?? '' }))
    await choose(fileOf({ ...order, bundle: { ...order.bundle, keys } }))
    expect((await verdict('alert')).textContent).toContain(
      'The receipt was signed with a key that was never published.',
    )
    expect(screen.queryByText('Signed with the key')).toBeNull()
  })

  test('PR5: a file from a server that never signed the receipt does not match, whatever keys the file contains', async () => {
    fakeApi({ 'GET /proof/keys': keysAnswer(aSignedOrder().bundle) })
    await choose(fileOf(aSignedOrder()))
    expect((await verdict('alert')).textContent).toContain('This does not match!')
  })

  test('a file with only a receipt is checked with the log and keys of the server', async () => {
    const order = aSignedOrder()
    fakeApi(answersOf(order))
    await choose(JSON.stringify(order.bundle.result))
    expect((await verdict('status')).textContent).toContain('Recalculated here: won')
  })

  test.each([
    ['that is cut off', fileOf(aSignedOrder()).slice(0, 500), 'The file is cut off or is not JSON.'],
    ['of something else', '{"hello":"world"}', 'The file contains no receipt or statement that this page can read.'],
  ])('PR5: %s shows its error beside its field and has no verdict', async (_, text, words) => {
    fakeApi({})
    await choose(text)
    expect(await screen.findByText(words)).toBeTruthy()
    noVerdict()
  })

  test('without a file, the reference is required', async () => {
    fakeApi({})
    shown({})
    await userEvent.setup().click(screen.getByRole('button', { name: 'Check this result' }))
    expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
  })
})

describe('the task of checking a result', () => {
  const REPORT = 'POST /user/tasks/checked'
  const paid = (amount: number): FakeAnswer => ({ body: { data: { paid: amount, points: 1_234 } } })
  function checkedBy(isSignedIn: boolean, order: SignedOrder, answer = paid(500)) {
    if (isSignedIn) signIn({ token: 'T', user: aUser({ points: 0 }) })
    const { seen } = fakeApi({ ...answersOf(order), [REPORT]: answer })
    shown()
    return () => seen.filter(({ route }) => route === REPORT)
  }

  test("PR5: the task is reported once for the user's own valid result, and its reward is shown", async () => {
    const reports = checkedBy(true, aSignedOrder({ isOwn: true }))
    expect(await screen.findByText('500 credits for checking a result of your own')).toBeTruthy()
    await waitFor(() => expect(getSession()?.user.points).toBe(1_234))
    await userEvent.setup().click(screen.getByRole('button', { name: 'Check again' }))
    await screen.findByText(/Matches the stored result/)
    expect(reports().map(({ body }) => body)).toEqual([{ trx: TRX }])
  })

  test('the page shows no credits if they were paid before', async () => {
    const reports = checkedBy(true, aSignedOrder({ isOwn: true }), paid(0))
    await waitFor(() => expect(reports()).toHaveLength(1))
    await waitFor(() => expect(getSession()?.user.points).toBe(1_234))
    expect(screen.queryByText(/credits for checking/)).toBeNull()
  })

  test.each<[string, boolean, OrderSketch]>([
    ['without a session', false, { isOwn: true }],
    ['of another user', true, {}],
    ['that is still open', true, { isOwn: true, isRunning: true }],
    ['that does not match', true, { isOwn: true, lies: { result: 'lose' } }],
  ])('is not reported for a result %s', async (_, isSignedIn, sketch) => {
    const reports = checkedBy(isSignedIn, aSignedOrder(sketch))
    await screen.findByText(/Matches|still open|This does not match/)
    expect(reports()).toEqual([])
  })

  test('a failed report to the task does not affect the verdict', async () => {
    const reports = checkedBy(true, aSignedOrder({ isOwn: true }), { status: 422, body: { code: 'x', message: 'No' } })
    await waitFor(() => expect(reports()).toHaveLength(1))
    expect((await verdict('status')).textContent).toContain('Matches')
    expect(screen.queryByText('No')).toBeNull()
  })
})
