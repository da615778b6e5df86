import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { currentHalt } from '#server/register/halts.queries.ts'
import { newestCheckpoint } from '#server/register/register.queries.ts'
import { listWitnesses } from '#server/register/witnesses.queries.ts'
import { closeRegister } from '#test/support/close-register.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const WITNESS = fileURLToPath(new URL('../../../tools/witness/fairwick-witness.mjs', import.meta.url))
const POLL = { interval: 50 }

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let folder: string
let address: string
let witness: ChildProcess | null = null

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-register-'))
  await startServer()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
})
afterEach(async () => {
  witness?.kill('SIGKILL')
  witness = null
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

const command = (...words: string[]) => runCommand({ ...app, dataDir: folder }, words, 'operator')
const sizeHere = async (): Promise<number> => (await newestCheckpoint(app.ctx.db))?.size ?? 0

/** Sends a price, places an order and adds its receipt to the register. */
async function trade(): ReturnType<TestApp['engine']['place']> {
  const time = app.ctx.now()
  app.feed.tick(BTC, 9_400_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time), POLL)
  const placed = await placeOrder()
  await app.receipts.idle()
  await closeRegister(app)
  return placed
}

function placeOrder(): ReturnType<TestApp['engine']['place']> {
  return app.engine.place(orderRequest(alice.id, app.ctx.newId(), { stake: money(1_000n) }))
}

/** Starts a witness that keeps a copy of the register, and makes the operator's server use this witness. */
async function startWitness(): Promise<string> {
  const dir = join(folder, 'witness')
  const run = (...words: string[]) => {
    const ran = spawnSync(process.execPath, [WITNESS, ...words, '--dir', dir], { encoding: 'utf8' })
    assert(ran.status === 0, ran.stderr)
    return ran.stdout
  }
  const key = /verifier key: (\S+)/.exec(run('init', '--name', 'example.org/witness'))?.[1] ?? ''
  const { keys } = (await app.call(calls.proofRegister)).body.data
  run('follow', keys[0]?.verifier_key ?? '', `${address}/register`)
  witness = spawn(process.execPath, [WITNESS, 'serve', '--port', '0', '--every', '1', '--mirror', '--dir', dir])
  let printed = ''
  witness.stdout?.on('data', (bytes: Buffer) => {
    printed += bytes.toString()
  })
  await vi.waitFor(() => expect(printed).toContain('listens on'), POLL)
  const url = `http://127.0.0.1:${/"port":(\d+)/.exec(printed)?.[1] ?? ''}`
  const added = await command('register', 'add-witness', key, url, '--run-by', 'a friend')
  expect(added).toMatchObject({ exitCode: 0 })
  return url
}

/** Removes the newest entries from the database, as a restored backup would. */
async function loseEntries(fromSize: number): Promise<void> {
  await database.asOwner(async (owner) => {
    for (const table of ['register_cosignature', 'register_checkpoint'])
      await sql`delete from ${sql.table(table)} where size > ${fromSize}`.execute(owner)
    for (const table of ['register_batch', 'register_entry'])
      await sql`delete from ${sql.table(table)} where index >= ${fromSize}`.execute(owner)
  })
}

/** Starts the server, or starts it again on the same database. */
async function startServer(): Promise<void> {
  app = await createTestApp(database)
  await app.startMarkets()
  address = await app.http.listen({ port: 0, host: '127.0.0.1' })
}

/** Lets the server query the witness, and waits until the server has stored the reply. */
async function askNow(): Promise<void> {
  app.ctx.clock.advance(MINUTE_MS)
  const lastRequest = async () => (await listWitnesses(app.ctx.db))[0]?.lastRequestMs
  await vi.waitFor(async () => expect(await lastRequest()).toBe(app.ctx.now()), POLL)
}

describe('an independent witness', () => {
  it('an independent witness cosigns each state, and the receipt of an order shows the name of the witness', async () => {
    await startWitness()
    const placed = await trade()
    assert(placed.ok, 'placed')
    await askNow()
    const [listed] = (await app.call(calls.proofRegister)).body.data.witnesses
    expect(listed).toMatchObject({
      name: 'example.org/witness',
      run_by: 'a friend',
      is_ours: false,
      size: await sizeHere(),
    })
    const proofs = (await app.call(calls.proofOfReceipt, { params: { trx: placed.value.trx } })).body.data
    expect(proofs.accepted?.note).toContain('— example.org/witness ')
  })

  it('A39: attack: two logs for two users: the witness refuses the second log', async () => {
    await startWitness()
    await trade()
    const before = await sizeHere()
    await trade()
    await askNow()
    const cosigned = await sizeHere()
    await loseEntries(before)
    // Adds other entries under the same name, signed with the same key, until the log is larger than before.
    while ((await sizeHere()) <= cosigned) await trade()
    await askNow()
    const [asked] = await listWitnesses(app.ctx.db)
    expect(asked?.problem).toBe('it has seen other entries')
    await vi.waitFor(async () => expect(await currentHalt(app.ctx.db)).toMatchObject({ cause: 'witness' }), POLL)
    const [listed] = (await app.call(calls.proofRegister)).body.data.witnesses
    expect(listed?.size ?? 0).toBeLessThanOrEqual(before)
  })

  it('A40: attack: an old backup brought back: no order is accepted until the lost entries are back', async () => {
    const url = await startWitness()
    await trade()
    const before = await sizeHere()
    await trade()
    await askNow()
    const cosigned = await sizeHere()
    const { origin } = (await app.call(calls.proofRegister)).body.data
    const mirror = `${url}/${createHash('sha256').update(origin).digest('hex')}/mirror`
    const sizeThere = async () => (await (await fetch(`${mirror}/checkpoint`)).text()).split('\n')[1]
    await vi.waitFor(async () => expect(await sizeThere()).toBe(String(cosigned)), POLL)
    await app.stop()
    await loseEntries(before)
    await startServer()
    expect(await currentHalt(app.ctx.db)).toMatchObject({ cause: 'witness', knownSize: cosigned })
    app.ctx.clock.advance(10_000)
    await vi.waitFor(() => expect(app.faults.stopping).toBe('register_behind'), POLL)
    expect(await placeOrder()).toMatchObject({ ok: false })
    expect(await sizeHere()).toBe(before)

    expect(await command('register', 'recover', `${address}/register`)).toMatchObject({ exitCode: 1 })
    expect(await command('register', 'recover', mirror)).toMatchObject({ exitCode: 0 })
    expect(await sizeHere()).toBe(cosigned)
    app.ctx.clock.advance(10_000)
    await vi.waitFor(() => expect(app.faults.stopping).toBeNull(), POLL)
    expect(await trade()).toMatchObject({ ok: true })
    await askNow()
    expect((await listWitnesses(app.ctx.db))[0]).toMatchObject({ problem: '', size: await sizeHere() })
  })
})

it('A41: attack: an order left out of the log: nothing proves that the register has it, and its signed receipt stays', async () => {
  const placed = await trade()
  assert(placed.ok, 'placed')
  const { trx } = placed.value
  await database.asOwner((owner) => sql`delete from register_batch`.execute(owner))
  const proofs = (await app.call(calls.proofOfReceipt, { params: { trx } })).body.data
  expect(proofs).toEqual({ accepted: null, result: null, amended: null, sale: null })
  expect((await app.call(calls.proofReceipt, { params: { trx } })).status).toBe(200)
})

it.each([
  [
    'changes its text and its hash',
    sql`update register_entry set text = replace(text, 'demo', 'live'), leaf = sha256('\\x00'::bytea || convert_to(replace(text, 'demo', 'live'), 'UTF8')) where index = 0`,
  ],
  ['removes the newest entry', sql`delete from register_entry where index = (select max(index) from register_entry)`],
  [
    'removes the newest state',
    sql`delete from register_checkpoint where size = (select max(size) from register_checkpoint)`,
  ],
])(
  'A42: attack: an entry changed in the database: the owner of the database %s, and the next start refuses',
  async (_, change) => {
    await trade()
    await database.asOwner(async (owner) => {
      await sql`delete from register_batch`.execute(owner)
      await change.execute(owner)
    })
    const next = await createTestApp(database)
    await expect(next.startMarkets()).rejects.toThrow('The register does not verify')
    await next.stop()
  },
)

it('A37: attack: the mode switched to live on the database of a demo', async () => {
  await database.asOwner((owner) => sql`update log_identity set mode = 'live'`.execute(owner))
  await expect(createTestApp(database)).rejects.toThrow('belongs to a live installation')
})

it('A43: attack: puppet witnesses: a witness of the operator is shown to everyone as the operator’s witness', async () => {
  const key = 'puppet.example+00000000+BAAA'
  expect(await command('register', 'add-witness', key, 'http://127.0.0.1:9', '--run-by', 'us')).toMatchObject({
    exitCode: 1,
  })
  await startWitness()
  await command('register', 'remove-witness', 'example.org/witness')
  const own = (await app.call(calls.proofRegister)).body.data
  expect(own.witnesses).toEqual([])
})

it('after a restored backup no order is accepted until the register continues or begins again, which is public', async () => {
  await trade()
  expect(await command('backup', 'restored')).toMatchObject({ exitCode: 0 })
  app.ctx.clock.advance(10_000)
  await vi.waitFor(() => expect(app.faults.stopping).toBe('register_behind'), POLL)
  const size = await sizeHere()
  expect(await command('register', 'begin-again', '--reason', 'too short')).toMatchObject({ exitCode: 2 })
  const reason = 'The disk failed and no copy of the register was kept.'
  expect(await command('register', 'begin-again', '--reason', reason)).toMatchObject({ exitCode: 0 })
  await closeRegister(app)
  const { origin, newest } = (await app.call(calls.proofRegister)).body.data
  expect(origin).toMatch(/\/register\/2$/)
  expect(newest?.size).toBe(1)
  const tile = await app.http.inject({ url: '/register/tile/entries/000.p/1' })
  const genesis = JSON.parse(tile.rawPayload.toString('latin1', 2)) as { before: { note: string } }
  expect(genesis.before.note).toContain(`/register\n${size}\n`)
  app.ctx.clock.advance(10_000)
  await vi.waitFor(() => expect(app.faults.stopping).toBeNull(), POLL)
  const before = (await app.call(calls.proofRegister)).body.data
  expect(before.halted_since).toBeNull()
})
