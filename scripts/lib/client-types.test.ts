import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLIENT_TYPES_FILE, clientTypes } from './client-types.ts'

it('the types of the JavaScript client are those of the contract; otherwise `npm run client:types` writes them', () => {
  expect(readFileSync(CLIENT_TYPES_FILE, 'utf8')).toBe(clientTypes())
})
