import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hasAgreed } from '#core/accounts/agreement.ts'
import { isEmail } from '#core/accounts/email.ts'
import { maskAddress } from '#core/accounts/mask-address.ts'
import { makeCode } from '#core/accounts/one-time-code.ts'
import { passwordRefusal } from '#core/accounts/password.ts'
import { isUsername, maskName } from '#core/accounts/username.ts'

describe('a username', () => {
  it.each(['bob', 'a.b-c_d', '123', 'x'.repeat(30)])('a name may be %s', (name) => expect(isUsername(name)).toBe(true))
  it.each(['', 'ab', 'a b', 'bob ', 'bøb', 'bob\n', '<b>x</b>', '=cmd()', 'x'.repeat(31), '‮bob'])(
    'a username may not be %j',
    (name) => expect(isUsername(name)).toBe(false),
  )
  it.each([
    ['alice9', 'al•••9'],
    ['demo', 'd•••o'],
    ['bob', 'b•••'],
  ])('%s is masked as %s', (name, masked) => expect(maskName(name)).toBe(masked))
})

describe('a password', () => {
  it.each([
    ['12345', 'password_length'],
    ['123456', null],
    ['1'.repeat(20), null],
    ['1'.repeat(21), 'password_length'],
    [' space ', null],
    // Counted in code points: an emoji is one character.
    ['😀'.repeat(20), null],
    ['😀'.repeat(5), 'password_length'],
  ])('VA3: %j: %s', (password, refusal) => expect(passwordRefusal(password, password)).toBe(refusal))
  it('a password is refused when its confirmation differs by a trailing space', () => {
    expect(passwordRefusal('secret1', 'secret1 ')).toBe('password_mismatch')
  })
})

describe('an email address', () => {
  it.each(['a@example.com', "o'hara+tag@mail.example.co.uk", 'jürgen@münchen.example'])('email may be %s', (text) =>
    expect(isEmail(text)).toBe(true),
  )
  it.each([
    '',
    'a',
    'a@b',
    '@example.com',
    'a@@example.com',
    'a b@example.com',
    'a@example.com\n',
    'a@exam ple.com',
    '<a@example.com>',
    '.ada@example.com',
    'ada.@example.com',
    'ada..b@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example.com-',
    `a@${'b'.repeat(200)}.com`,
  ])('an email address may not be %j', (text) => expect(isEmail(text)).toBe(false))
})

test('maskAddress shows only the ends of an address', () => {
  expect(maskAddress('alice@example.com')).toBe('a•••@example.com')
  expect(maskAddress('+15551234567')).toBe('•••567')
})

test.each([
  [true, true],
  [1, true],
  ['1', true],
  ['on', true],
  ['True', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
  ['', false],
  [null, false],
  [undefined, false],
])('hasAgreed of %j is %s', (value, agreed) => expect(hasAgreed(value)).toBe(agreed))

describe('a one-time code', () => {
  const from = (numbers: number[]) => {
    const left = [...numbers]
    return makeCode(() => {
      const bytes = new Uint8Array(4)
      new DataView(bytes.buffer).setUint32(0, left.shift() ?? 0)
      return bytes
    })
  }
  it('a one-time code consists of six digits for any random number', () => {
    fc.assert(fc.property(fc.nat(2 ** 31 - 1), (number) => /^\d{6}$/.test(from([number]))))
    expect(from([7])).toBe('000007')
  })
  it('makeCode skips random numbers that would make some codes likelier', () => {
    expect(from([2 ** 32 - 1, 4_294_000_000, 5])).toBe('000005')
    expect(from([4_293_999_999])).toBe('999999')
  })
})
