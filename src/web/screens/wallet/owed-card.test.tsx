import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { type DayRecord, headOf, NO_HEAD } from '#core/proof/day-record.ts'
import { leavesOf, totalLiability, PARTS } from '#core/proof/liability.ts'
import { type OwnProof, PROOF_FORMAT, PROOF_VERSION } from '#core/proof/own-proof.ts'
import { hashOf, levelsAbove, placeAt, siblingsOf, sumOf } from '#core/proof/sum-tree.ts'
import { joinBytes, type Sha256, toHex } from '#core/proof/bytes.ts'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient, withData } from '#web/api/query.tsx'
import { OwedCard } from '#web/screens/wallet/owed-card.tsx'
import { signIn } from '#web/session/session.ts'

/** Node's SHA-256, so that the browser's SHA-256 is compared with another implementation. */
const sha256: Sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest())
const ID = '0195a000-0000-7000-8000-000000000001'
const user = aUser({ id: ID })
const Shown = withData(OwedCard)
beforeEach(() => {
  queryClient.clear()
  signIn({ token: 'T', user })
})

/** The proof of a single account, in a tree of its four parts. */
function aProof(number = 1): OwnProof {
  const owed = { cash: 70_000n, staked: 20_000n, withdrawing: 10_000n }
  const salt = new Uint8Array(32).fill(7)
  const amounts = [1n, 2n, 3n, totalLiability(owed) - 6n]
  const leaves = leavesOf(sha256, { ...owed, accountId: ID, salt }, amounts)
  const levels = levelsAbove(sha256, joinBytes(...leaves))
  const top = placeAt(levels.at(-1) ?? new Uint8Array(), 0)
  const unsigned: Omit<DayRecord, 'head'> = {
    number,
    day: '2026-11-21',
    taken_at: '2026-11-21T00:00:00.000Z',
    currency: 'USDT',
    leaves: PARTS,
    total: String(sumOf(top)),
    root: toHex(hashOf(top)),
    previous: NO_HEAD,
  }
  return {
    format: PROOF_FORMAT,
    version: PROOF_VERSION,
    record: { ...unsigned, head: headOf(sha256, unsigned) },
    account: { id: ID, salt: toHex(salt), cash: '70000', staked: '20000', withdrawing: '10000' },
    parts: amounts.map((amount, index) => ({
      amount: String(amount),
      index,
      siblings: siblingsOf(levels, index).map((place) => ({ hash: toHex(hashOf(place)), sum: String(sumOf(place)) })),
    })),
  }
}

const NEXT = '2026-11-22T00:00:00.000Z'
const own = (proof: OwnProof | null): FakeAnswer => ({ body: { data: { proof, next_at: NEXT } } })
const published = (days: DayRecord[]): FakeAnswer => ({
  body: { data: { days, since: '2026-11-21', next_at: NEXT, kept_days: 30, statement: '' } },
})
const MATCHES = 'Your balance is in the published total'

test('LI6: the card checks the proof and shows its content', async () => {
  const proof = aProof()
  fakeApi({ 'GET /user/proof/liabilities': own(proof), 'GET /proof/liabilities': published([proof.record]) })
  render(<Shown user={user} />)
  expect(await screen.findByText(MATCHES)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText('$700.00')).toBeTruthy()
  expect(screen.getByText('$1,000.00')).toBeTruthy()
  expect(screen.getByText(/what is owed, not what is held/)).toBeTruthy()
})

test.each<[string, (proof: OwnProof) => OwnProof, (proof: OwnProof) => DayRecord[], string]>([
  [
    'less than is owed',
    (proof) => ({ ...proof, account: { ...proof.account, cash: '69999' } }),
    ({ record }) => [record],
    'The four parts are yours',
  ],
  [
    'the proof of somebody else',
    (proof) => ({ ...proof, account: { ...proof.account, id: ID.replace(/1$/, '2') } }),
    ({ record }) => [record],
    'The four parts are yours',
  ],
  [
    'another salt',
    (proof) => ({ ...proof, account: { ...proof.account, salt: 'a'.repeat(64) } }),
    ({ record }) => [record],
    'They are included in the total',
  ],
  [
    'a total that was published otherwise',
    (proof) => proof,
    ({ record }) => {
      const other = { ...record, total: '99999' }
      return [{ ...other, head: headOf(sha256, other) }]
    },
    'The total is the published one',
  ],
])('LI6: shows an alert about %s', async (_, change, days, step) => {
  const proof = aProof()
  fakeApi({ 'GET /user/proof/liabilities': own(change(proof)), 'GET /proof/liabilities': published(days(proof)) })
  render(<Shown user={user} />)
  expect((await screen.findByRole('alert')).textContent).toContain('This does not match!')
  expect(screen.queryByText(MATCHES)).toBeNull()
  const failed = screen.getAllByText('Failed:').map((mark) => mark.parentElement?.textContent)
  expect(failed.some((text) => text?.includes(step))).toBe(true)
})

test('the card shows when a new account will be included', async () => {
  fakeApi({ 'GET /user/proof/liabilities': own(null), 'GET /proof/liabilities': published([]) })
  render(<Shown user={user} />)
  expect(await screen.findByText(/Your account is not in a proof yet. Next proof: 22 Nov/)).toBeTruthy()
})

test('the card shows a loading failure and offers a retry', async () => {
  const proof = aProof()
  let isUp = false
  fakeApi({
    'GET /user/proof/liabilities': () =>
      isUp ? own(proof) : { status: 422, body: { message: 'Not now', code: 'busy' } },
    'GET /proof/liabilities': published([proof.record]),
  })
  render(<Shown user={user} />)
  expect(await screen.findByText('Not now')).toBeTruthy()
  isUp = true
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(MATCHES)).toBeTruthy()
})

test('LI6: no verdict about a new proof before the published list was read after it', async () => {
  const [proof, next] = [aProof(), aProof(2)]
  fakeApi({ 'GET /user/proof/liabilities': own(proof), 'GET /proof/liabilities': published([proof.record]) })
  const { unmount } = render(<Shown user={user} />)
  expect(await screen.findByText(MATCHES)).toBeTruthy()
  const { seen } = fakeApi({
    'GET /user/proof/liabilities': own(next),
    'GET /proof/liabilities': { status: 422, body: { message: 'Not now', code: 'busy' } },
  })
  await act(() => queryClient.invalidateQueries())
  expect(seen.map(({ route }) => route)).toEqual(['GET /user/proof/liabilities', 'GET /proof/liabilities'])
  unmount()
  render(<Shown user={user} />)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByText(MATCHES)).toBeTruthy()
})

test('LI6: the list that is requested after a new proof must contain the proof', async () => {
  const [proof, next] = [aProof(), aProof(2)]
  fakeApi({ 'GET /user/proof/liabilities': own(next), 'GET /proof/liabilities': published([proof.record]) })
  render(<Shown user={user} />)
  expect((await screen.findByRole('alert')).textContent).toContain('This does not match!')
})
