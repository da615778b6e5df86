import { findPaymentAddress } from '#core/content/payment-address.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { money, moneyText } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { quoteDeposit } from '#core/wallet/deposit-quote.ts'
import { formFlaws } from '#core/wallet/form-definition.ts'
import { isCoarse, quoteWithdrawal, smallestPayment } from '#core/wallet/withdrawal-quote.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { DAY_MS, instant, later } from '#core/time/instant.ts'
import type { ApplyChange } from '#server/audit/changes/apply-changes.ts'
import { type RequestedChange, askChange, type AskRefusal } from '#server/audit/changes/ask-change.ts'
import type { ChangeFields } from '#server/audit/changes/changes.queries.ts'
import { type Act, publishAct } from '#server/audit/changes/publish-act.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'
import { sanitizeMarkup } from '#server/platform/html/sanitize-markup.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { mayBeAutomatic } from '#server/payments/gateways/automatic-gateways.ts'
import {
  changedTerms,
  contentUntil,
  guardedFields,
  type RateFacts,
  readRecorded,
  recorded,
} from '#server/payments/gateways/guarded-gateway.ts'
import { findRateAt, hasPast, insertPast } from '#server/payments/gateways/past.queries.ts'
import {
  type GatewayContent,
  insertGateway,
  lockGateway,
  type StaffGateway,
  updateGateway,
} from '#server/payments/gateways/gateways.queries.ts'

export type SaveGatewayRefusal =
  | 'form_invalid'
  | 'gateway_terms'
  | 'gateway_coarse'
  | 'gateway_automatic'
  | 'description_long'
  | 'text_has_address'

const MAX_DESCRIPTION_LENGTH = 5_000

interface Edit {
  readonly content: GatewayContent
  readonly mode: 'demo' | 'live'
  readonly actor: Actor
}

interface Saved {
  readonly id: number
  readonly version: number
  /** The change that waits for a second approver. Null when the whole edit applies at once. */
  readonly requested: RequestedChange | null
}

/**
 * Updates a gateway or method. Existing deposits and withdrawals keep the terms of their request. A change of the place
 * that users pay to, of the form or of the costs waits for a second approver. A gateway that is off stays off
 * until then. The rest applies at once.
 */
export async function saveGateway(
  ctx: Ctx,
  {
    id,
    version,
    content,
    mode,
    actor,
    rateJumpPercent,
  }: Edit & { readonly id: number; readonly version: number; readonly rateJumpPercent: number },
): Promise<Result<Saved, SaveGatewayRefusal | 'not_found' | 'changed_meanwhile' | AskRefusal>> {
  return ctx.db.transaction().execute(async (tx) => {
    const before = await lockGateway(tx, id)
    if (!before) return refuse('not_found')
    const target = targetOf(id)
    if (before.version !== version) return staleWriteRefusal(tx, { target, seenVersion: version, actor })
    const checked = check(content, { id, kind: before.kind, mode })
    if (!checked.ok) return checked
    const rateBefore = await findRateAt(tx, id, later(ctx.now(), -DAY_MS))
    const rates = { rateBefore: rateBefore ?? before.rate, jumpPercent: rateJumpPercent }
    const was: ChangeFields = recorded(before)
    const guarded = (await hasAnyUser(tx)) ? waitingFields(asMarkup(before), checked.value, { rates, id, mode }) : {}
    let requested: RequestedChange | null = null
    if (Object.keys(guarded).length > 0) {
      const changeBefore = Object.fromEntries(Object.keys(guarded).map((field) => [field, was[field]]))
      const change = { kind: 'gateway', subject: target, before: changeBefore, after: guarded, reason: '' } as const
      const wanted = await askChange(ctx, tx, { mode, actor, change })
      if (!wanted.ok) return wanted
      requested = wanted.value
    }
    const now = contentUntil(guarded, { before, after: checked.value })
    const next = version + 1
    await updateGateway(tx, id, now, next)
    const by = { requestedAt: ctx.now(), people: 1, mark: '' } as const
    await notePast(ctx, tx, { id, before, after: now, version: next, by })
    await recordAction(tx, ctx, actor, {
      target,
      outcome: 'done',
      before: { version, ...was },
      after: { version: next, ...recorded(now), ...(requested && { waits: guarded }) },
    })
    return ok({ id, version: next, requested })
  })
}

interface Waiting {
  readonly rates: RateFacts
  readonly id: number
  readonly mode: 'demo' | 'live'
}

/**
 * Returns the fields of an edit that must wait for a second approver. If the rest does not fit the earlier values of
 * these fields, then limits and rate wait too, because users would be offered terms that no one asked for.
 */
function waitingFields(before: StaffGateway, after: GatewayContent, { rates, id, mode }: Waiting): ChangeFields {
  const guarded = guardedFields(before, after, rates)
  if (Object.keys(guarded).length === 0) return guarded
  const fits = check(contentUntil(guarded, { before, after }), { id, kind: before.kind, mode }).ok
  return fits ? guarded : { ...guarded, ...changedTerms(before, after) }
}

/** Creates a gateway or method. The creation waits for a second approver, unless the installation has no users yet. */
export async function createGateway(
  ctx: Ctx,
  { kind, content, mode, actor }: Edit & { readonly kind: 'deposit' | 'withdraw' },
): Promise<Result<Saved, SaveGatewayRefusal | AskRefusal>> {
  const checked = check(content, { id: null, kind, mode })
  if (!checked.ok) return checked
  return ctx.db.transaction().execute(async (tx) => {
    if (await hasAnyUser(tx)) {
      const after = { kind, ...recorded(checked.value) }
      const change = { kind: 'gateway', subject: checked.value.name, before: {}, after, reason: '' } as const
      const wanted = await askChange(ctx, tx, { mode, actor, change })
      if (!wanted.ok) return wanted
      await recordAction(tx, ctx, actor, { target: checked.value.name, outcome: 'done', after: { waits: after } })
      return ok({ id: 0, version: 0, requested: wanted.value })
    }
    const { id } = await addGateway(ctx, tx, kind, checked.value)
    const after = { version: 1, kind, ...recorded(checked.value) }
    await recordAction(tx, ctx, actor, { target: targetOf(id), outcome: 'done', after })
    return ok({ id, version: 1, requested: null })
  })
}

/** Returns the function that applies an edit or a new gateway after two approvers agreed. */
export function createApplyGateway(ctx: Ctx, mode: 'demo' | 'live'): ApplyChange {
  return async (tx, { subject, after, requestedAt, secondBy, mark }) => {
    const id = idOf(subject)
    if (id === null || after['kind'] !== undefined) {
      const kind = after['kind'] === 'withdraw' ? 'withdraw' : 'deposit'
      const checked = check(readRecorded(after), { id: null, kind, mode })
      if (!checked.ok) return checked
      const added = await addGateway(ctx, tx, kind, checked.value)
      return ok({ target: targetOf(added.id), before: null, after: { version: 1, ...after } })
    }
    const before = await lockGateway(tx, id)
    if (!before) return refuse('not_found')
    const checked = check(readRecorded({ ...recorded(before), ...after }), { id, kind: before.kind, mode })
    if (!checked.ok) return checked
    const version = before.version + 1
    await updateGateway(tx, id, checked.value, version)
    const by = { requestedAt, people: secondBy === null ? 1 : 2, mark } as const
    await notePast(ctx, tx, { id, before, after: checked.value, version, by })
    return ok({
      before: { version: before.version, ...recorded(before) },
      after: { version, ...recorded(checked.value) },
    })
  }
}

async function addGateway(ctx: Ctx, tx: Tx, kind: 'deposit' | 'withdraw', content: GatewayContent) {
  const id = await insertGateway(tx, kind, content)
  await insertPast(tx, { id, version: 1, at: ctx.now(), content })
  return { id }
}

interface Step {
  readonly id: number
  readonly before: GatewayContent
  readonly after: GatewayContent
  readonly version: number
  /** The decision that the register publishes with a new rate. */
  readonly by: Pick<Act, 'requestedAt' | 'people' | 'mark'>
}

/** Adds a changed address or rate to the history of the gateway. A new rate is also published in the register. */
async function notePast(ctx: Ctx, tx: Tx, { id, before, after, version, by }: Step): Promise<void> {
  const isNewRate = before.rate !== after.rate
  if (!isNewRate && before.walletAddress === after.walletAddress) return
  // A gateway from the first start has no row in the history yet. Its first row gets the time 0, because the server
  // does not know since when its address was in effect.
  if (!(await hasPast(tx, id))) await insertPast(tx, { id, version: version - 1, at: instant(0), content: before })
  await insertPast(tx, { id, version, at: ctx.now(), content: after })
  if (!isNewRate) return
  const reason = `1 ${after.currency} = ${formatDecimal(after.rate, 6)}`
  await publishAct(ctx, tx, { what: 'rate', of: targetOf(id), appliesAt: ctx.now(), ...by, reason })
}

/** Converts a description that was stored as HTML to the markup that staff see, so that both compare as equal. */
function asMarkup<G extends GatewayContent>(gateway: G): G {
  return { ...gateway, description: sanitizeMarkup(gateway.description).trim() }
}

/**
 * Whether any user exists. Without users no payment can go to a gateway, so one staff member can set up an installation
 * alone.
 */
async function hasAnyUser(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) !== undefined
}

interface Which {
  readonly id: number | null
  readonly kind: 'deposit' | 'withdraw'
  readonly mode: 'demo' | 'live'
}

/**
 * Checks that users can use the gateway, and that its name and description contain no payment address. Returns the content with
 * its description sanitised.
 */
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
  // A method that is switched off can always be saved, so that staff can switch off a method from before this rule.
  if (which.kind === 'withdraw' && content.isOffered && isCoarse(content)) return refuseCoarse(content)
  if (content.isAutomatic && !mayBeAutomatic(which.id, which.mode)) return refuse('gateway_automatic')
  const description = sanitizeMarkup(content.description).trim()
  if (description.length > MAX_DESCRIPTION_LENGTH) {
    return refuse('description_long', { params: { most: MAX_DESCRIPTION_LENGTH } })
  }
  for (const [field, text] of Object.entries({ name: content.name, description })) {
    const address = findPaymentAddress(text)
    if (address !== null) return refuse('text_has_address', { params: { found: address }, field })
  }
  return ok({ ...content, description })
}

function refuseCoarse({ currency, rate }: GatewayContent): Refusal<'gateway_coarse'> {
  const unit = smallestPayment(currency)
  const worth = money((unit * rate) / 1_000_000n)
  const params = { unit: moneyText(unit), currency, worth: moneyText(worth), base: BASE_CURRENCY }
  return refuse('gateway_coarse', { params })
}

function targetOf(id: number): string {
  return `gateway ${id}`
}

function idOf(target: string): number | null {
  const id = /^gateway (\d+)$/.exec(target)?.[1]
  return id === undefined ? null : Number(id)
}
