import { describe, expect, it } from 'vitest'
import { chooseBenches } from './choose-benches.mjs'

const KNOWN = ['p01-orders-per-second', 'p10-tick-fan-out', 'receipts']

describe('chooseBenches', () => {
  it('accepts goal ids in either case, with or without zeros, and file names, and returns each file once', () => {
    expect(chooseBenches(['P1', 'p01', 'p10', 'receipts'], KNOWN)).toEqual({ names: KNOWN, unknown: undefined })
    expect(chooseBenches(['p01-orders-per-second'], KNOWN).names).toEqual(['p01-orders-per-second'])
  })

  it('returns all measurements when no measurement is named', () =>
    expect(chooseBenches([], KNOWN).names).toEqual(KNOWN))

  it('does not confuse P1 with P10, and returns an unknown name', () => {
    expect(chooseBenches(['P1'], KNOWN).names).toEqual(['p01-orders-per-second'])
    for (const name of ['P2', 'p', 'P', 'p1-', 'receipt', ''])
      expect(chooseBenches(['P1', name], KNOWN).unknown).toBe(name)
  })
})
