import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { fromBase64, toHex } from '#core/proof/bytes.ts'
import { checkSignature } from '#core/proof/check-signature.ts'
import { checkInclusion, type RegisterProof } from '#core/register/check-inclusion.ts'
import { readEntryTile } from '#core/register/entry-tile.ts'
import { entryHash, readEntry } from '#core/register/entry.ts'
import { isConsistent, TILE_WIDTH } from '#core/register/log-proofs.ts'
import { openNote } from '#core/register/open-note.ts'
import { parseVerifierKey } from '#core/register/signed-note.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { noteRun, noteStop } from '#server/platform/faults/server-run.queries.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { addRegisterEntry } from '#server/register/add-entry.queries.ts'
import { closeRegister } from '#test/support/close-register.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BTC = 1
const database = useTestDatabase()
let app: TestApp
let alice: TestUser

beforeEach(async () => {
  app = await createTestApp(database)
  await app.startMarkets()
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
})
afterEach(() => app.stop())

async function placeOrder(): Promise<string> {
  const time = app.ctx.now()
  app.feed.tick(BTC, 9_400_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time))
  const placed = await app.engine.place(orderRequest(alice.id, app.ctx.newId(), { stake: money(1_000n) }))
  assert(placed.ok, 'placed')
  await app.receipts.idle()
  return placed.value.trx
}

/** Reads the register as a stranger would: its keys from a public call, and everything else from its files. */
async function readAsStranger() {
  const { body } = await app.call(calls.proofRegister)
  const keys = body.data.keys.map((key) => parseVerifierKey(sha256, key.verifier_key)).filter((key) => key !== null)
  const note = await app.http.inject({ url: '/register/checkpoint' })
  const opened = openNote(SERVER_TOOLS, note.body, keys)
  assert(typeof opened === 'object', 'a signed checkpoint')
  const width = opened.checkpoint.size % TILE_WIDTH
  const tile = await app.http.inject({ url: `/register/tile/entries/000.p/${width}` })
  const texts = readEntryTile(tile.rawPayload)
  const leaves = await app.http.inject({ url: `/register/tile/0/000.p/${width}` })
  return { ...opened, keys, note: note.body, texts, leaves: leaves.rawPayload }
}

it('begins with an entry that names the installation, signed in a checkpoint that anyone can read', async () => {
  const { checkpoint, texts, leaves } = await readAsStranger()
  expect(checkpoint.size).toBe(texts.length)
  expect(readEntry(texts[0] ?? '')).toMatchObject({ v: 1, kind: 'genesis', origin: checkpoint.origin, mode: 'demo' })
  for (const [at, text] of texts.entries())
    expect(toHex(entryHash(sha256, text))).toBe(toHex(leaves.subarray(32 * at, 32 * at + 32)))
})

it('adds entries in the order in which they were stored, also when the server that stored the first has a fast clock', async () => {
  const { ctx } = app
  const store = (at: number, text: string) =>
    ctx.db
      .transaction()
      .execute((tx) =>
        addRegisterEntry({ newId: () => ctx.newId(), now: () => instant(at) }, tx, { kind: 'act', text }),
      )
  await store(ctx.now() + 3_000, '{"v":1,"kind":"act","n":1}')
  await store(ctx.now() + 1_000, '{"v":1,"kind":"act","n":2}')
  await closeRegister(app)
  const { texts } = await readAsStranger()
  expect(texts.slice(-2).map((text) => text.slice(-2))).toEqual(['1}', '2}'])
})

it('proves to anyone that the receipt of an order is in the register, and refuses the proof for another receipt', async () => {
  const trx = await placeOrder()
  const proofsOf = async () => (await app.call(calls.proofOfReceipt, { params: { trx } })).body.data
  expect(await proofsOf()).toEqual({ accepted: null, result: null, amended: null, sale: null })
  await closeRegister(app)
  const { accepted: proof } = await proofsOf()
  const { accepted } = (await app.call(calls.proofReceipt, { params: { trx } })).body.data
  assert(proof, 'it is in the register')
  const { keys: signingKeys } = (await app.call(calls.proofKeys)).body.data
  const signed = checkSignature(SERVER_TOOLS, accepted.signature, signingKeys)
  assert(typeof signed === 'object', 'a signed receipt')
  const { keys } = await readAsStranger()
  const check = (root: string, given: RegisterProof) =>
    checkInclusion(SERVER_TOOLS, { root, kind: 'accepted' }, given, keys)
  expect(check(signed.root.root, proof)).toMatchObject({ atMs: app.ctx.now(), signatures: [{ seconds: null }] })
  expect(check('0'.repeat(64), proof)).toBe('not_logged')
  expect(check(signed.root.root, { ...proof, index: proof.index - 1 })).toBe('not_logged')
  expect(check(signed.root.root, { ...proof, text: proof.text.replace('"count":1', '"count":2') })).toBe('not_logged')
  expect(check(signed.root.root, { ...proof, note: proof.note.replace('/register\n', '/registers\n') })).toBe(
    'note_signature',
  )
})

it('adds one entry for the new ticks and one for the new receipts of a minute, and none while nothing is new', async () => {
  await placeOrder()
  const { checkpoint: before } = await readAsStranger()
  await closeRegister(app)
  const { checkpoint, texts } = await readAsStranger()
  const kinds = texts.slice(before.size).map((text) => readEntry(text)?.['kind'])
  expect(kinds).toEqual(['ticks', 'receipts'])
  expect(checkpoint.size).toBe(before.size + 2)
  expect(await closeRegister(app)).toBeNull()
})

it('adds the newest number and hash of the audit log once an hour', async () => {
  await app.staff('owner')
  app.ctx.clock.advance(HOUR_MS)
  await closeRegister(app)
  const { texts } = await readAsStranger()
  const [audit] = texts.map((text) => readEntry(text)).filter((entry) => entry?.['kind'] === 'audit')
  expect(audit).toMatchObject({ seq: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

it('A233: names when each server first accepted orders, and whether it stopped or crashed', async () => {
  const now = app.ctx.now()
  const ago = (ms: number) => later(now, -ms)
  const [stopped, crashed, starting] = [app.ctx.newId(), app.ctx.newId(), app.ctx.newId()]
  const name = 'one'
  await noteRun(app.ctx.db, { run: stopped, name, startedAt: ago(3 * MINUTE_MS), now: ago(MINUTE_MS), isReady: true })
  await noteStop(app.ctx.db, stopped, ago(MINUTE_MS))
  await noteRun(app.ctx.db, { run: crashed, name, startedAt: ago(2 * MINUTE_MS), now: ago(MINUTE_MS), isReady: true })
  await noteRun(app.ctx.db, { run: starting, name, startedAt: now, now, isReady: false })
  await closeRegister(app)
  const newestRuns = async () => {
    const { texts } = await readAsStranger()
    return texts.map((text) => readEntry(text)).findLast((entry) => entry?.['kind'] === 'run')?.['runs']
  }
  expect(await newestRuns()).toMatchObject([
    { run: stopped, ready_ms: ago(MINUTE_MS), how: 'clean' },
    { run: crashed, ready_ms: ago(MINUTE_MS), how: 'crash' },
    { run: starting, ready_ms: null, how: null },
  ])
  const readyAt = later(now, MINUTE_MS)
  app.ctx.clock.jump(MINUTE_MS)
  await noteRun(app.ctx.db, { run: starting, name, startedAt: now, now: readyAt, isReady: true })
  await closeRegister(app)
  expect(await newestRuns()).toMatchObject([{}, {}, { run: starting, ready_ms: readyAt, how: null }])
  await expect(
    app.ctx.db.updateTable('server_run').set({ ready_ms: now }).where('run', '=', starting).execute(),
  ).rejects.toThrow('when a server was first ready is written once')
})

it('proves that an older state is the beginning of a newer one', async () => {
  const { checkpoint: older } = await readAsStranger()
  for (let minute = 0; minute < 3; minute += 1) {
    await placeOrder()
    app.ctx.clock.advance(MINUTE_MS)
    await closeRegister(app)
  }
  const { checkpoint: newer } = await readAsStranger()
  const query = { from: older.size, to: newer.size }
  const { hashes } = (await app.call(calls.proofConsistency, { query })).body.data
  const proof = hashes.map(fromBase64).filter((hash) => hash !== null)
  expect(isConsistent(sha256, older, newer, proof)).toBe(true)
  const tooLarge = await app.call(calls.proofConsistency, { query: { from: older.size, to: newer.size + 1 } })
  expect(tooLarge.body).toMatchObject({ code: 'register_size' })
})

it('serves tiles that other programs can read, compressed on request, and no tile that does not exist', async () => {
  const { checkpoint } = await readAsStranger()
  const url = `/register/tile/entries/000.p/${checkpoint.size}`
  const plain = await app.http.inject({ url })
  const packed = await app.http.inject({ url, headers: { 'accept-encoding': 'gzip' } })
  expect(gunzipSync(packed.rawPayload)).toEqual(plain.rawPayload)
  expect(plain.headers).toMatchObject({ 'access-control-allow-origin': '*' })
  for (const path of [`0/000.p/${checkpoint.size + 1}`, '0/000', '1/000.p/1', '0/001.p/1', 'x/000'])
    expect((await app.http.inject({ url: `/register/tile/${path}` })).statusCode, path).toBe(404)
})
