import { type Money, moneyText } from '#core/money/money.ts'
import { trxFrom, TRX_BYTES } from '#core/orders/trx.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { type DepositAmountRefusal, quoteDeposit } from '#core/wallet/deposit-quote.ts'
import type { Ctx } from '#server/context.ts'
import { creditDeposit } from '#server/deposits/credit-deposit.ts'
import {
  CREDITED,
  type Deposit,
  type FormField,
  type Gateway,
  insertDeposit,
  listGateways,
  type ListedDeposit,
  PENDING,
} from '#server/deposits/deposits.queries.ts'

export type DepositRefusal = 'deposits_closed' | 'gateway_unknown' | 'field_required' | DepositAmountRefusal

export interface DepositRequest {
  readonly userId: string
  readonly gatewayId: number
  readonly amount: Money
  /** By label. */
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Records a deposit with its quote frozen. An automatic gateway credits it in the same transaction; any other waits for
 * the operator.
 */
export async function saveDeposit(
  ctx: Ctx,
  request: DepositRequest,
  { depositsOpen }: { readonly depositsOpen: boolean },
): Promise<Result<ListedDeposit, DepositRefusal>> {
  if (!depositsOpen) return refuse('deposits_closed')
  const gateway = (await listGateways(ctx.db)).find(({ id }) => id === request.gatewayId)
  if (!gateway) return refuse('gateway_unknown')
  const fields = readFields(gateway.form, request.fields)
  if (!fields.ok) return fields
  const quote = quoteDeposit(gateway, request.amount)
  if (!quote.ok) return explainAmount(quote, gateway)

  const now = ctx.now()
  const deposit: Deposit = {
    ...quote.value,
    userId: request.userId,
    id: ctx.newId(),
    trx: trxFrom(ctx.randomBytes(TRX_BYTES)),
    gatewayId: gateway.id,
    status: gateway.isAutomatic ? CREDITED : PENDING,
    currency: gateway.currency,
    fields: fields.value,
    createdAt: now,
    decidedAt: gateway.isAutomatic ? now : null,
  }
  await ctx.db.transaction().execute(async (tx) => {
    await insertDeposit(tx, deposit)
    if (gateway.isAutomatic) await creditDeposit(tx, deposit, now)
  })
  if (gateway.isAutomatic) ctx.announce({ kind: 'balance-changed', userId: request.userId })
  return ok({ ...deposit, method: gateway.name })
}

/** Keeps what the form asks for and nothing else. */
function readFields(
  form: readonly FormField[],
  given: Readonly<Record<string, string>>,
): Result<Record<string, string>, 'field_required'> {
  const kept: [string, string][] = []
  for (const { label, is_required: isRequired } of form) {
    const value = Object.hasOwn(given, label) ? (given[label] ?? '').trim() : ''
    if (value === '' && isRequired)
      return refuse('field_required', { params: { name: label }, field: `fields[${label}]` })
    if (value !== '') kept.push([label, value])
  }
  return ok(Object.fromEntries(kept))
}

function explainAmount(
  { refusal }: Refusal<DepositAmountRefusal>,
  { minimum, maximum, currency }: Gateway,
): Refusal<DepositAmountRefusal> {
  const value = moneyText(refusal === 'above_maximum' ? maximum : minimum)
  return refuse(refusal, { params: { name: 'amount', value, currency } })
}
