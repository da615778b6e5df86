import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLIENT_TYPES_FILE, clientTypes } from './client-types.ts'

it('the types of the JavaScript client equal those of the contract, or `npm run client:types` must be run', () => {
  expect(readFileSync(CLIENT_TYPES_FILE, 'utf8')).toBe(clientTypes())
})
