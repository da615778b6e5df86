import type { PaymentFileRow } from '#contract/back-office/payment-files.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { moneyNumber } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { isPayable } from '#core/wallet/method-details.ts'
import { shortDetails } from '#core/wallet/short-details.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { findForms } from '#server/payments/gateways/list-gateways.ts'
import type { FileCall } from '#server/payments/payment-files/change-payment-file.ts'
import { downloadPaymentFile } from '#server/payments/payment-files/download-payment-file.ts'
import { markFilePaid, voidPaymentFile } from '#server/payments/payment-files/end-payment-file.ts'
import { makePaymentFile } from '#server/payments/payment-files/make-payment-file.ts'
import {
  findPaymentFile,
  listLines,
  listPaymentFiles,
  listReady,
  listReadyMethods,
  type PaymentFile,
} from '#server/payments/payment-files/payment-files.queries.ts'
import type { ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** Registers the calls for payment files: what is ready, the list of files, and every change of a file. */
export function staffPaymentFilesRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx }: { readonly ctx: Ctx },
): void {
  const { db } = ctx
  registerList(staffCalls.staffPaymentFiles, async ({ filters: { state }, after, limit }) => {
    const files = await listPaymentFiles(db, { state: state ?? null }, { after, limit })
    return files.map((file) => ({ row: toRow(file), cursor: [file.createdAt, file.id] }))
  })
  register(staffCalls.staffPaymentFile, async ({ params: { id } }) => {
    const file = await findPaymentFile(db, id)
    if (file === null) return refuse('not_found')
    const lines = await listLines(db, id)
    return ok({
      ...toRow(file),
      lines: lines.map(({ paidOut, ...line }) => ({ ...line, paid_out: moneyNumber(paidOut) })),
    })
  })
  register(staffCalls.staffReadyPayments, async () => {
    const methods = await listReadyMethods(db)
    return ok({
      methods: methods.map(({ methodId, sum, ...method }) => ({
        ...method,
        method_id: methodId,
        sum: moneyNumber(sum),
      })),
    })
  })
  register(staffCalls.staffReadyOfMethod, async ({ params: { method: methodId, currency } }) => {
    const form = (await findForms(db, [methodId])).get(methodId) ?? []
    const canPay = ({ details }: Pick<ReviewedWithdrawal, 'details'>) => isPayable(form, details)
    const withdrawals = await listReady(db, ctx.vault, { methodId, currency, isPayable: canPay })
    return ok({
      withdrawals: withdrawals.map(({ trx, username, details, paidOut }) => ({
        trx,
        username,
        pay_to: shortDetails(details),
        paid_out: moneyNumber(paidOut),
        can_pay: isPayable(form, details),
      })),
    })
  })
  changeRoutes(register, ctx)
}

/** Registers the calls that create, download and end a payment file. */
function changeRoutes(register: RegisterStaff, ctx: Ctx): void {
  register(staffCalls.staffMakePaymentFile, async (given) => {
    const { trxs } = given.body
    return reply(await makePaymentFile(ctx, { ...callOf(given), trxs }))
  })
  register(staffCalls.staffDownloadPaymentFile, async ({ params: { id }, body: { reason }, actor }) => {
    const done = await downloadPaymentFile(ctx, { id, reason, actor })
    return done.ok ? done : known(done)
  })
  register(staffCalls.staffUnsendPaymentFile, async (given) => {
    const { words } = given.body
    return reply(await voidPaymentFile(ctx, { ...callOf(given), ...given.params, words }))
  })
  register(staffCalls.staffPayPaymentFile, async (given) => {
    const { reference, paid_at: paidAt } = given.body
    const time = paidAt === undefined ? undefined : instant(Date.parse(paidAt))
    return reply(await markFilePaid(ctx, { ...callOf(given), ...given.params, reference, paidAt: time }))
  })
}

interface Given {
  readonly params?: unknown
  readonly body: { readonly request_id: string }
  readonly staff: { readonly staffId: string }
  readonly actor: Actor
}

/**
 * Builds the call for the use case. Its hash of the request's content tells a repeated request from a new request with
 * the same id.
 */
function callOf({ params, body, staff: { staffId }, actor }: Given): FileCall {
  const { request_id: requestId, ...content } = body
  return { actor, request: { staffId, requestId, contentHash: contentHash({ what: actor.what, params, ...content }) } }
}

function reply<R extends string>(done: Result<string, R>) {
  return done.ok ? ok({ id: done.value }) : known(done)
}

type CallRefusal<R extends string> = R extends 'file_unknown' ? 'not_found' : R

/** Converts a refusal of a use case to the refusal of the call. */
function known<R extends string>(refused: Refusal<R>): Refusal<CallRefusal<R>> {
  const { refusal } = refused
  return { ...refused, refusal: (refusal === 'file_unknown' ? 'not_found' : refusal) as CallRefusal<R> }
}

function toRow(file: PaymentFile): PaymentFileRow {
  const { id, method, currency, count, sum, sha256, state, downloads } = file
  return {
    id,
    method,
    currency,
    count,
    sum: moneyNumber(sum),
    state,
    made_by: file.maker,
    created_at: toIso(file.createdAt),
    voided_at: file.voidedAt === null ? null : toIso(file.voidedAt),
    downloads,
    sha256,
  }
}
