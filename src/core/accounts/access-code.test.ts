import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accessCodeState, isAccessCode, makeAccessCode, readAccessCode } from '#core/accounts/access-code.ts'
import { instant } from '#core/time/instant.ts'

it.each([
  ['welcome', 'WELCOME'],
  ['  Summer-26 ', 'SUMMER-26'],
  ['ＡＢ１２', 'AB12'],
])('readAccessCode reads %j as %s', (typed, expected) => {
  expect(readAccessCode(typed)).toBe(expected)
})

it.each([
  ['ABCD', true],
  ['SUMMER-26', true],
  ['ABC', false],
  ['A'.repeat(41), false],
  ['-ABCD', false],
  ['AB--CD', false],
  ['AB CD', false],
  ['ÄBCD', false],
])('isAccessCode(%j) is %s', (code, expected) => {
  expect(isAccessCode(code)).toBe(expected)
})

it.each([
  ['open', {}, 3, 50],
  ['off', { isOn: false }, 0, 50],
  ['coming', {}, 0, 9],
  ['open', {}, 0, 10],
  ['over', {}, 0, 100],
  ['used_up', {}, 4, 50],
  ['open', { maxUses: null, until: null }, 9_999, 500],
] as const)('accessCodeState is %s', (expected, change, used, now) => {
  const rules = { isOn: true, maxUses: 4, from: instant(10), until: instant(100), ...change }
  expect(accessCodeState(rules, used, instant(now))).toBe(expected)
})

describe('makeAccessCode', () => {
  it('makeAccessCode makes a valid code from any random bytes', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 255 })), (bytes) => {
        const code = makeAccessCode((count) => Uint8Array.from({ length: count }, () => bytes.next().value ?? 0))
        expect(isAccessCode(code)).toBe(true)
        expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/)
      }),
    )
  })

  it('makeAccessCode makes each letter equally likely', () => {
    const all = Array.from({ length: 256 }, (_, byte) => byte)
    const counts = new Map<string, number>()
    for (let start = 0; start < 256; start += 1) {
      const rest = [...all.slice(start), ...all.slice(0, start)]
      const first = makeAccessCode((count) => Uint8Array.from(rest.splice(0, count)))[0] ?? ''
      if (start < 248) counts.set(first, (counts.get(first) ?? 0) + 1)
    }
    expect(counts.size).toBe(31)
    expect(new Set(counts.values())).toEqual(new Set([8]))
  })
})
