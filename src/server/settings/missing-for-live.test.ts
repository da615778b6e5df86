import { expect, test } from 'vitest'
import { missingForLive } from '#server/settings/missing-for-live.ts'

const LICENCE = { holder: 'Harbour Ltd', number: 'X-1', regulator: 'The regulator' }

test('with a licence and countries it may start', () => {
  expect(missingForLive({ licence: LICENCE, countriesAllowed: ['PT'] })).toEqual([])
})

test('all that is missing is told at once', () => {
  const missing = missingForLive({ licence: { holder: '', number: '', regulator: '' }, countriesAllowed: [] })
  expect(missing.map((line) => /settings set (\w+) /.exec(line)?.[1])).toEqual([
    'licence_holder',
    'licence_number',
    'licence_regulator',
    'countries_allowed',
  ])
})

test('what is there is not asked for', () => {
  expect(missingForLive({ licence: LICENCE, countriesAllowed: [] })).toEqual([
    expect.stringContaining('countries_allowed'),
  ])
})
