import { expect, it } from 'vitest'
import { z } from 'zod'
import { appWords, readInput } from '#server/platform/http/read-input.ts'

const Digits = z.string().regex(/^\d+$/)
const query = z.object({ from: Digits, to: Digits.optional(), page: Digits.default('1') })

it.each([
  [
    { to: '', page: '' },
    { from: 'from is Required', to: 'to is not valid', page: 'Page is not valid' },
  ],
  [
    { from: '', to: 'x' },
    { from: 'from is Required', to: 'to is not valid' },
  ],
])('readInput reports as required only the fields that must be present: %o', (given, texts) => {
  const read = readInput({ query }, { params: {}, query: given, body: {} }, appWords('en'))
  const errors = read.ok ? {} : (read.unreadable.body.errors ?? {})
  expect(Object.fromEntries(Object.entries(errors).map(([field, [text]]) => [field, text]))).toEqual(texts)
})
