import { describe, expect, it } from 'vitest'
import { nextPayout, payoutAt, type PayoutVersion } from '#core/markets/payout-versions.ts'
import { basisPoints } from '#core/money/money.ts'
import { instant } from '#core/time/instant.ts'

const announced = (...from: number[]): PayoutVersion[] =>
  from.map((at, place) => ({ version: place + 1, payout: basisPoints(8_000 + place), appliesFrom: instant(at) }))

describe('payouts by time', () => {
  it.each([
    ['before the first', announced(10), 9, null, 1],
    ['from the very moment', announced(10), 10, 1, null],
    ['one to come', announced(0, 50), 10, 1, 2],
    ['one that came', announced(0, 50), 50, 2, null],
    ['two to come, the nearer first', announced(0, 50, 80), 10, 1, 2],
    ['one replaced before it counted', announced(0, 50, 40), 10, 1, 3],
    ['the replaced one never comes', announced(0, 50, 40), 60, 3, null],
    ['replaced for the same moment', announced(0, 50, 50), 10, 1, 3],
  ])('%s', (_, versions, at, inForce, next) => {
    expect(payoutAt(versions, instant(at))?.version ?? null).toBe(inForce)
    expect(nextPayout(versions, instant(at))?.version ?? null).toBe(next)
    // The order they are read in does not matter.
    expect(payoutAt(versions.toReversed(), instant(at))?.version ?? null).toBe(inForce)
    expect(nextPayout(versions.toReversed(), instant(at))?.version ?? null).toBe(next)
  })
})
