import { expect, it } from 'vitest'
import { NO_SIGNUP_VALUES, signupErrors } from '#web/screens/signup/signup-rules.ts'

it.each([
  ['ada\u200B', 'ada@example.org'],
  ['\u00A0ada\uFEFF', '\u00A0ada@example.org '],
  [' ada ', '\u2060ada@example.org\u200E'],
])('F5: a pasted name %j and address %j pass as on the server', (username, email) => {
  const { username: ofName, email: ofAddress } = signupErrors({ ...NO_SIGNUP_VALUES, username, email }, false)
  expect([ofName, ofAddress]).toEqual([undefined, undefined])
})

it('F5: a name or address of invisible characters alone is refused', () => {
  const errors = signupErrors({ ...NO_SIGNUP_VALUES, username: '\u200B\u2800', email: 'a\u00A0b@example.org' }, false)
  expect(errors.username).toBeDefined()
  expect(errors.email).toBeDefined()
})
