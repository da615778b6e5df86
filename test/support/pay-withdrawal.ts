import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { randomUUID } from 'node:crypto'
import type { StaffSession } from '#test/support/staff-session.ts'

/** Returns a withdrawal as a staff member sees it. */
export async function lookAt(who: StaffSession, trx: string) {
  return (await who.call(staffCalls.staffWithdrawal, { params: { trx } })).body.data
}

/** Returns the request body of a step by a staff member, with the hash of the withdrawal's current content. */
export async function stepBody(who: StaffSession, trx: string) {
  return { content_hash: (await lookAt(who, trx)).content_hash, request_id: randomUUID() }
}

/** Approves, begins to pay and pays a withdrawal that one person may decide. Returns the last outcome or refusal. */
export async function payInFull(who: StaffSession, trx: string, words = ''): Promise<string> {
  const params = { trx }
  const approved = await who.call(staffCalls.staffApproveWithdrawal, {
    params,
    body: { ...(await stepBody(who, trx)), words, reason: 'looked at' },
  })
  if (approved.status !== 200) return approved.body.code ?? ''
  await who.call(staffCalls.staffStartPaying, { params, body: await stepBody(who, trx) })
  const paid = await who.call(staffCalls.staffMarkPaid, {
    params,
    body: { ...(await stepBody(who, trx)), reference: `ref ${trx}` },
  })
  return paid.body.code ?? paid.body.data.outcome
}
