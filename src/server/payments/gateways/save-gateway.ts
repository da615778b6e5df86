import { findPaymentAddress } from '#core/content/payment-address.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { quoteDeposit } from '#core/wallet/deposit-quote.ts'
import { formFlaws } from '#core/wallet/form-definition.ts'
import { quoteWithdrawal } from '#core/wallet/withdrawal-quote.ts'
import { moneyText } from '#core/money/money.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'
import { sanitizeMarkup } from '#server/platform/html/sanitize-markup.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { mayBeAutomatic } from '#server/payments/gateways/automatic-gateways.ts'
import {
  type GatewayContent,
  insertGateway,
  lockGateway,
  updateGateway,
} from '#server/payments/gateways/gateways.queries.ts'

export type SaveGatewayRefusal =
  | 'form_invalid'
  | 'gateway_terms'
  | 'gateway_automatic'
  | 'description_long'
  | 'text_has_address'

const MAX_DESCRIPTION_LENGTH = 5_000

interface Edit {
  readonly content: GatewayContent
  readonly mode: 'demo' | 'live'
  readonly actor: Actor
}

/** Updates a gateway or method. Existing requests keep their frozen terms. */
export async function saveGateway(
  ctx: Ctx,
  { id, version, content, mode, actor }: Edit & { readonly id: number; readonly version: number },
): Promise<Result<{ id: number; version: number }, SaveGatewayRefusal | 'not_found' | 'changed_meanwhile'>> {
  return ctx.db.transaction().execute(async (tx) => {
    const before = await lockGateway(tx, id)
    if (!before) return refuse('not_found')
    const target = targetOf(id)
    if (before.version !== version) return staleWriteRefusal(tx, { target, seenVersion: version, actor })
    const checked = check(content, { id, kind: before.kind, mode })
    if (!checked.ok) return checked
    const next = version + 1
    await updateGateway(tx, id, checked.value, next)
    await recordAction(tx, ctx, actor, {
      target,
      outcome: 'done',
      before: { version, ...recorded(before) },
      after: { version: next, ...recorded(checked.value) },
    })
    return ok({ id, version: next })
  })
}

/** Creates a gateway or method. */
export async function createGateway(
  ctx: Ctx,
  { kind, content, mode, actor }: Edit & { readonly kind: 'deposit' | 'withdraw' },
): Promise<Result<{ id: number; version: number }, SaveGatewayRefusal>> {
  const checked = check(content, { id: null, kind, mode })
  if (!checked.ok) return checked
  return ctx.db.transaction().execute(async (tx) => {
    const id = await insertGateway(tx, kind, checked.value)
    const after = { version: 1, kind, ...recorded(checked.value) }
    await recordAction(tx, ctx, actor, { target: targetOf(id), outcome: 'done', after })
    return ok({ id, version: 1 })
  })
}

interface Which {
  readonly id: number | null
  readonly kind: 'deposit' | 'withdraw'
  readonly mode: 'demo' | 'live'
}

/** Checks that users can use the gateway. Returns it with its description sanitised. */
function check(content: GatewayContent, which: Which): Result<GatewayContent, SaveGatewayRefusal> {
  const [flaw] = formFlaws(which.kind, content.form)
  if (flaw) {
    const why = staffText(`gateways.flaw_${flaw.code}`, {})
    const place = flaw.at === null ? why : staffText('gateways.flaw_at', { place: flaw.at + 1, why })
    return refuse('form_invalid', { params: { why: place } })
  }
  const smallest = which.kind === 'deposit' ? quoteDeposit : quoteWithdrawal
  if (content.maximum < content.minimum || content.rate <= 0n || !smallest(content, content.minimum).ok) {
    return refuse('gateway_terms')
  }
  if (content.isAutomatic && !mayBeAutomatic(which.id, which.mode)) return refuse('gateway_automatic')
  const description = sanitizeMarkup(content.description).trim()
  if (description.length > MAX_DESCRIPTION_LENGTH) {
    return refuse('description_long', { params: { most: MAX_DESCRIPTION_LENGTH } })
  }
  const address = findPaymentAddress(description)
  if (address !== null) return refuse('text_has_address', { params: { found: address }, field: 'description' })
  return ok({ ...content, description })
}

function targetOf(id: number): string {
  return `gateway ${id}`
}

/** Formats the content for the audit log, with the field names of the API. */
function recorded(content: GatewayContent) {
  return {
    name: content.name,
    image: content.image,
    currency: content.currency,
    min_amount: moneyText(content.minimum),
    max_amount: moneyText(content.maximum),
    fixed_charge: moneyText(content.fixedCharge),
    percent_charge: content.percentCharge / 100,
    rate_millionths: content.rate.toString(),
    wallet_address: content.walletAddress,
    description: content.description,
    form: content.form,
    is_automatic: content.isAutomatic,
    is_offered: content.isOffered,
    sort: content.sort,
  }
}
