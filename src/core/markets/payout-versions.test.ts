import { describe, expect, it } from 'vitest'
import { nextPayout, payoutAt, type PayoutVersion } from '#core/markets/payout-versions.ts'
import { basisPoints } from '#core/money/money.ts'
import { instant } from '#core/time/instant.ts'

const announced = (...from: number[]): PayoutVersion[] =>
  from.map((at, place) => ({ version: place + 1, payout: basisPoints(8_000 + place), appliesFrom: instant(at) }))

describe('the payout in force and the next one', () => {
  it.each([
    ['before the first', announced(10), 9, null, 1],
    ['from the exact instant on', announced(10), 10, 1, null],
    ['one future version', announced(0, 50), 10, 1, 2],
    ['one version in force', announced(0, 50), 50, 2, null],
    ['the nearer of two future versions', announced(0, 50, 80), 10, 1, 2],
    ['a version replaced before it took effect', announced(0, 50, 40), 10, 1, 3],
    ['a replaced version never takes effect', announced(0, 50, 40), 60, 3, null],
    ['a version replaced for the same instant', announced(0, 50, 50), 10, 1, 3],
  ])('%s', (_, versions, at, inForce, next) => {
    expect(payoutAt(versions, instant(at))?.version ?? null).toBe(inForce)
    expect(nextPayout(versions, instant(at))?.version ?? null).toBe(next)
    // The order of the versions does not matter.
    expect(payoutAt(versions.toReversed(), instant(at))?.version ?? null).toBe(inForce)
    expect(nextPayout(versions.toReversed(), instant(at))?.version ?? null).toBe(next)
  })
})
