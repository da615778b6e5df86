import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { money } from '#core/money/money.ts'
import { bundleText, readBundle } from '#core/proof/bundle-file.ts'
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

const check = (file: string) =>
  checkRegister(['--policy', join(folder, 'policy.txt'), '--from', `${address}/register`, '--receipt', file])

it('finds a receipt in the register, at once and after many entries', async () => {
  const file = await trade()
  expect((await check(file)).lines.join()).toContain('need not be in the register yet')
  await closeRegister(app)
  const found = await check(file)
  expect(found.lines.join()).toContain('The receipt "accepted" is in the register since')
  expect(found.exitCode).toBe(MATCHES)
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
