import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { login } from '#server/users/log-in/log-in.ts'
import { createPasswords, type Passwords } from '#server/platform/credentials/passwords.ts'
import { createOutboxMessenger } from '#server/platform/messenger/messenger.ts'
import { createResetCodes } from '#server/users/password-reset/send-reset-code.ts'
import { createLogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

// These tests check that callers cannot learn whether an account exists. They compare the replies, and the database
// statements and password hashes that the replies need. `npm run bench -- enumeration` measures the real times.

const statements: string[] = []
const noting: KyselyPlugin = {
  transformQuery: ({ node }) => {
    statements.push(kindOf(node))
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp({ ...database, db: database.db.withPlugin(noting) })
  await app.verifiedUser('alice')
})
afterEach(() => app.stop())

/** Runs an action. Returns its database statements and its number of password hashes, which decide its duration. */
async function costOf(act: (passwords: Passwords) => Promise<unknown>) {
  const cheap = createPasswords((count) => app.ctx.randomBytes(count), { memoryCost: 64, timeCost: 1, parallelism: 1 })
  let hashes = 0
  const counting: Passwords = {
    hash: (secret, asker) => {
      hashes += 1
      return cheap.hash(secret, asker)
    },
    verify: (stored, secret, asker) => {
      hashes += 1
      return cheap.verify(stored, secret, asker)
    },
  }
  statements.length = 0
  const answer = await act(counting)
  return { answer, hashes, statements: [...statements] }
}

const from = { address: '203.0.113.7', userAgent: 'test', country: null }

describe('AT19, S5: whether an account exists', () => {
  it('AC11: a failed log-in does not tell whether the account exists, also not by its duration', async () => {
    const signIns = createLogInRecorder(app.ctx)
    const tryName = (username: string) =>
      costOf((passwords) => login({ ctx: app.ctx, passwords, signIns }, { username, password: 'wrong-one' }, from))
    const known = await tryName('alice')
    expect(known.hashes).toBe(1)
    expect(await tryName('nobody')).toEqual(known)
    const withDevice = (username: string) =>
      costOf((passwords) => {
        const given = { username, password: 'wrong-one', device: 'A'.repeat(43) }
        return login({ ctx: app.ctx, passwords, signIns }, given, from)
      })
    expect(await withDevice('nobody')).toEqual(await withDevice('alice'))
  })

  it('AC11: a request for a password reset does not tell whether the account exists, also not by its duration', async () => {
    const messenger = createOutboxMessenger(app.ctx)
    const ask = (value: string) =>
      costOf(async (passwords) => {
        const codes = createResetCodes({ ctx: app.ctx, passwords, messenger, settings: app.settings, publicUrl: null })
        const sent = (await codes.send(value, { address: from.address, device: null })).ok
        // The statements after the reply do not count, because they do not change its duration.
        const before = statements.splice(0)
        await codes.idle()
        statements.splice(0, statements.length, ...before)
        return sent
      })
    const known = await ask('alice@example.com')
    expect(known.hashes).toBe(1)
    expect(await ask('nobody@example.com')).toEqual(known)
  })

  it.each([
    ['a wrong sign-in', calls.login, (name: string) => ({ username: name, password: 'wrong-one' })],
    ['a forgotten password', calls.forgetPassword, (name: string) => ({ value: `${name}@example.com` })],
    ['a code for it', calls.checkResetCode, (name: string) => ({ email: `${name}@example.com`, code: '123456' })],
  ] as const)('is answered alike by %s: status, words, headers, length', async (_, call, body) => {
    const answerFor = async (name: string) => {
      const {
        status,
        headers,
        body: said,
      } = await app.inject({
        method: 'POST',
        url: `/api${call.path}`,
        payload: body(name),
      })
      // The secret of the request differs each time.
      const words = JSON.stringify(said).replace(/"request":"[\w-]{43}"/, '"request":"…"')
      return { status, words, headers: Object.keys(headers), length: headers['content-length'] }
    }
    expect(await answerFor('nobody')).toEqual(await answerFor('alice'))
  })

  it('a sign-up with the email address of an existing account does not tell that the account exists', async () => {
    const sent = (username: string, email: string) => ({
      username,
      email,
      mobile: '5551234567',
      password: TEST_PASSWORD,
      password_confirmation: TEST_PASSWORD,
      agree: true,
    })
    const answerFor = async (username: string, email: string) => {
      const payload = sent(username, email)
      const reply = await app.inject({ method: 'POST', url: '/api/user/auth/register', payload })
      const { status, headers, body } = reply
      const names = Object.keys((body.data as { user: object }).user)
      return { status, headers: Object.keys(headers), length: headers['content-length'], names }
    }
    expect(await answerFor('anna1', 'aldor@example.com')).toEqual(await answerFor('anna2', 'alice@example.com'))
    app.ctx.clock.advance(MINUTE_MS)
    const [first, second] = [
      await costOfCall('bert1', 'aldor@example.com'),
      await costOfCall('bert2', 'alice@example.com'),
    ]
    expect(first).toEqual(second)

    async function costOfCall(username: string, email: string) {
      statements.length = 0
      await app.call(calls.register, { body: sent(username, email) })
      return [...statements]
    }
  })

  it('AC11: only a sign-up with a taken name tells that the account exists, and such sign-ups are limited', async () => {
    await app.stop()
    await database.truncateAll()
    app = await createTestApp(database, { signUpsPerHour: 2 })
    const body = {
      username: 'demo',
      mobile: '5551234567',
      password: TEST_PASSWORD,
      password_confirmation: TEST_PASSWORD,
    }
    const ask = async () => (await app.call(calls.register, { body: { ...body, agree: true } })).body.code
    expect([await ask(), await ask(), await ask()]).toEqual(['username_taken', 'username_taken', 'too_many_attempts'])
  })
})

/**
 * Returns the kind of a statement. For a raw statement, these are its first three words, such as `insert into attempt`.
 */
function kindOf(node: RootOperationNode): string {
  if (node.kind !== 'RawNode') return node.kind
  return node.sqlFragments.join('?').trim().split(/\s+/).slice(0, 3).join(' ')
}
