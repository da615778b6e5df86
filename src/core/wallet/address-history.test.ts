import { expect, it } from 'vitest'
import { DAY_MS, instant, later } from '#core/time/instant.ts'
import { addressHistory } from '#core/wallet/address-history.ts'

const START = instant(1_764_000_000_000)
const line = (days: number, address: string) => ({ since: later(START, days * DAY_MS), address })
const [OLD, NEW] = ['bc1-former-address', 'bc1-current-address']

it.each([
  ['no address', [line(0, '')], '', 1, null],
  ['no stored line', [], NEW, 1, null],
  ['an unknown start', [{ since: instant(0), address: NEW }], NEW, 1, null],
  ['the first address', [line(0, NEW)], NEW, 1, { since: START, before: null }],
  ['a new rate only', [line(0, NEW), line(3, NEW)], NEW, 4, { since: START, before: null }],
  [
    'a change of this week',
    [line(0, OLD), line(3, NEW), line(4, NEW)],
    NEW,
    9,
    { since: line(3, '').since, before: OLD.slice(-6) },
  ],
  ['a change seven days ago', [line(0, OLD), line(3, NEW)], NEW, 10, { since: line(3, '').since, before: null }],
  [
    'an address that came back',
    [line(0, NEW), line(3, OLD), line(4, NEW)],
    NEW,
    5,
    { since: line(4, '').since, before: OLD.slice(-6) },
  ],
  ['an address after none', [line(0, ''), line(3, NEW)], NEW, 4, { since: line(3, '').since, before: null }],
])('addressHistory finds since when an address is in force: %s', (_, lines, current, day, expected) => {
  expect(addressHistory(lines, current, later(START, day * DAY_MS))).toEqual(expected)
})
