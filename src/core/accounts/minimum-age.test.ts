import { expect, it } from 'vitest'
import { minimumAge, readAgeLine } from '#core/accounts/minimum-age.ts'

it.each([
  ['TH 20', { country: 'TH', age: 20 }],
  [' TH 20 ', { country: 'TH', age: 20 }],
  ['TH 18', { country: 'TH', age: 18 }],
  ['TH 17', null],
  ['TH 26', null],
  ['TH', null],
  ['th 20', null],
  ['TH 2O', null],
])('readAgeLine reads "%s" as %o', (line, read) => {
  expect(readAgeLine(line)).toEqual(read)
})

it.each([
  ['TH', 20],
  ['th', 20],
  ['DE', 18],
  ['', 18],
])('minimumAge requires users of "%s" to be %i years old', (country, age) => {
  expect(minimumAge({ TH: 20 }, country)).toBe(age)
})
