import { describe, expect, it } from 'vitest'
import { type Account, HOUSE_ACCOUNTS, isUserAccount, USER_ACCOUNTS } from '#core/ledger/account.ts'
import { TRANSFER_KINDS, type TransferKind } from '#core/ledger/transfer-kinds.ts'
import { BASE_CURRENCY, netChanges, type Transfer, transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'

const move = (from: Account, to: Account, amount: number): Transfer => ({
  userId: 'u',
  ref: 'r',
  step: 's',
  kind: 'deposit',
  from,
  to,
  currency: BASE_CURRENCY,
  amount: money(amount),
})
const NONE = { cash: 0n, staked: 0n, withdrawing: 0n, credits: 0n }

it('isUserAccount is true for user accounts only', () => {
  expect(USER_ACCOUNTS.filter(isUserAccount)).toEqual(['cash', 'staked', 'withdrawing', 'credits'])
  expect(HOUSE_ACCOUNTS.filter(isUserAccount)).toEqual([])
  expect(HOUSE_ACCOUNTS.every((account) => account.startsWith('house:'))).toBe(true)
  expect(new Set(HOUSE_ACCOUNTS).size).toBe(7)
  expect(BASE_CURRENCY).toBe('USDT')
})

describe('transfer', () => {
  it.each(Object.entries(TRANSFER_KINDS))('builds %s with its step and accounts', (kind, movement) => {
    const built = transfer(kind as TransferKind, { userId: 'u', ref: 'r', amount: money(5) })
    expect(built).toEqual({ userId: 'u', ref: 'r', kind, ...movement, currency: BASE_CURRENCY, amount: 5n })
  })

  it('transfer uses the given step instead of the step of its kind', () => {
    const built = transfer('beginner_task', { userId: 'u', ref: 'u', step: 'task:check', amount: money(5) })
    expect(built).toMatchObject({ step: 'task:check', from: 'house:bonus', to: 'credits' })
  })
})

it.each([
  ['no transfers', [], NONE],
  ['a transfer between two user accounts', [move('cash', 'staked', 7)], { ...NONE, cash: -7n, staked: 7n }],
  ['a transfer from a house account', [move('house:deposits', 'cash', 7)], { ...NONE, cash: 7n }],
  ['a transfer to a house account', [move('withdrawing', 'house:withdrawals', 7)], { ...NONE, withdrawing: -7n }],
  ['a transfer between house accounts', [move('house:bonus', 'house:trading', 7)], NONE],
  [
    'several transfers in a row',
    [
      move('cash', 'staked', 7),
      move('staked', 'cash', 7),
      move('house:trading', 'cash', 5),
      move('cash', 'credits', 2),
    ],
    { ...NONE, cash: 3n, credits: 2n },
  ],
] as const)('netChanges sums up %s', (_what, transfers, expected) => {
  const net = netChanges(transfers)
  expect(net).toEqual(expected)
  expect(Object.keys(net)).toEqual([...USER_ACCOUNTS])
})
