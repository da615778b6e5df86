import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TRX_BYTES, trxFrom } from '#core/orders/trx.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

it('writes the low sixty bits, the highest first', () => {
  expect(trxFrom(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1))).toBe('FW-0000-0000-0001')
  expect(trxFrom(Uint8Array.of(0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))).toBe('FW-ZZZZ-ZZZZ-ZZZZ')
  fc.assert(
    fc.property(fc.uint8Array({ minLength: TRX_BYTES, maxLength: TRX_BYTES }), (bytes) => {
      const letters = trxFrom(bytes).replace('FW-', '').replaceAll('-', '')
      const value = letters.split('').reduce((sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)), 0n)
      expect(value).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`) & (2n ** 60n - 1n))
    }),
  )
})

it('takes eight bytes', () => expect(() => trxFrom(new Uint8Array(7))).toThrow('8 random bytes'))
