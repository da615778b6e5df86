// S5: response times must not reveal whether an account exists. Logs in, signs up and requests a new password 500 times
// each, alternating between existing and unknown names and email addresses, and compares the medians. Goal: less than
// 10 % and 5 ms apart; gate: 20 %. Uses the real cost of hashing and a durable PostgreSQL.
import { SERVER_ASKER } from '#server/platform/limits/fair-queue.ts'
import { cpus, loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { createApp } from '#server/app/create-app.ts'
import { readConfig } from '#server/app/config/config.ts'
import { insertUser } from '#server/users/accounts/users.queries.ts'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import { makeSigningKey } from '#server/proof/receipts/signing-key.ts'
import { testRegisterKeys } from '#test/support/test-app.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { openPostgresTestDatabase } from '#test/support/postgres-test-database.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { median } from './lib/median.ts'
import { onlyErrors } from './lib/only-errors.ts'

const SAMPLES = Number(process.env['BENCH_SAMPLES'] ?? 500)
const GATE = 0.2
const GOAL = 0.1
const GOAL_MS = 5
const NO_LIMIT = { perSecond: 1e6, burst: 1e6 }

const database = await openPostgresTestDatabase(process.env['BENCH_DATABASE_URL'] ?? '')
const { randomBytes } = createTools()
const vault = createVault([new Uint8Array(32)], randomBytes)
const ctx = createContext({ db: database.db, log: onlyErrors, vault })
const app = await createApp(readConfig({ PORT: '0', FAIRWICK_BOTS: 'off' }), onlyErrors, {
  ctx,
  feed: new ScriptedFeed(CATALOGUE),
  connections: database.connections,
  perAddress: NO_LIMIT,
  perAccount: NO_LIMIT,
  signUpsPerHour: 1e6,
  takeStrangerCall: () => Promise.resolve(0),
  signingKey: await makeSigningKey(),
  registerKeys: testRegisterKeys,
})
let failed = 0
try {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
  )
  const passwordHash = await createPasswords(randomBytes).hash('a-long-word-77', SERVER_ASKER)
  for (let at = 0; at < SAMPLES; at += 1) await addUser(at, passwordHash)
  await compare('a wrong sign-in', '/user/auth/login', (at, isThere) => ({
    username: `${isThere ? 'there' : 'gone'}${at}`,
    password: 'not-this-one',
  }))
  // A sign-up must tell that a username is taken, but must not tell it of an email address. So only the addresses exist
  // or not; all usernames are new.
  await compare('signing up with a mail address', '/user/auth/register', (at, isThere) => ({
    username: `new${isThere ? 'a' : 'b'}${at}`,
    email: `${isThere ? 'there' : 'gone'}${at}@example.com`,
    mobile: `5551${at % 1_000}${1_000 + at}`,
    password: 'a-long-word-77',
    password_confirmation: 'a-long-word-77',
    agree: true,
  }))
  await compare('a forgotten password', '/user/auth/forgetPassword', (at, isThere) => ({
    value: `${isThere ? 'there' : 'gone'}${at}@example.com`,
  }))
} finally {
  await app.stop()
  await database.close()
}
process.exitCode = failed === 0 ? 0 : 1

async function addUser(at: number, passwordHash: string): Promise<void> {
  await ctx.db.transaction().execute((tx) =>
    insertUser(tx, {
      id: ctx.newId(),
      username: `there${at}`,
      email: `there${at}@example.com`,
      mobile: `55500${10_000 + at}`,
      mobileCode: '+1',
      countryCode: 'US',
      passwordHash,
      invitationCode: null,
      language: 'en',
      createdAt: ctx.now(),
      verified: true,
    }),
  )
}

/**
 * Alternates between existing and unknown names, and swaps which comes first each time, so that other load affects both
 * equally.
 */
async function compare(name: string, path: string, body: (at: number, isThere: boolean) => object): Promise<void> {
  const times: Record<'there' | 'gone', number[]> = { there: [], gone: [] }
  const statuses = { there: new Set<number>(), gone: new Set<number>() }
  for (let at = 0; at < SAMPLES; at += 1) {
    for (const isThere of at % 2 === 0 ? [true, false] : [false, true]) {
      const remoteAddress = `10.${at % 2}.${at % 250}.${isThere ? 1 : 2}`
      const started = performance.now()
      const { statusCode } = await app.http.inject({
        method: 'POST',
        url: `/api${path}`,
        remoteAddress,
        payload: body(at, isThere),
      })
      times[isThere ? 'there' : 'gone'].push(performance.now() - started)
      statuses[isThere ? 'there' : 'gone'].add(statusCode)
    }
  }
  if ([...statuses.there].join() !== [...statuses.gone].join() || statuses.gone.has(429))
    throw new Error(`${name}: ${[...statuses.there].join()} and ${[...statuses.gone].join()} are not one answer`)
  const [there, gone] = [median(times.there), median(times.gone)]
  const difference = Math.abs(there - gone) / gone
  const isMet = difference < GOAL && Math.abs(there - gone) < GOAL_MS
  const verdict = isMet ? 'goal met' : difference < GATE ? 'gate met' : 'GATE MISSED'
  if (difference >= GATE) failed += 1
  console.log(
    `${name}: ${there.toFixed(2)} ms where there is an account, ${gone.toFixed(2)} ms where there is none, ` +
      `${(difference * 100).toFixed(1)} % apart (${SAMPLES} each): ${verdict}`,
  )
}
