import { depositsClosedReason } from '#server/settings/site-settings.ts'
import { areDepositsClosedLate } from '#server/payments/withdrawals/deadline.queries.ts'
import { calls } from '#contract/calls.ts'
import type { GatewayOut } from '#contract/deposits.ts'
import { isPlaceRefused } from '#core/accounts/country-rules.ts'
import { moneyNumber, moneyText, percentNumber } from '#core/money/money.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { toIso } from '#core/time/instant.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import { GATEWAY_IMAGE_PATH } from '#core/wallet/gateway-image.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CREDITED, findOwnDeposit, listDeposits } from '#server/payments/deposits/deposits.queries.ts'
import { toDepositReplies, toDepositReply } from '#server/payments/deposits/deposit-replies.ts'
import { closeDeposit, requoteDeposit } from '#server/payments/deposits/own-deposit.ts'
import { assert, type Refusal, refuse } from '#core/result.ts'
import { createRateOf, hasLiveRate, type RateOf } from '#server/payments/deposits/gateway-rate.ts'
import { saveDeposit } from '#server/payments/deposits/save-deposit.ts'
import { descriptionHtml } from '#server/platform/html/markup-to-html.ts'
import { type AddressHistory, addressHistory } from '#core/wallet/address-history.ts'
import { listPastAddresses } from '#server/payments/gateways/past.queries.ts'
import { type Gateway, listGateways } from '#server/payments/gateways/list-gateways.ts'
import { answer } from '#server/platform/http/answer.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import type { SiteCare } from '#server/settings/site-care.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'

export interface DepositsParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly care: () => SiteCare
  readonly uploads: Uploads
  readonly catalogue: MarketCatalogue
  readonly ticks: Ticks
}

export function depositsRoutes(register: Register, parts: DepositsParts): void {
  const { ctx, settings, care, uploads, catalogue, ticks } = parts
  const rateOf = createRateOf({ ctx, catalogue, ticks })
  register(calls.depositGateways, async ({ user, from, language }) => {
    // If the country rules refuse deposits, the user sees no address to pay to. Otherwise the user could pay first, and
    // only then be refused.
    const closedReason = isRefused(user, from)
      ? message('refusal.place_not_allowed', language)
      : await closedReasonFor(language)
    const gateways = closedReason === null ? await listGateways(ctx.db, 'deposit') : []
    const past = await listPastAddresses(ctx.db)
    return answer({
      gateways: gateways.map((gateway) => {
        const history = addressHistory(past.get(gateway.id) ?? [], gateway.walletAddress, ctx.now())
        return toGatewayReply(gateway, rateOf, history)
      }),
      image_path: GATEWAY_IMAGE_PATH,
      closed_reason: closedReason ?? '',
    })
  })
  register(calls.deposits, async ({ user, query }) => {
    const { deposits, total } = await listDeposits(ctx.db, user.userId, sliceOf(query))
    return answer({ deposits: await toDepositReplies(ctx.db, deposits) }, metaOf(query, total))
  })
  register(calls.saveDeposit, async ({ user, body, from, language }) => {
    const request = {
      userId: user.userId,
      owesConsent: user.owesConsent,
      isPlaceRefused: isRefused(user, from),
      gatewayId: body.method_id,
      gatewayVersion: body.method_version ?? null,
      amount: body.amount,
      fields: body.fields ?? {},
      clientRequestId: body.client_request_id ?? null,
    }
    const saved = await saveDeposit({ ctx, uploads, rateOf }, request, { ...settings.current, ...care() })
    if (!saved.ok) return saved
    const text =
      saved.value.status === CREDITED
        ? message('message.deposit_credited', language, {
            amount: moneyText(saved.value.credited),
            currency: BASE_CURRENCY,
          })
        : message('message.deposit_requested', language)
    return answer({ deposit: saved.value.reply }, { message: text })
  })
  register(calls.requoteDeposit, async ({ user, params: { trx } }) => {
    const own = { userId: user.userId, trx }
    const done = await requoteDeposit({ ctx, rateOf }, own)
    return done.ok ? changedReply(own) : orNotFound(done)
  })
  register(calls.closeDeposit, async ({ user, params: { trx } }) => {
    const own = { userId: user.userId, trx }
    const done = await closeDeposit(ctx, own)
    return done.ok ? changedReply(own) : orNotFound(done)
  })

  async function changedReply({ userId, trx }: { readonly userId: string; readonly trx: string }) {
    const deposit = await findOwnDeposit(ctx.db, userId, trx)
    assert(deposit, 'the deposit was just changed')
    return answer({ deposit: await toDepositReply(ctx.db, deposit) })
  }

  type HasCountry = { readonly country: string | null }
  function isRefused({ country: declared }: HasCountry, { country: address }: HasCountry): boolean {
    return isPlaceRefused(settings.current.countryRules, 'deposit', { declared, address })
  }

  /** Returns why the site accepts no deposits now, or null. */
  async function closedReasonFor(language: Language): Promise<string | null> {
    if (await areDepositsClosedLate(ctx.db, ctx.now())) return message('refusal.deposits_closed_late', language)
    const reason = depositsClosedReason(settings.current, ctx.now())
    return reason === null ? null : message('refusal.deposits_closed', language, { reason })
  }
}

function toGatewayReply(gateway: Gateway, rateOf: RateOf, history: AddressHistory | null): GatewayOut {
  return {
    address_history: history && { since: toIso(history.since), before: history.before },
    id: gateway.id,
    version: gateway.version,
    name: gateway.name,
    image: gateway.image,
    is_automatic: gateway.isAutomatic,
    is_live_rate: hasLiveRate(gateway),
    single_currency: {
      currency: gateway.currency,
      min_amount: moneyNumber(gateway.minimum),
      max_amount: moneyNumber(gateway.maximum),
      fixed_charge: moneyNumber(gateway.fixedCharge),
      percent_charge: percentNumber(gateway.percentCharge),
      rate: rateNumber(rateOf(gateway) ?? 0n),
      wallet_address: gateway.walletAddress,
    },
    form: { form_data: [...gateway.form] },
    description: descriptionHtml(gateway.description),
  }
}

/** Users cannot tell a deposit of another user from one that does not exist. */
function orNotFound<R extends string>(refused: Refusal<R | 'deposit_unknown'>): Refusal<R | 'not_found'> {
  return refused.refusal === 'deposit_unknown' ? refuse('not_found') : (refused as Refusal<R>)
}
