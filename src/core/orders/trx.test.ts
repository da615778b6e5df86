import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTrxStart, TRX_BYTES, trxFrom } from '#core/orders/trx.ts'
import { instant, later, SECOND_MS } from '#core/time/instant.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const START = instant(Date.UTC(2026, 0, 1))
const STEP_MS = 32 * SECOND_MS
const NONE = new Uint8Array(TRX_BYTES)
const ALL = new Uint8Array(TRX_BYTES).fill(255)

const someBytes = fc.uint8Array({ minLength: TRX_BYTES, maxLength: TRX_BYTES })

describe('a reference', () => {
  it.each<[string, number, Uint8Array]>([
    ['FW-00000-00000-00000', START, NONE],
    ['FW-00000-00000-00000', START + STEP_MS - 1, NONE],
    ['FW-00001-00000-00000', START + STEP_MS, NONE],
    ['FW-06A17-00000-00000', Date.UTC(2026, 2, 18, 15), NONE],
    ['FW-ZZZZZ-00000-00000', START + 2 ** 25 * STEP_MS - 1, NONE],
    ['FW-00000-00000-00000', START + 2 ** 25 * STEP_MS, NONE],
    ['FW-ZZZZZ-00000-00000', START - 1, NONE],
    ['FW-00000-ZZZZZ-ZZZZZ', START, ALL],
    ['FW-00000-00000-00001', START, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1)],
    ['FW-00000-00000-G0000', START, Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0)],
    ['FW-00000-00001-00000', START, Uint8Array.of(0, 0, 0, 0, 2, 0, 0, 0)],
    ['FW-00000-G0000-00000', START, Uint8Array.of(0, 2, 0, 0, 0, 0, 0, 0)],
    ['FW-00000-00000-00000', START, Uint8Array.of(255, 252, 0, 0, 0, 0, 0, 0)],
  ])('is %s at time %d with the bytes %j', (trx, at, bytes) => {
    expect(trxFrom(bytes, instant(at))).toBe(trx)
  })

  it('a reference ends with the low 50 random bits, the most significant bit first', () => {
    fc.assert(
      fc.property(someBytes, fc.integer({ min: 0, max: 4e12 }), (bytes, at) => {
        const trx = trxFrom(bytes, instant(at))
        expect(trx).toMatch(/^FW(-[0-9A-HJKMNP-TV-Z]{5}){3}$/)
        const letters = trx.slice('FW-TTTTT-'.length).replace('-', '')
        const value = letters.split('').reduce((sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)), 0n)
        expect(value).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`) & (2n ** 50n - 1n))
      }),
    )
  })

  it('a reference sorts after all references of earlier time steps', () => {
    const years = fc.integer({ min: 0, max: 33 * 365 * 24 * 3_600 }).map((seconds) => later(START, seconds * SECOND_MS))
    fc.assert(
      fc.property(years, fc.integer({ min: STEP_MS, max: 1e10 }), someBytes, someBytes, (at, gap, one, other) => {
        expect(trxFrom(one, at) < trxFrom(other, later(at, gap))).toBe(true)
      }),
    )
  })

  it('trxFrom accepts random bytes that are a part of a larger buffer', () => {
    const within = new Uint8Array([255, 255, ...new Uint8Array(TRX_BYTES), 255]).subarray(2, 2 + TRX_BYTES)
    expect(trxFrom(within, START)).toBe('FW-00000-00000-00000')
  })

  it.each([0, TRX_BYTES - 1, TRX_BYTES + 1])('trxFrom refuses %d random bytes', (length) => {
    expect(() => trxFrom(new Uint8Array(length), START)).toThrow('8 random bytes')
  })
})

it.each([
  ['FW-0TXWD-7Q4M2-9A3BK', 'FW-0TXWD-7Q4M2-9A3BK'],
  [' fw-0txwd-7q ', 'FW-0TXWD-7Q'],
  ['FW 0TXWD 7Q4M2 9A3BK', 'FW-0TXWD-7Q4M2-9A3BK'],
  ['FW–0TXWD–7Q4M2', 'FW-0TXWD-7Q4M2'],
  ['fw0txwd7q4m29a3bk', 'FW-0TXWD-7Q4M2-9A3BK'],
  ['\u200BFW-0TXWD', 'FW-0TXWD'],
  ['\u200B FW-0TXWD', 'FW-0TXWD'],
  ['FW-%', null],
  ['fwilliams', null],
  ['fwilliamsonjunior', null],
  ['0TXWD', null],
  ['', null],
])('F65: readTrxStart reads %j as the start of the reference %j', (text, start) => {
  expect(readTrxStart(text)).toBe(start)
})
