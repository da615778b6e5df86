import { calls } from '#contract/calls.ts'
import type { DepositOut, GatewayOut } from '#contract/deposits.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { money, moneyNumber, moneyText, percentNumber } from '#core/money/money.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import {
  CREDITED,
  type Gateway,
  listDeposits,
  type ListedDeposit,
  listGateways,
} from '#server/deposits/deposits.queries.ts'
import { saveDeposit } from '#server/deposits/save-deposit.ts'
import { answer } from '#server/http/answer.ts'
import { metaOf, sliceOf } from '#server/http/paging.ts'
import type { Register } from '#server/http/register-call.ts'
import { message } from '#server/messages.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/** The folder of the gateways' pictures. */
const GATEWAY_IMAGE_PATH = '/images/gateways/'
const RATE_DECIMALS = 6

export function depositsRoutes(register: Register, { ctx, settings }: { ctx: Ctx; settings: Settings }): void {
  register(calls.depositGateways, async () => {
    const gateways = settings.current.depositsOpen ? await listGateways(ctx.db) : []
    return answer({ gateways: gateways.map(toGatewayOut), image_path: GATEWAY_IMAGE_PATH })
  })
  register(calls.deposits, async ({ user, query }) => {
    const { deposits, total } = await listDeposits(ctx.db, user.userId, sliceOf(query))
    return answer({ deposits: deposits.map(toDepositOut) }, metaOf(query, total))
  })
  register(calls.saveDeposit, async ({ user, body, language }) => {
    const request = { userId: user.userId, gatewayId: body.method_id, amount: body.amount, fields: body.fields ?? {} }
    const saved = await saveDeposit(ctx, request, settings.current)
    if (!saved.ok) return saved
    const text =
      saved.value.status === CREDITED
        ? message('message.deposit_credited', language, {
            amount: moneyText(saved.value.credited),
            currency: BASE_CURRENCY,
          })
        : message('message.deposit_requested', language)
    return answer({ deposit: toDepositOut(saved.value) }, { message: text })
  })
}

function toGatewayOut(gateway: Gateway): GatewayOut {
  return {
    id: gateway.id,
    name: gateway.name,
    image: gateway.image,
    is_automatic: gateway.isAutomatic,
    single_currency: {
      currency: gateway.currency,
      min_amount: moneyNumber(gateway.minimum),
      max_amount: moneyNumber(gateway.maximum),
      fixed_charge: moneyNumber(gateway.fixedCharge),
      percent_charge: percentNumber(gateway.percentCharge),
      rate: rateNumber(gateway.rate),
      wallet_address: gateway.walletAddress,
    },
    form: { form_data: [...gateway.form] },
    description: gateway.description,
  }
}

function toDepositOut(deposit: ListedDeposit): DepositOut {
  return {
    trx: deposit.trx,
    status: deposit.status,
    created_at: toIso(deposit.createdAt),
    method: deposit.method,
    currency: deposit.currency,
    amount: moneyNumber(deposit.amount),
    percent_charge: moneyNumber(deposit.percentCharge),
    fixed_charge: moneyNumber(deposit.fixedCharge),
    charge: moneyNumber(money(deposit.percentCharge + deposit.fixedCharge)),
    total: moneyNumber(deposit.total),
    rate: rateNumber(deposit.rate),
    credited: moneyNumber(deposit.credited),
  }
}

function rateNumber(millionths: bigint): number {
  return Number(formatDecimal(millionths, RATE_DECIMALS))
}
