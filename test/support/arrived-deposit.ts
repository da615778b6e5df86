import { randomUUID } from 'node:crypto'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { toIso } from '#core/time/instant.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import type { TestApp } from '#test/support/test-app.ts'

interface Arriving {
  readonly trx: string
  /** If absent, what the user was asked to pay. */
  readonly amount?: string
  readonly reference?: string
  readonly seenAt?: string
  readonly reason?: string
}

/** Records what arrived for a deposit, as a member of staff. Returns the code of a refusal, or null. */
export async function recordArrived(
  app: Pick<TestApp, 'ctx'>,
  who: StaffSession,
  { trx, amount, reference = `ref ${trx}`, seenAt = toIso(app.ctx.now()), reason = '' }: Arriving,
): Promise<string | null> {
  const { body: seen } = await who.call(staffCalls.staffDeposit, { params: { trx } })
  if (seen.code !== undefined) return seen.code
  const { body } = await who.call(staffCalls.staffRecordArrival, {
    params: { trx },
    body: {
      content_hash: seen.data.content_hash,
      request_id: randomUUID(),
      amount: amount ?? seen.data.preview.asked,
      seen_at: seenAt,
      reference,
      reason,
    },
  })
  return body.code ?? null
}

/** Records an arrival of the whole amount to pay, unless the deposit has an arrival, and approves the deposit. */
export async function creditInFull(
  app: Pick<TestApp, 'ctx'>,
  who: StaffSession,
  trx: string,
  words = '',
): Promise<string> {
  const look = async () => (await who.call(staffCalls.staffDeposit, { params: { trx } })).body.data
  if ((await look()).arrivals.length === 0) {
    const refused = await recordArrived(app, who, { trx })
    if (refused !== null) return refused
  }
  const { body } = await who.call(staffCalls.staffApproveDeposit, {
    params: { trx },
    body: { content_hash: (await look()).content_hash, words },
  })
  return body.code ?? body.data.outcome
}
