import { describe, expect, it } from 'vitest'
import { mailboxOf } from '#core/accounts/email.ts'
import { destinationsOf, payeeText } from '#core/wallet/same-destination.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'

const isSame = (one: MethodDetails, other: MethodDetails, methods: readonly [number, number] = [1, 1]): boolean => {
  const texts = new Set(destinationsOf(methods[0], one))
  return destinationsOf(methods[1], other).some((text) => texts.has(text))
}
const IBAN = 'DE89370400440532013000'
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('US1.6: destinationsOf', () => {
  it.each<[string, MethodDetails, MethodDetails]>([
    ['blanks, dashes and case of an IBAN', { IBAN }, { IBAN: 'de89 3704-0044.0532 0130 00' }],
    ['an invisible character', { IBAN }, { IBAN: 'DE89\u200B370400440532013000' }],
    ['digits of another script', { IBAN }, { IBAN: 'DE٨٩370400440532013000' }],
    ['the word before an IBAN', { Konto: IBAN }, { Konto: `IBAN: ${IBAN}` }],
    ['another holder and bank', { IBAN, Bank: 'A', Holder: 'B' }, { IBAN, Bank: 'C', Holder: 'D', 'SWIFT / BIC': 'X' }],
    ['a memo of a chain address', { Wallet: TRON }, { Wallet: TRON, Memo: '12345' }],
    ['the case of a chain address', { Address: EVM }, { Address: EVM.replace('aAe', 'Aae') }],
    ['blanks in a card number', { Card: '4111111111111111' }, { Card: '4111-1111 1111 1111' }],
    ['leading zeros of an account number', { 'Account number': '0012345678' }, { 'Account number': '12-345678' }],
    ['a label in another language', { Kontonummer: '123 456 78', Name: 'A' }, { Kontonummer: '12345678', Name: 'B' }],
    ['the tag of a mailbox', { Mail: 'bob@mail.example', Name: 'A' }, { Mail: 'BOB+1@mail.example', Name: 'B' }],
    ['the spelling of a phone number', { M: '+49 (0)151 23456789' }, { M: '0049 151-23456789' }],
    ['spelling where no field is recognised', { A: 'One  two', B: 'x' }, { B: 'X', A: 'one-two' }],
  ])('%s makes no difference', (_, one, other) => expect(isSame(one, other)).toBe(true))

  it.each<[string, MethodDetails, MethodDetails]>([
    ['another IBAN', { IBAN, Holder: 'A' }, { IBAN: 'DE91100000000123456789', Holder: 'A' }],
    [
      'another account number',
      { 'Account number': '12345678', Bank: 'A' },
      { 'Account number': '12345679', Bank: 'A' },
    ],
    [
      'another memo of an address that an exchange shares',
      { Address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', Memo: '1' },
      { Address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', Memo: '2' },
    ],
    ['the same home', { IBAN, Address: 'Hill' }, { IBAN: 'DE91100000000123456789', Address: 'Hill' }],
    ['the same holder', { Holder: 'Bob Jones', A: '1' }, { Holder: 'Bob Jones', A: '2' }],
    ['a short account number of two people', { 'Account number': '12', N: 'A' }, { 'Account number': '12', N: 'B' }],
  ])('%s is another destination', (_, one, other) => expect(isSame(one, other)).toBe(false))

  it('an IBAN is the same destination in every method, an account number only within its own method', () => {
    expect(isSame({ IBAN }, { 'Account number or IBAN': IBAN }, [1, 2])).toBe(true)
    expect(isSame({ 'Account number': '12345678' }, { 'Account number': '12345678' }, [1, 2])).toBe(false)
  })
})

describe('US1.6: mailboxOf', () => {
  it.each([
    ['Bob@Mail.example', 'bob@mail.example'],
    ['bob+1@mail.example', 'bob@mail.example'],
    ['b.o.b+x+y@googlemail.com', 'bob@gmail.com'],
    ['b.ob@mail.example', 'b.ob@mail.example'],
    ['+bob@mail.example', '+bob@mail.example'],
  ])('mail to %s arrives in the mailbox %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox))
})

describe('payeeText', () => {
  const account = { 'Account holder': 'Alice', Bank: 'First', 'Account number or IBAN': IBAN }
  it.each<[string, MethodDetails]>([
    ['another spelling', { ...account, 'Account number or IBAN': 'de89 3704 0044 0532 0130 00' }],
    ['another bank name', { ...account, Bank: 'First.' }],
    ['an account in a note', { ...account, Note: '4111111111111111' }],
    ['another account as the holder', { ...account, 'Account holder': 'GB82WEST12345698765432' }],
  ])('%s makes no difference', (_, other) => expect(payeeText(1, other)).toBe(payeeText(1, account)))

  it.each<[string, MethodDetails]>([
    ['another IBAN', { ...account, 'Account number or IBAN': 'DE91100000000123456789' }],
    ['another short account', { ...account, 'Account number or IBAN': 'DE1' }],
  ])('%s makes a difference', (_, other) => expect(payeeText(1, other)).not.toBe(payeeText(1, account)))
})
