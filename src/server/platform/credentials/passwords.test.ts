import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, it } from 'vitest'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import { BusyError, SERVER_ASKER } from '#server/platform/limits/fair-queue.ts'

const AT_ONCE = 2
const passwords = createPasswords((count) => new Uint8Array(randomBytes(count)), undefined, AT_ONCE)

it('creates Argon2id hashes, each with a different salt, and verifies secrets', async () => {
  const stored = await passwords.hash('secret1', SERVER_ASKER)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.hash('secret1', SERVER_ASKER)).not.toBe(stored)
  expect(await passwords.verify(stored, 'secret1', SERVER_ASKER)).toBe(true)
  for (const wrong of ['secret2', 'secret1 ', 'Secret1', '', 'secret1'.repeat(3)]) {
    expect(await passwords.verify(stored, wrong, SERVER_ASKER)).toBe(false)
  }
})

it('verification without an account accepts no secret, not even the secret of the dummy hash', async () => {
  expect(await passwords.verify(null, 'nobody', SERVER_ASKER)).toBe(false)
})

it('hashing throws a BusyError when hundreds of calls by one requester would wait, and works again afterwards', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 150 }, () => passwords.verify(null, 'x', SERVER_ASKER)),
  )
  const refused = outcomes.filter((one) => one.status === 'rejected')
  expect(refused).toHaveLength(150 - 50 - AT_ONCE)
  expect(refused.every((one) => one.reason instanceof BusyError)).toBe(true)
  expect(await passwords.verify(await passwords.hash('later', SERVER_ASKER), 'later', SERVER_ASKER)).toBe(true)
})

it('verification throws when the stored value is not a hash, and works again afterwards', async () => {
  await expect(passwords.verify('no hash', 'secret1', SERVER_ASKER)).rejects.toThrow('Decoding failed')
  expect(await passwords.verify(await passwords.hash('later', SERVER_ASKER), 'later', SERVER_ASKER)).toBe(true)
})

it.runIf(process.platform === 'linux')('computes with a lower priority than all other threads', async () => {
  await passwords.hash('secret1', SERVER_ASKER)
  const priorities = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))
  expect(priorities.filter((priority) => priority > getPriority(process.pid)).length).toBeGreaterThan(0)
  expect(getPriority(process.pid)).toBe(Math.min(...priorities))
})
