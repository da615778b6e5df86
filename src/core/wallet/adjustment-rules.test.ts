import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRequested, type LinkedRecord } from '#core/wallet/adjustment-rules.ts'
import { money } from '#core/money/money.ts'

const deposit: LinkedRecord = { kind: 'deposit', amount: money(10_000), reversedAmount: money(4_000) }
const RECORDS = { deposit, credit: { ...deposit, kind: 'credit' }, nothing: null } as const

describe('an adjustment', () => {
  it.each([
    ['credit', 1, 'nothing', 'ok'],
    ['credit', -1, 'nothing', 'no_reason'],
    ['credit', -1, 'deposit', 'no_reason'],
    ['deposit_reversed', -6_000, 'deposit', 'ok'],
    ['deposit_reversed', -6_001, 'deposit', 'above_link'],
    ['deposit_reversed', -1, 'credit', 'no_link'],
    ['deposit_reversed', -1, 'nothing', 'no_link'],
    ['deposit_reversed', 1, 'deposit', 'positive'],
    ['paid_twice', -6_000, 'credit', 'ok'],
    ['paid_twice', -1, 'nothing', 'no_link'],
    ['paid_twice', 0, 'deposit', 'positive'],
  ] as const)('%s of %d for %s: %s', (kind, amount, record, outcome) => {
    const checked = checkRequested({ kind, amount: money(amount) }, RECORDS[record])
    expect(checked.ok ? 'ok' : checked.params?.['variant']).toBe(outcome)
  })

  it('an adjustment never takes back more than the linked record added, even if several adjustments reverse it', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 100_000n), fc.array(fc.bigInt(1n, 50_000n), { maxLength: 20 }), (added, pieces) => {
        let reversedAmount = 0n
        for (const piece of pieces) {
          const linked = { kind: 'deposit', amount: money(added), reversedAmount: money(reversedAmount) } as const
          if (checkRequested({ kind: 'deposit_reversed', amount: money(-piece) }, linked).ok) reversedAmount += piece
        }
        expect(reversedAmount).toBeLessThanOrEqual(added)
      }),
    )
  })
})
