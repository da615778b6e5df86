import { describe, expect, it } from 'vitest'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
const { randomBytes } = createTools()
/** So many draws that each tested size needs more than one system call. */
const MANY = 5_000

describe('the real context', () => {
  it('creates ascending, unique ids of version 7', () => {
    const vault = createVault([new Uint8Array(32)], randomBytes)
    const ctx = createContext({ db: database.db, log: quiet, vault })
    const ids = Array.from({ length: MANY }, () => ctx.newId())
    expect(new Set(ids).size).toBe(MANY)
    expect(ids.toSorted()).toEqual(ids)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    // The last 8 characters come after the time and the counter, so they differ only if they are random.
    expect(new Set(ids.map((id) => id.slice(-8))).size).toBeGreaterThan(MANY - 10)
  })

  it.each([8, 20, 64, 65, 200])('never returns a random byte twice: %d at a time', (count) => {
    const given = Array.from({ length: MANY }, () => Buffer.from(randomBytes(count)).toString('hex'))
    expect(given.every((text) => text.length === 2 * count)).toBe(true)
    expect(new Set(given.flatMap((text) => text.match(/.{16}/g) ?? [])).size).toBe(MANY * Math.floor(count / 8))
  })
})
