import { describe, expect, it } from 'vitest'
import { chooseBenches } from './choose-benches.mjs'

const KNOWN = ['p01-orders-per-second', 'p10-tick-fan-out', 'receipts']

describe('chooseBenches', () => {
  it('accepts file names and goal ids in any letter case, with or without leading zeros, and returns each file once', () => {
    expect(chooseBenches(['P1', 'p01', 'p10', 'receipts'], KNOWN)).toEqual({ names: KNOWN, unknown: undefined })
    expect(chooseBenches(['p01-orders-per-second'], KNOWN).names).toEqual(['p01-orders-per-second'])
  })

  it('returns all measurements when no measurement is named', () =>
    expect(chooseBenches([], KNOWN).names).toEqual(KNOWN))

  it('does not confuse P1 with P10, and returns an unknown name as unknown', () => {
    expect(chooseBenches(['P1'], KNOWN).names).toEqual(['p01-orders-per-second'])
    for (const name of ['P2', 'p', 'P', 'p1-', 'receipt', ''])
      expect(chooseBenches(['P1', name], KNOWN).unknown).toBe(name)
  })
})
