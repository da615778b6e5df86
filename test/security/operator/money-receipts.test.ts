import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { checkMoney, type MoneyCheck } from '#core/proof/check-money.ts'
import { checkSignature } from '#core/proof/check-signature.ts'
import { moneyFileText, readMoneyFile } from '#core/proof/money-file.ts'
import {
  type MoneyFacts,
  moneyFactsText,
  type MoneyOwner,
  moneyOwnerText,
  readMoneyFacts,
  readMoneyOwner,
} from '#core/proof/money-facts.ts'
import { type Receipt, readReceipt } from '#core/proof/receipt.ts'
import { assert } from '#core/result.ts'
import { checkInclusion } from '#core/register/check-inclusion.ts'
import { parseVerifierKey } from '#core/register/signed-note.ts'
import { DAY_MS, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { sha256OfText } from '#server/platform/runtime/sha256.ts'
import { postAnnounced } from '#server/payments/adjustments/post-announced.ts'
import { moneyReceiptsOf } from '#server/proof/receipts/find-money-receipts.ts'
import { listMoneySteps } from '#server/proof/receipts/money-steps.queries.ts'
import { takeIntoUse } from '#server/proof/receipts/signing-keys.queries.ts'
import { leafDigest, rootOfDigests } from '#server/proof/receipts/tree-root.ts'
import { withoutRule } from '#test/support/bare-rows.ts'
import { closeRegister } from '#test/support/close-register.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, testKey, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { TEST_PASSWORD } from '#test/support/test-users.ts'
import { payInFull, stepBody } from '#test/support/pay-withdrawal.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { askVerifier } from '#test/verifier/run-verifier.ts'

const PIN = '042713'
const BANK = 101
const BANK_DETAILS = { 'Account holder': '山田', Bank: 'First', 'Account number or IBAN': 'DE00 1234' }
const BITCOIN = 4
const ADDRESS = 'bc1qdemo-not-a-real-address-send-nothing'

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
let user: TestUser
beforeEach(async () => {
  app = await createTestApp(database)
  await takeIntoUse(app.ctx.db, await testKey, app.ctx.now())
  owner = await app.staff('owner')
  user = await app.verifiedUser('alice')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1_000, method_id: 1 } })
  await app.setPin(user.token, PIN, { 101: BANK_DETAILS })
})
afterEach(() => app.stop())

async function askWithdrawal(): Promise<string> {
  const body = { amount: 100, method_id: BANK, withdrawal_code: PIN, fields: BANK_DETAILS }
  return (await app.call(calls.saveWithdrawal, { token: user.token, body })).body.data.withdrawal.trx
}

/** Requests a deposit whose gateway shows an address, and which staff have to credit. */
async function askDeposit(): Promise<string> {
  await database.asOwner((db) =>
    db.updateTable('gateway').set({ form: '[]', currency: 'USDT' }).where('id', '=', BITCOIN).execute(),
  )
  const { body } = await app.call(calls.saveDeposit, { token: user.token, body: { amount: 1, method_id: BITCOIN } })
  return body.data.deposit.trx
}

const keysOf = async () => (await app.call(calls.proofKeys)).body.data.keys
async function answerOf(trx: string, token: string | null = user.token) {
  const { body } = await app.call(calls.proofMoney, { params: { trx }, ...(token !== null && { token }) })
  const receipts = body.data.receipts.map(readReceipt).filter((receipt) => receipt !== null)
  return { receipts, proofs: body.data.proofs }
}

/** Checks receipts with our program and with the independent one, which must agree. */
async function judge(receipts: readonly Receipt[]): Promise<MoneyCheck> {
  const text = moneyFileText({ receipts, keys: await keysOf() })
  const file = readMoneyFile(text)
  assert(file, 'a file that can be read')
  const check = checkMoney(SERVER_TOOLS, file)
  const [other] = askVerifier([{ check: 'money', files: [text] }])
  const known: readonly string[] = check.faults
  if (known.length === 0) expect(other).toMatchObject({ code: 0 })
  else expect([other?.code, known]).toEqual([1, expect.arrayContaining([other?.verdict])])
  return check
}
const stepsOf = ({ steps }: MoneyCheck) => steps.map(({ facts }) => facts.step)

function withFacts(receipt: Receipt, change: Partial<MoneyFacts>): Receipt {
  const facts = readMoneyFacts(receipt.facts)
  assert(facts, 'facts')
  return { ...receipt, facts: moneyFactsText({ ...facts, ...change }) }
}
function withOwner(receipt: Receipt, change: Partial<MoneyOwner>): Receipt {
  const part = readMoneyOwner(receipt.owner ?? '')
  assert(part, 'an owner’s part')
  return { ...receipt, owner: moneyOwnerText({ ...part, ...change }) }
}
/** Signs a receipt once more with the operator's key, with other content. */
async function signedAgain(
  receipt: Receipt,
  change: Partial<MoneyOwner>,
  facts: Partial<MoneyFacts> = {},
): Promise<Receipt> {
  const part = withOwner(receipt, change).owner ?? ''
  const { facts: text } = withFacts(receipt, { ...facts, owner: sha256OfText(part) })
  const root = rootOfDigests([leafDigest(text)])
  const signature = await (await testKey).sign({ v: 1, kind: 'money', root, count: 1, made_ms: app.ctx.now() })
  return { ...receipt, facts: text, owner: part, path: [], signature }
}

it('A99: attack: a deposit address other than the one shown to the user', async () => {
  const trx = await askDeposit()
  const { receipts } = await answerOf(trx)
  const check = await judge(receipts)
  expect([stepsOf(check), check.faults]).toEqual([['asked'], []])
  expect(check.steps[0]?.owner).toMatchObject({ to: ADDRESS, amount: '100', currency: 'USDT', charges: '0' })
  const [first] = receipts
  assert(first, 'a receipt')
  expect((await judge([withOwner(first, { to: 'another address' })])).faults).toEqual(['owner'])
  // The operator signed both receipts, so together they prove that one of them is false.
  const another = await signedAgain(first, { to: 'another address' })
  expect((await judge([another])).faults).toEqual([])
  expect((await judge([first, another])).faults).toEqual(['terms', 'steps'])
  // A change of the gateway leaves the receipts valid. After a change of the row, no receipt matches.
  await database.asOwner((db) => db.updateTable('gateway').set({ wallet_address: 'later address' }).execute())
  expect((await judge((await answerOf(trx)).receipts)).faults).toEqual([])
  await withoutRule(database, { table: 'deposit', rule: 'deposit_decision_kept' }, (db) =>
    db.updateTable('deposit').set({ wallet_address: 'another address' }).execute(),
  )
  expect((await judge((await answerOf(trx)).receipts)).faults).toEqual(['root'])
})

it('A100: attack: a changed time since which a withdrawal has been waiting', async () => {
  const requestedAt = app.ctx.now()
  const trx = await askWithdrawal()
  const { receipts } = await answerOf(trx)
  app.ctx.clock.advance(5 * DAY_MS)
  user = await app.signIn('alice', TEST_PASSWORD)
  const check = await judge((await answerOf(trx)).receipts)
  expect(check).toMatchObject({
    faults: [],
    steps: [
      { facts: { step: 'asked', at_ms: requestedAt }, owner: { amount: '10000', to: expect.stringContaining('山田') } },
    ],
  })
  const [first] = receipts
  assert(first, 'a receipt')
  expect((await judge([withFacts(first, { at_ms: app.ctx.now() })])).faults).toContain('root')
  const later = await signedAgain(first, {}, { at_ms: app.ctx.now() })
  expect((await judge([first, later])).faults).toEqual(['steps'])
  const changed = app.ctx.db.transaction().execute(async (tx) => {
    await sql`set local role fairwick_server`.execute(tx)
    await sql`insert into money_step select user_id, record_id, 'cancelled', ${app.ctx.newId()}::uuid, of_kind, trx, at_ms from money_step`.execute(
      tx,
    )
  })
  await expect(changed, 'the server writes no step itself').rejects.toThrow(/permission denied/)
})

it('A101: attack: an amount or an outcome other than the receipt states', async () => {
  const trx = await askWithdrawal()
  const body = {
    ...(await stepBody(owner, trx)),
    words: 'The bank refused it.',
    reason_code: 'provider_refused' as const,
  }
  await owner.call(staffCalls.staffRejectWithdrawal, { params: { trx }, body })
  const { receipts } = await answerOf(trx)
  const check = await judge(receipts)
  expect([stepsOf(check), check.faults]).toEqual([['asked', 'rejected'], []])
  expect(check.steps[1]?.owner?.reason).toBe('provider_refused: The bank refused it.')
  const [asked, rejected] = receipts
  assert(asked && rejected, 'two receipts')
  expect((await judge([asked, withOwner(rejected, { amount: '1' })])).faults).toEqual(['owner', 'terms'])
  expect((await judge([asked, await signedAgain(rejected, { amount: '1' })])).faults).toEqual(['terms'])
  const approved = await signedAgain(rejected, {}, { step: 'paid' })
  expect((await judge([asked, rejected, approved])).faults).toEqual(['steps'])
  expect((await judge([rejected, asked])).faults).toContain('steps')
  expect((await judge([asked, await signedAgain(rejected, {}, { at_ms: 1 })])).faults).toEqual(['times'])
  expect((await judge([{ ...asked, signature: rejected.signature.replace(/^./, 'f') }])).faults).toContain(
    'signature_form',
  )
})

it('A127: attack: operator: a back-dated or post-dated step that no receipt is signed for', async () => {
  const days = [-2 * DAY_MS, 2 * DAY_MS]
  for (const shift of days) {
    const trx = await askDeposit()
    expect(stepsOf(await judge((await answerOf(trx)).receipts))).toEqual(['asked'])
    app.ctx.clock.advance(MINUTE_MS)
    const at = app.ctx.now() + shift
    await sql`update deposit set status = 3, decided_ms = ${at}, feedback = 'No' where trx = ${trx}`.execute(
      database.db,
    )
    const check = await judge((await answerOf(trx)).receipts)
    expect([stepsOf(check), check.faults]).toEqual([['asked', 'rejected'], shift < 0 ? ['times'] : []])
  }
  const trx = await askDeposit()
  const negative = sql`update deposit set status = 3, decided_ms = -1 where trx = ${trx}`.execute(database.db)
  await expect(negative).rejects.toThrow(/money_step_at_ms_check/)
})

it('shows the receipts that were signed, even while another step of the record has no receipt', async () => {
  const trx = await askDeposit()
  expect((await answerOf(trx)).receipts).toHaveLength(1)
  const [asked] = await listMoneySteps(app.ctx.db, trx)
  assert(asked, 'a step')
  const unsigned = { ...asked, orderId: app.ctx.newId() }
  const found = await moneyReceiptsOf(app.ctx, [asked, unsigned], user.id)
  assert(found.ok, 'receipts')
  expect(found.value.receipts).toHaveLength(1)
  expect(await moneyReceiptsOf(app.ctx, [unsigned], user.id)).toMatchObject({ refusal: 'receipt_not_yet' })
})

it('a depositor sees since when an address is in force, and for seven days when the previous address ended', async () => {
  const finance = await app.staff('finance')
  const historyOf = async () => {
    const { gateways } = (await app.call(calls.depositGateways, { token: user.token })).body.data
    return gateways.find(({ id }) => id === BITCOIN)?.address_history
  }
  expect(await historyOf(), 'an unknown start').toBeNull()
  const params = { id: String(BITCOIN) }
  const gateway = (await finance.call(staffCalls.staffGateway, { params })).body.data
  const body = { ...gateway, form: [...gateway.form], wallet_address: 'later address', kind: undefined }
  await finance.call(staffCalls.staffSaveGateway, { params, body: body as never })
  await app.passChanges(owner)
  const since = (await historyOf())?.since ?? ''
  expect(await historyOf()).toEqual({ since: toIso(app.ctx.now()), before: ADDRESS.slice(-6) })
  app.ctx.clock.advance(7 * DAY_MS)
  user = await app.signIn('alice', TEST_PASSWORD)
  expect(await historyOf()).toEqual({ since, before: null })
})

describe('receipts of money', () => {
  it('receipts of money appear in the register, and only the user gets the private part', async () => {
    const trx = await askWithdrawal()
    expect((await answerOf(trx)).proofs).toEqual([null])
    await closeRegister(app)
    const { receipts, proofs } = await answerOf(trx, null)
    expect(receipts[0]).not.toHaveProperty('owner')
    const [proof] = proofs
    const signed = checkSignature(SERVER_TOOLS, receipts[0]?.signature ?? '', await keysOf(), 'money')
    assert(typeof signed !== 'string' && proof, 'a signed receipt with a proof')
    const { keys } = (await app.call(calls.proofRegister)).body.data
    const known = keys
      .map((key) => parseVerifierKey(SERVER_TOOLS.sha256, key.verifier_key))
      .filter((key) => key !== null)
    expect(checkInclusion(SERVER_TOOLS, signed.root, proof, known)).toMatchObject({ atMs: expect.any(Number) })
    const other = await app.verifiedUser('bob')
    expect((await answerOf(trx, other.token)).receipts[0]).not.toHaveProperty('owner')
    expect((await app.call(calls.proofMoney, { params: { trx: 'FW-1' } })).body.code).toBe('receipt_unknown')
  })

  it('receipts of money name the payment and the cancellation of a withdrawal, and an automatic deposit', async () => {
    const cancelled = await askWithdrawal()
    await app.call(calls.cancelWithdrawal, { token: user.token, params: { trx: cancelled } })
    const approved = await askWithdrawal()
    await payInFull(owner, approved)
    const [deposit] = (await app.call(calls.deposits, { token: user.token })).body.data.deposits
    const found: unknown[] = []
    for (const trx of [cancelled, approved, deposit?.trx ?? ''])
      found.push(stepsOf(await judge((await answerOf(trx)).receipts)))
    expect(found).toEqual([
      ['asked', 'cancelled'],
      ['asked', 'paid'],
      ['asked', 'credited'],
    ])
  })

  it('receipts of money name an announced adjustment and its posting', async () => {
    const finance = await app.staff('finance')
    const [deposit] = (await app.call(calls.deposits, { token: user.token })).body.data.deposits
    const form = { user_id: user.id, kind: 'deposit_reversed' as const, link: deposit?.trx ?? '', amount: 10 }
    const request = { body: { ...form, reason: 'x', message: 'The bank took it back.' } }
    const { id } = (await finance.call(staffCalls.staffRequestCorrection, request)).body.data
    const { content_hash } = (await owner.call(staffCalls.staffCorrection, { params: { id } })).body.data
    await owner.call(staffCalls.staffApproveCorrection, { params: { id }, body: { content_hash } })
    const [{ trx } = { trx: '' }] = (await app.call(calls.adjustments, { token: user.token })).body.data.adjustments
    const announced = (await answerOf(trx)).receipts
    expect(stepsOf(await judge(announced))).toEqual(['announced'])
    app.ctx.clock.advance(MINUTE_MS)
    await postAnnounced(app.ctx)
    const check = await judge((await answerOf(trx)).receipts)
    expect([stepsOf(check), check.faults]).toEqual([['announced', 'posted'], []])
    expect(check.steps[1]?.owner).toMatchObject({ amount: '-1000', reason: 'The bank took it back.' })
  })
})
