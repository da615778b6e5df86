import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { assert } from '#core/result.ts'
import { DAY_MS } from '#core/time/instant.ts'
import type { Step } from '#server/site/own-data/data-file.ts'
import { DATA_FILES, makeExports } from '#server/site/own-data/make-exports.ts'
import { claimExport, storePortion } from '#server/site/own-data/export.queries.ts'
import { openAttackBench } from '#test/security/attack-harness.ts'
import { makeTestKey } from '#test/support/test-keys.ts'
import { TEST_PASSWORD, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: Awaited<ReturnType<typeof openAttackBench>>
let alice: TestUser
beforeEach(async () => {
  bench = await openAttackBench(database)
  alice = await bench.funded(1_000, 'alice')
  await bench.app.confirm(alice.token)
})
afterEach(() => bench.close())

const parts = () => {
  const { ctx, uploads, catalogue, settings } = bench.app
  return { ctx, uploads, catalogue, settings }
}
const request = (user = alice) => bench.app.call(calls.requestDataExport, { token: user.token })
const endClaims = () => sql`update data_export set claim_until_ms = 0`.execute(database.db)

/** Downloads a data copy and unpacks it with the program `unzip`. Returns the content of each file by its name. */
async function unzip(user: TestUser, id: string): Promise<Map<string, string>> {
  const reply = await bench.app.http.inject({
    url: `/api/user/data/export/${id}`,
    headers: { authorization: `Bearer ${user.token}` },
  })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/zip'])
  const { export: newest } = (await bench.app.call(calls.dataExport, { token: user.token })).body.data
  expect(newest).toMatchObject({ id, bytes: reply.rawPayload.length })
  const folder = mkdtempSync(path.join(tmpdir(), 'own-data-'))
  try {
    const file = path.join(folder, 'copy.zip')
    writeFileSync(file, reply.rawPayload)
    execFileSync('unzip', ['-tqq', file])
    const names = execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' }).trim().split('\n')
    return new Map(names.map((name) => [name, execFileSync('unzip', ['-p', file, name], { encoding: 'latin1' })]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Requests, makes and downloads a data copy of a user. Returns its files. */
async function copyOf(user = alice): Promise<Map<string, string>> {
  const { id } = (await request(user)).body.data.export
  await makeExports(parts())
  return unzip(user, id)
}

/** Parses a CSV file to one object for each line, by column name. The file must not contain quoted cells. */
function linesOf(text: string | undefined): Record<string, string>[] {
  const [head = '', ...lines] = (text ?? '').replace(/^\u00EF\u00BB\u00BF/, '').split('\r\n')
  const names = head.split(',')
  return lines
    .filter((line) => line !== '')
    .map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])))
}

/** Gives Alice an open order, a settled order and a limit. */
async function tradeOnce() {
  const { app } = bench
  await bench.priced(9_400_000)
  const client = await bench.connect()
  for (const [tradeSettingId, clientOrderId] of [
    [1, 'ends'],
    [5, 'stays'],
  ] as const) {
    const data = { type: 'buy', tradeSettingId, amount: 100, symbol: 'BTC', clientOrderId }
    client.send({ action: 'newTrade', token: alice.token, data })
    await bench.until(() => client.answers('newTrade').some((answer) => JSON.stringify(answer).includes(clientOrderId)))
  }
  app.ctx.clock.jump(61_000)
  await bench.priced(9_500_000)
  await bench.until(async () => {
    const rows = await database.db.selectFrom('order_history').select('id').where('user_id', '=', alice.id).execute()
    return rows.length === 1
  })
  await app.call(calls.changeLimits, { token: alice.token, body: { changes: [{ key: 'loss_month', value: 900 }] } })
}

it('a data copy contains every file with a schema version, and transfers that sum up to the balance', async () => {
  await tradeOnce()
  const files = await copyOf()
  expect([...files.keys()].filter((name) => !name.startsWith('uploads/'))).toEqual(
    DATA_FILES.map(({ name }) => name).filter((name) => name !== 'uploads' && files.has(name)),
  )
  for (const [name, text] of files) {
    if (name.endsWith('.json'))
      expect(z.object({ schema: z.literal(1) }).safeParse(JSON.parse(text)).success).toBe(true)
    if (name.endsWith('.csv')) expect(linesOf(text).every((line) => line['schema'] === '1')).toBe(true)
  }
  expect(JSON.parse(files.get('profile.json') ?? '')).toMatchObject({ profile: { username: 'alice' } })
  expect(JSON.parse(files.get('limits.json') ?? '')).toMatchObject({
    in_force: [{ key: 'loss_month', amount: 90_000 }],
  })
  const orders = linesOf(files.get('orders.csv'))
  expect(orders.map(({ state }) => state)).toEqual(['open', 'settled'])
  expect(linesOf(files.get('deposits.csv'))).toHaveLength(1)

  const balance = await database.db
    .selectFrom('balance')
    .select(['cash', 'staked', 'net_total'])
    .where('user_id', '=', alice.id)
    .executeTakeFirstOrThrow()
  const cents = (text = '') => Math.round(Number(text) * 100)
  const transfers = linesOf(files.get('transfers.csv'))
  const sumOf = (account: string) =>
    transfers.reduce(
      (sum, { from, to, amount }) =>
        sum + (to === account ? cents(amount) : 0) - (from === account ? cents(amount) : 0),
      0,
    )
  expect([sumOf('cash'), sumOf('staked')]).toEqual([Number(balance.cash), Number(balance.staked)])
  const results = orders.map(({ result_amount: amount }) => (amount === '' ? 0 : cents(amount)))
  expect(results.reduce((sum, amount) => sum + amount, 0)).toBe(Number(balance.net_total))
})

it('transfers.csv contains the stake of each order once, also of an order that settles while the file is made', async () => {
  await tradeOnce()
  const file = DATA_FILES.find(({ name }) => name === 'transfers.csv')
  assert(file, 'the copy has the transfers')
  let text = ''
  let place: string | null = null
  let hasSettled = false
  do {
    const step: Step = await file.step(parts(), { userId: alice.id, language: 'en' }, place)
    text += step.content.toString()
    place = step.next
    if (!text.includes('order_stake') || hasSettled) continue
    hasSettled = true
    bench.app.ctx.clock.jump(DAY_MS)
    await bench.priced(9_600_000)
    await bench.until(async () => {
      const { count } = await database.db
        .selectFrom('open_order')
        .select((of) => of.fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow()
      return count === 0n
    })
  } while (place !== null)
  const stakes = linesOf(text.replace('\uFEFF', '')).filter(({ kind }) => kind === 'order_stake')
  expect(new Set(stakes.map(({ record }) => record)).size).toBe(2)
  expect(stakes).toHaveLength(2)
})

it('a data copy contains the API keys with their limits but without secrets, and its README says so', async () => {
  const key = await makeTestKey(bench.app, alice, { name: 'my bot', scope: 'trade', anywhere: true, max_stake: 5 })
  await bench.app.confirm(alice.token)
  const files = await copyOf()
  expect(JSON.parse(files.get('devices.json') ?? '')).toMatchObject({
    keys: [{ id: key.id, name: 'my bot', scope: 'trade', addresses: [], max_stake: 500, max_open_orders: null }],
  })
  expect([...files.values()].join('')).not.toContain(key.secret.slice(-43))
  expect(files.get('README.txt')).toContain('Passwords, PINs and the secrets of keys are not included.')
})

it('a data copy lists its files with versions, and contains staff notes only where the site is set to include them', async () => {
  const owner = await bench.app.staff('owner')
  await owner.call(staffCalls.staffAddUserNote, { params: { id: alice.id }, body: { text: 'Called twice.' } })
  const files = await copyOf()
  for (const { name } of DATA_FILES) if (name !== 'README.txt') expect(files.get('README.txt')).toContain(`${name}: 1`)
  expect(JSON.parse(files.get('staff-words.json') ?? '')).toMatchObject({ notes: [], deposits: [] })
  await sql`insert into setting (key, value, updated_ms) values ('notes_in_data', 'true', 0)`.execute(database.db)
  await bench.app.settings.reload()
  await database.db.deleteFrom('data_export').execute()
  const again = await copyOf()
  expect(JSON.parse(again.get('staff-words.json') ?? '')).toMatchObject({ notes: [{ text: 'Called twice.' }] })
})

it('a data copy resumes after a server was killed at any portion, and has the same files', async () => {
  await tradeOnce()
  const { id } = (await request()).body.data.export
  let kills = 0
  /** Returns the parts of a server that fails when it stores its second portion. */
  const mortal = () => {
    let stored = 0
    const db = new Proxy(database.db, {
      get(target, name) {
        if (name === 'transaction') stored += 1
        if (stored > 1) throw new Error('killed')
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    return { ...parts(), ctx: { ...bench.app.ctx, db } }
  }
  for (;;) {
    try {
      await makeExports(mortal())
      break
    } catch (error) {
      expect(String(error)).toContain('killed')
      kills += 1
      await endClaims()
    }
  }
  expect(kills).toBeGreaterThan(10)
  const interrupted = await unzip(alice, id)
  await sql`update data_export set ready_ms = null, file = 0, place = null, portions = 0, bytes = 0, claim_until_ms = 0`.execute(
    database.db,
  )
  await database.db.deleteFrom('data_export_portion').execute()
  await makeExports(parts())
  const whole = await unzip(alice, id)
  for (const files of [interrupted, whole]) {
    files.delete('README.txt')
    files.delete('notices.json')
  }
  expect(interrupted).toEqual(whole)
})

it('a server that was suspended cannot store a portion after another server took over the copy', async () => {
  await request()
  const frozen = await claimExport(database.db)
  await endClaims()
  const other = await claimExport(database.db)
  const store = (claimed: typeof frozen) =>
    database.db.transaction().execute((tx) =>
      storePortion(tx, claimed!, {
        portion: { name: 'README.txt', content: 'x', isText: true },
        next: { file: 1, place: null },
        bytes: 1,
      }),
    )
  expect([await store(frozen), await store(other)]).toEqual([false, true])
  expect(await claimExport(database.db)).toBeNull()
})

it('a data copy that fails five times is given up, and the user can request another copy at once', async () => {
  await request()
  for (let tries = 0; tries < 5; tries += 1) {
    expect(await claimExport(database.db)).not.toBeNull()
    await endClaims()
  }
  expect(await claimExport(database.db)).toBeNull()
  expect((await bench.app.call(calls.dataExport, { token: alice.token })).body.data).toMatchObject({
    export: { state: 'failed' },
    next_at: null,
  })
  expect((await request()).status).toBe(200)
})

it('a data copy is not finished while the file of an upload is missing, and contains the file afterwards', async () => {
  await database.db
    .insertInto('upload')
    .values({
      name: 'paper.png',
      user_id: alice.id,
      purpose: 'receipt',
      media_type: 'image/png',
      size: 3,
      in_use: true,
      changed_ms: bench.app.ctx.now(),
    })
    .execute()
  const { id } = (await request()).body.data.export
  const of = (bytes: Uint8Array | null) => ({
    ...parts(),
    uploads: {
      ...bench.app.uploads,
      read: () => Promise.resolve(bytes && { mediaType: 'image/png', bytes }),
    },
  })
  await expect(makeExports(of(null))).rejects.toThrow('paper.png is missing')
  await endClaims()
  await makeExports(of(new TextEncoder().encode('png')))
  expect((await unzip(alice, id)).get('uploads/paper.png')).toBe('png')
})

it('a data copy can be requested once in 24 hours, after a fresh confirmation, and a notice reports that the copy is ready', async () => {
  const replies = await Promise.all([request(), request(), request()])
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 422, 422])
  const { export: made, next_at: next } = (await bench.app.call(calls.dataExport, { token: alice.token })).body.data
  expect([made?.state, next]).toEqual(['waiting', expect.any(String)])
  const id = made?.id ?? ''
  const download = (token: string) => bench.app.call(calls.downloadDataExport, { token, params: { id } })
  expect((await download(alice.token)).status).toBe(404)
  await makeExports(parts())
  const { notices } = (await bench.app.call(calls.notices, { token: alice.token })).body.data
  expect(notices.find(({ kind }) => kind === 'data_ready')?.link).toBe('/account/data')
  const other = await bench.app.signIn('alice', TEST_PASSWORD)
  expect((await download(other.token)).body).toMatchObject({ code: 'confirmation_needed' })
  const mallory = await bench.funded(10, 'mallory')
  await bench.app.confirm(mallory.token)
  expect((await download(mallory.token)).status).toBe(404)
  await sql`update data_export set expires_ms = 1`.execute(database.db)
  expect((await download(alice.token)).status).toBe(404)
})

it('a data copy contains nothing of another user and no secret of its own user, and is stored encrypted', async () => {
  const canary = await bench.funded(77, 'canary-user')
  await bench.app.call(calls.saveProfile, {
    token: canary.token,
    body: { username: 'canary-user', country_code: 'US', mobile: '5559998888', firstname: 'Canary', lastname: 'Fink' },
  })
  await bench.app.setPin(alice.token, '042713')
  const files = await copyOf()
  const all = [...files.values()].join('\n')
  for (const text of ['canary-user', 'Canary', '5559998888', canary.id]) expect(all).not.toContain(text)
  const { password_hash: password, pin_hash: pin } = await database.db
    .selectFrom('app_user')
    .select(['password_hash', 'pin_hash'])
    .where('id', '=', alice.id)
    .executeTakeFirstOrThrow()
  for (const secret of [password, pin ?? '', alice.token, TEST_PASSWORD, '042713']) {
    expect(secret).not.toBe('')
    expect(all).not.toContain(secret)
  }
  const { rows } = await sql<{ content: string }>`select content from data_export_portion`.execute(database.db)
  expect(rows.every(({ content }) => content.startsWith('sealed1.'))).toBe(true)
})
