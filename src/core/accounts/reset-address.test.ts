import { expect, it } from 'vitest'
import { phoneSplits, readResetAddress } from '#core/accounts/reset-address.ts'

it.each([
  [' Alice@Example.com ', { kind: 'email', email: 'alice@example.com' }],
  ['+49 151 123-456', { kind: 'phone', digits: '49151123456' }],
  ['0049151123456', { kind: 'phone', digits: '49151123456' }],
  ['(555) 123.4567', { kind: 'phone', digits: '5551234567' }],
  ['٠٧٧٠ ١٢٣ ٤٥٦٧', { kind: 'phone', digits: '07701234567' }],
  ['alice', null],
  ['', null],
  ['123', null],
])('readResetAddress reads %j as %j', (text, address) => {
  expect(readResetAddress(text)).toEqual(address)
})

it('phoneSplits lists every dialling code that digits may begin with', () => {
  expect(phoneSplits('49151123456').slice(0, 3)).toEqual([
    { code: null, number: '49151123456' },
    { code: '+4', number: '9151123456' },
    { code: '+49', number: '151123456' },
  ])
})

it('F2: phoneSplits lists a number with and without its leading zero', () => {
  expect(phoneSplits('07911123456').slice(0, 2)).toEqual([
    { code: null, number: '07911123456' },
    { code: null, number: '7911123456' },
  ])
  expect(phoneSplits('4407911123456')).toContainEqual({ code: '+44', number: '7911123456' })
})
