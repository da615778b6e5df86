import { expect, it } from 'vitest'
import { SecretWatch } from '#test/support/secret-leaks.ts'

const watch = new SecretWatch()
watch.hear({
  username: 'alice77',
  password: 'violet-17',
  fields: { IBAN: 'DE89 3704' },
  data: { token: 'a1'.repeat(20) },
})
const leaks = (facts: object, message = 'said') => watch.leaks({ lines: [{ level: 'info', facts, message }] }).length

it('the watch finds sent and received secrets anywhere in the log', () => {
  expect(leaks({ note: 'was violet-17 before' })).toBe(1)
  expect(leaks({}, `for ${'a1'.repeat(20)}`)).toBe(1)
  expect(leaks({ err: new Error('no DE89 3704 is known') })).toBe(1)
})

it('the watch ignores names and values that only resemble secrets', () => {
  expect(leaks({ username: 'alice77', id: 'violet-171', other: 'x-violet-17' })).toBe(0)
})
