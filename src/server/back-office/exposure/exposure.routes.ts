import type { ExposureRow } from '#contract/back-office/exposure.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { capsInForce } from '#core/markets/caps/caps.ts'
import { type CapSubject, capSubjectText, NO_CAP } from '#core/markets/terms/cap-subject.ts'
import { maxStakeOrders } from '#core/markets/caps/max-stake-orders.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { ALL } from '#core/markets/terms/terms-entry.ts'
import type { Mode } from '#core/markets/terms/terms-limits.ts'
import { type Money, money, moneyNumber, parseMoney, ZERO } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { ok, refuse } from '#core/result.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { saveCap } from '#server/market-data/catalogue/save-cap.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type CapUse, listCapRefusals, readCapUse } from '#server/trading/caps/cap-use.queries.ts'

interface ExposureParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly mode: Mode
}

type Refusals = Awaited<ReturnType<typeof listCapRefusals>>

/** Registers the calls for caps. A cap applies to both sides and to every user. */
export function exposureRoutes(register: RegisterStaff, { ctx, catalogue, mode }: ExposureParts): void {
  register(staffCalls.staffExposure, async () => {
    const now = ctx.now()
    const uses = await readCapUse(ctx.db)
    const refused = await listCapRefusals(ctx.db, now, 1)
    const { terms } = catalogue
    const caps = capsInForce(terms, now)
    return ok({
      rows: subjects(catalogue).map((subject) => toRow(subject, { terms, caps, now, uses, refused })),
      largest: maxStakeOrders(catalogue.settings).map(({ seconds, profit }) => ({
        seconds,
        profit: moneyNumber(profit),
      })),
    })
  })

  register(staffCalls.staffSaveCap, async ({ body, actor }) => {
    const { scope, key, version, reason, confirmed } = body
    const maximum = body.most === null ? null : parseMoney(String(body.most))
    if (body.most !== null && maximum === null) return refuse('cap_invalid')
    const edit = {
      scope,
      key,
      maximum,
      seenN: version,
      reason,
      isConfirmed: confirmed,
      actor,
    }
    const saved = await saveCap(ctx, { catalogue, mode }, edit)
    return saved.ok ? ok({ version: saved.value.version, applies_at: toIso(saved.value.appliesAt) }) : saved
  })
}

/** Everything that can have a cap: the site, the markets, and each symbol as a whole and by minute of expiry. */
function subjects({ known }: Pick<MarketCatalogue, 'known'>): CapSubject[] {
  return [
    { scope: 'site', key: ALL },
    ...MARKET_TYPES.map((key): CapSubject => ({ scope: 'market', key })),
    ...known.flatMap(({ code }): CapSubject[] => [
      { scope: 'symbol', key: code },
      { scope: 'expiry', key: code },
    ]),
  ]
}

interface RowParts {
  readonly terms: MarketCatalogue['terms']
  readonly caps: ReturnType<typeof capsInForce>
  readonly now: Instant
  readonly uses: readonly CapUse[]
  readonly refused: Refusals
}

function toRow({ scope, key }: CapSubject, { terms, caps, now, uses, refused }: RowParts): ExposureRow {
  const of = capSubjectText({ scope, key })
  const cap = caps.get(of)
  const coming = terms.coming('cap', of, now).at(-1)
  const useOf = (isBot: boolean) => uses.find((use) => use.of === of && use.isBot === isBot)
  const minute = useOf(false)?.minute ?? null
  const count = (direction: number) =>
    refused.reduce((sum, one) => sum + (one.code === key && one.direction === direction ? one.orders : 0), 0)
  return {
    scope,
    key,
    most: cap === undefined ? null : moneyNumber(cap.maximum),
    since: cap === undefined ? null : toIso(cap.since),
    coming: coming === undefined ? null : { most: amountOf(coming.value), applies_at: toIso(coming.appliesAt) },
    version: terms.steps('cap', of).at(-1)?.n ?? 0,
    used: sides(useOf(false)),
    bots: sides(useOf(true)),
    minute: minute === null ? null : toIso(minute),
    refused: scope === 'symbol' ? { buys: count(BUY), sells: count(SELL) } : null,
  }
}

function amountOf(value: string): number | null {
  return value === NO_CAP ? null : moneyNumber(money(BigInt(value)))
}

function sides(use: { readonly buys: Money; readonly sells: Money } | undefined) {
  return { buys: moneyNumber(use?.buys ?? ZERO), sells: moneyNumber(use?.sells ?? ZERO) }
}
