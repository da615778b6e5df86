import { expect, test } from 'vitest'
import { requireForLive } from '#server/settings/require-for-live.ts'
import { StartUpError } from '#server/start-up-error.ts'

const LICENCE = { holder: 'Harbour Ltd', number: 'X-1', regulator: 'The regulator' }

test('with a licence and countries it may start', () => {
  expect(() => requireForLive({ licence: LICENCE, countriesAllowed: ['PT'] })).not.toThrow()
})

test('all that is missing is told at once', () => {
  const start = () => requireForLive({ licence: { holder: '', number: '', regulator: '' }, countriesAllowed: [] })
  expect(start).toThrow(StartUpError)
  for (const key of ['licence_holder', 'licence_number', 'licence_regulator', 'countries_allowed']) {
    expect(start).toThrow(key)
  }
})

test('what is there is not asked for', () => {
  const start = () => requireForLive({ licence: LICENCE, countriesAllowed: [] })
  expect(start).toThrow(/^Live mode cannot start before these settings are made:\n {2}- [^\n]*countries_allowed[^\n]*$/)
})
