import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { bundleText, readBundle } from '#core/proof/bundle-file.ts'
import { formatEntryTile, readEntryTile } from '#core/register/entry-tile.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { closeRegister } from '#test/support/close-register.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { checkRegister } from './check-register.ts'
import { COULD_NOT_CHECK, DIFFERS, MATCHES } from './check-verdict.ts'

const BTC = 1
const POLL = { interval: 20 }

const database = useTestDatabase()
let app: TestApp
let alice: TestUser
let folder: string
let address: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-omitted-'))
  app = await createTestApp(database)
  await app.startMarkets()
  address = await app.http.listen({ port: 0, host: '127.0.0.1' })
  alice = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: alice.token, body: { amount: 1_000, method_id: 1 } })
  await closeRegister(app)
  const { keys } = (await app.call(calls.proofRegister)).body.data
  writeFileSync(join(folder, 'policy.txt'), `log ${keys[0]?.verifier_key ?? ''}\nquorum none\n`)
})
afterEach(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Places an order and saves its receipt file. Returns the path of the file. */
async function trade(): Promise<string> {
  const time = app.ctx.now()
  app.feed.tick(BTC, 9_400_000, time)
  app.ctx.clock.advance(100)
  await vi.waitFor(() => expect(app.ticks.latest(BTC)?.time).toBe(time), POLL)
  const placed = await app.engine.place(orderRequest(alice.id, app.ctx.newId(), { stake: money(1_000n) }))
  assert(placed.ok, 'the order is accepted')
  const { trx } = placed.value
  await app.receipts.idle()
  const receipts = await app.call(calls.proofReceipt, { params: { trx } })
  const evidence = await app.call(calls.proofEvidence, { params: { trx } })
  const { keys } = (await app.call(calls.proofKeys)).body.data
  const read = readBundle({ ...receipts.body.data, evidence: evidence.body.data, keys })
  assert(read, 'the receipts can be read')
  const path = join(folder, `${trx}.json`)
  writeFileSync(path, bundleText({ ...read, ...read.evidence }, []))
  return path
}

/** Lets three minutes pass, in each of which another order is accepted. */
async function passMinutes(): Promise<void> {
  for (let left = 3; left > 0; left--) {
    app.ctx.clock.advance(MINUTE_MS)
    await trade()
    await closeRegister(app)
  }
}

const check = (file: string, from = `${address}/register`) =>
  checkRegister(['--policy', join(folder, 'policy.txt'), '--from', from, '--receipt', file], { nowMs: app.ctx.now() })

it('the register check finds a receipt in the register, as the newest entry and after many more entries', async () => {
  const file = await trade()
  expect((await check(file)).lines.join()).toContain('need not be in the register yet')
  await closeRegister(app)
  const found = await check(file)
  expect(found.lines.join()).toContain('The receipt "accepted" is in the register since')
  expect(found.exitCode).toBe(MATCHES)
  await passMinutes()
  expect(await check(file)).toMatchObject({ exitCode: MATCHES })
})

it('the register check finds a receipt that was signed before an outage of the register', async () => {
  const file = await trade()
  app.ctx.clock.jump(20 * MINUTE_MS)
  expect(await check(file), 'nothing newer is shown').toMatchObject({ exitCode: COULD_NOT_CHECK })
  await closeRegister(app)
  await passMinutes()
  expect(await check(file)).toMatchObject({ exitCode: MATCHES })
})

/** Leaves all batches without an entry out of the register, as an operator with rights on the tables can. */
const leaveOut = () =>
  database.asOwner((owner) =>
    sql`insert into register_batch (log, batch_id, index)
      select current_log(), b.id, 0 from receipt_batch b
      where not exists (select from register_batch r where r.batch_id = b.id)`.execute(owner),
  )

it('A41: attack: an order left out of the register: its receipt and the register prove it', async () => {
  await trade()
  await passMinutes()
  const file = await trade()
  await leaveOut()
  await passMinutes()
  const { exitCode, lines } = await check(file)
  expect(lines.join()).toContain('The register leaves out the receipt "accepted"')
  expect(exitCode).toBe(DIFFERS)
})

it('A41: attack: a site that does not show the batches of an entry cannot be checked', async () => {
  const file = await trade()
  await closeRegister(app)
  await database.asOwner((owner) => sql`delete from register_batch`.execute(owner))
  const { exitCode, lines } = await check(file)
  expect(lines.join()).toMatch(/The site does not show the batches of entry \d+/)
  expect(exitCode).toBe(COULD_NOT_CHECK)
})

it.each([
  ['facts that were changed', (text: string) => text.replace('\\"direction\\":\\"buy', '\\"direction\\":\\"sell')],
  ['a signature by a key that the site never published', signedByAnother],
])('the register check does not accuse the operator because of a file with %s', async (_, forge) => {
  const file = await trade()
  await passMinutes()
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, forge(text))
  expect(readFileSync(file, 'utf8')).not.toBe(text)
  expect(await check(file)).toMatchObject({ exitCode: COULD_NOT_CHECK })
})

/** Signs another root with a new key, which the file itself names. */
function signedByAnother(text: string): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = { v: 1, kind: 'accepted', root: 'a'.repeat(64), count: 1, made_ms: app.ctx.now() - 10 * MINUTE_MS }
  const signed = `${encode({ alg: 'EdDSA', kid, typ: 'fairwick-receipts' })}.${encode(content)}`
  const signature = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
  const file = JSON.parse(text) as { accepted: { signature: string }; keys: object[] }
  file.accepted.signature = signature
  file.keys = [{ kty: 'OKP', crv: 'Ed25519', kid, x, from_ms: 0, retired_ms: null }]
  return JSON.stringify(file)
}

it('the register check does not accuse the operator because of a forged copy of the register with another entry in place of the receipts', async () => {
  const file = await trade()
  await closeRegister(app)
  await passMinutes()
  const copy = createServer((request, response) => void answerFalsely(request.url ?? '', response))
  await new Promise<void>((resolve) => void copy.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = copy.address() as AddressInfo
    const { exitCode, lines } = await check(file, `http://127.0.0.1:${port}/register`)
    expect(lines.join()).toMatch(/Entry \d+ is not an entry of the signed state/)
    expect(exitCode).toBe(COULD_NOT_CHECK)
  } finally {
    copy.close()
  }
})

/** Serves the register with every entry about receipts replaced by one of another kind. */
async function answerFalsely(path: string, response: ServerResponse): Promise<void> {
  const reply = await fetch(address + path)
  const bytes = Buffer.from(await reply.arrayBuffer())
  const lie = (text: string) => text.replace('"kind":"receipts"', '"kind":"ticks"')
  response.end(path.includes('/tile/entries/') ? formatEntryTile(readEntryTile(bytes).map(lie)) : bytes)
}
