import type { GatewayIn, GatewayRow } from '#contract/back-office/gateways.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { basisPoints, moneyNumber, percentNumber } from '#core/money/money.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import type { RequestedChange } from '#server/audit/changes/ask-change.ts'
import { toPendingReply } from '#server/back-office/api/pending-reply.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { sanitizeMarkup } from '#server/platform/html/sanitize-markup.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { hasLiveRate } from '#server/payments/deposits/gateway-rate.ts'
import { mayBeAutomatic } from '#server/payments/gateways/automatic-gateways.ts'
import { createGateway, saveGateway } from '#server/payments/gateways/save-gateway.ts'
import {
  findStaffGateway,
  type GatewayContent,
  listStaffGateways,
  type StaffGateway,
} from '#server/payments/gateways/gateways.queries.ts'
import type { SitePictures } from '#server/platform/uploads/site-pictures.ts'

interface StaffGatewaysParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly sitePictures: SitePictures
  readonly settings: Settings
}

/**
 * Registers the calls for gateways and methods: list, add and change. None is deleted, because requests refer to them.
 */
export function staffGatewaysRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, mode, sitePictures, settings }: StaffGatewaysParts,
): void {
  registerList(staffCalls.staffGateways, async ({ filters: { kind }, after, limit }) => {
    const gateways = await listStaffGateways(ctx.db, kind, { after, limit })
    return gateways.map((gateway) => ({ row: toRow(gateway), cursor: [gateway.sort, gateway.id] }))
  })
  register(staffCalls.staffGateway, async ({ params: { id } }) => {
    const gateway = await findStaffGateway(ctx.db, id)
    if (!gateway) return refuse('not_found')
    return ok({
      ...toRow(gateway),
      wallet_address: gateway.walletAddress,
      // Converts a description that is stored as HTML to markup, because staff edit markup.
      description: sanitizeMarkup(gateway.description),
      form: [...gateway.form],
      may_be_automatic: mayBeAutomatic(id, mode),
    })
  })
  register(staffCalls.staffCreateGateway, async ({ body, actor }) =>
    toSavedReply(await createGateway(ctx, { kind: body.kind, content: toContent(body), mode, actor })),
  )
  register(staffCalls.staffSaveGateway, async ({ params: { id }, body, actor }) =>
    toSavedReply(
      await saveGateway(ctx, {
        id,
        mode,
        actor,
        version: body.version,
        content: toContent(body),
        rateJumpPercent: settings.current.rateJumpPercent,
      }),
    ),
  )
  register(staffCalls.staffGatewayPicture, async ({ body, actor }) => {
    const stored = await sitePictures.store(body.picture)
    if (!stored.ok) return { ...stored, field: 'picture' }
    await recordAction(ctx.db, ctx, actor, { target: stored.value, outcome: 'done' })
    return ok({ name: stored.value })
  })
}

function toSavedReply<R extends string>(
  saved: Result<{ readonly id: number; readonly version: number; readonly requested: RequestedChange | null }, R>,
) {
  if (!saved.ok) return saved
  const { id, version, requested } = saved.value
  return ok({ id, version, pending: toPendingReply(requested) })
}

function toRow(gateway: StaffGateway): GatewayRow {
  return {
    id: gateway.id,
    kind: gateway.kind,
    name: gateway.name,
    image: gateway.image,
    currency: gateway.currency,
    min_amount: moneyNumber(gateway.minimum),
    max_amount: moneyNumber(gateway.maximum),
    fixed_charge: moneyNumber(gateway.fixedCharge),
    percent_charge: percentNumber(gateway.percentCharge),
    rate: rateNumber(gateway.rate),
    is_live_rate: gateway.kind === 'deposit' && hasLiveRate(gateway),
    is_automatic: gateway.isAutomatic,
    is_offered: gateway.isOffered,
    quote_seconds: gateway.quoteSeconds,
    fields: gateway.form.length,
    sort: gateway.sort,
    version: gateway.version,
  }
}

function toContent(body: GatewayIn): GatewayContent {
  return {
    name: body.name,
    image: body.image,
    currency: body.currency,
    minimum: body.min_amount,
    maximum: body.max_amount,
    fixedCharge: body.fixed_charge,
    percentCharge: basisPoints(Number(body.percent_charge)),
    rate: body.rate,
    walletAddress: body.wallet_address,
    description: body.description,
    form: body.form,
    isAutomatic: body.is_automatic,
    isOffered: body.is_offered,
    quoteSeconds: body.quote_seconds,
    sort: body.sort,
  }
}
