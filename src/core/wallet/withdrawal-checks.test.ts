import { describe, expect, it } from 'vitest'
import { DAY_MS, instant } from '#core/time/instant.ts'
import { type WithdrawalFacts, withdrawalChecks } from '#core/wallet/withdrawal-checks.ts'

const NOW = instant(1_800_000_000_000)
const FACTS: WithdrawalFacts = {
  confirmedBy: 'pin',
  isVerified: true,
  hasEmail: true,
  requestedAt: NOW,
  pinChangedAt: null,
  paymentsToSame: 3,
  detailsStand: true,
  details: { 'Wallet address': 'TXYZ' },
  firstname: '',
  lastname: '',
}
const failed = (facts: Partial<WithdrawalFacts>) =>
  withdrawalChecks({ ...FACTS, ...facts })
    .filter(({ passed }) => !passed)
    .map(({ check }) => check)
const names = (facts: Partial<WithdrawalFacts>) => withdrawalChecks({ ...FACTS, ...facts }).map(({ check }) => check)

describe('withdrawalChecks', () => {
  it('withdrawalChecks lists only checks that our records can answer', () => {
    expect(names({})).toEqual(['pin_confirmed', 'email_verified', 'known_details'])
    expect(names({ hasEmail: false })).toContain('mobile_verified')
    expect(names({ confirmedBy: null })).toEqual(['email_verified', 'known_details'])
    expect(failed({})).toEqual([])
  })

  it.each([
    [{ confirmedBy: 'code' }, ['code_confirmed']],
    [{ confirmedBy: 'none' }, ['not_confirmed']],
    [{ isVerified: false }, ['email_verified']],
    [{ paymentsToSame: 0 }, ['known_details']],
    [{ detailsStand: false }, ['details_stand']],
    [{ pinChangedAt: instant(NOW - 2 * DAY_MS) }, []],
    [{ pinChangedAt: instant(NOW - 2 * DAY_MS + 1) }, ['pin_age']],
    [{ pinChangedAt: NOW }, ['pin_age']],
    [{ pinChangedAt: instant(NOW + 1) }, []],
  ] as const)('%j fails %j', (facts, expected) => {
    expect(failed(facts)).toEqual(expected)
  })

  it('withdrawalChecks counts earlier payouts and full days since the PIN change', () => {
    const found = withdrawalChecks({ ...FACTS, pinChangedAt: instant(NOW - 2 * DAY_MS + 1) })
    expect(found).toContainEqual({ check: 'known_details', passed: true, count: 3 })
    expect(found).toContainEqual({ check: 'pin_age', passed: false, count: 1 })
  })

  it('withdrawalChecks leaves out the name check when the details name no holder', () => {
    expect(names({ firstname: 'Ada', lastname: 'Lovelace' })).not.toContain('name')
  })

  it.each([
    ['Ada', 'Lovelace', 'LOVELACE, Ada', true],
    ['Jean', 'Paul', '-- Jean -- Paul --', true],
    ['José', 'Núñez', 'Jose Nunez', true],
    ['Ada', '', 'Ada King', true],
    ['Ada', 'Lovelace', 'Ada King', false],
    ['Ada', 'Lovelace', '', false],
    ['', '', 'Ada King', null],
  ])('withdrawalChecks compares the user %s %s with the holder %s: %s', (firstname, lastname, holder, expected) => {
    const found = withdrawalChecks({ ...FACTS, firstname, lastname, details: { 'Account holder': holder } })
    expect(found.find(({ check }) => check === 'name')?.passed ?? null).toBe(expected)
  })
})
