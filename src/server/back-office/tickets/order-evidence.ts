import type { OrderEvidence } from '#contract/back-office/tickets.ts'
import type { LogTick } from '#core/markets/log-text.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import { price, priceNumber } from '#core/money/price.ts'
import { BUY, VOID } from '#core/orders/order.ts'
import { type BundleCheck, checkBundle } from '#core/proof/check-bundle.ts'
import type { DecidableOrder } from '#core/tickets/ticket-rules.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { findDecision, findOrder, orderState, type StaffOrder } from '#server/back-office/orders/orders.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { readIncidents } from '#server/proof/incidents/incidents.queries.ts'
import { evidenceOf } from '#server/proof/receipts/evidence.ts'
import { findOrder as findSignedOrder, receiptsOf } from '#server/proof/receipts/find-receipt.ts'
import type { ReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'
import { readSigningKeys } from '#server/proof/receipts/signing-keys.queries.ts'

export interface EvidenceParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly receipts: Pick<ReceiptWorker, 'idle'>
}

/** Number of ticks that are shown before and after an instant, as on the public page that checks an order. */
const [BEFORE, AFTER] = [5, 3]
const MAX_INCIDENTS = 50

/**
 * Returns the facts about an order, or null for an unknown order. Checks the result again from its receipts and the
 * tick log, with the code of the public check page.
 */
export async function orderEvidence(parts: EvidenceParts, trx: string): Promise<OrderEvidence | null> {
  const { db } = parts.ctx
  const order = await findOrder(db, trx)
  if (order === null) return null
  const checked = await checkAgain(parts, trx)
  const decision = await findDecision(db, order.id)
  const tick = (q: number, units: number | bigint, atMs: number | bigint) => ({
    q,
    price: priceNumber(price(units), order.decimals),
    at: toIso(instant(atMs)),
  })
  const shown = (atMs: number) =>
    around(checked.check?.ticks ?? [], atMs).map(({ q, price: units, timeMs }) => tick(q, units, timeMs))
  const { exit_seq: exitSeq, exit_price: exitPrice, exit_time_ms: exitMs, settled_ms: settledMs } = order
  const since = (ms: bigint | null | undefined) =>
    ms === null || ms === undefined ? null : Number(ms - order.expires_ms)
  const isSold = orderState(order) === 'sold'
  return {
    trx: order.trx,
    symbol: order.symbol,
    decimals: order.decimals,
    direction: order.direction === BUY ? 'buy' : 'sell',
    stake: moneyNumber(money(order.stake)),
    state: orderState(order),
    void_reason: order.void_reason,
    opened_at: toIso(instant(order.opened_ms)),
    expires_at: toIso(instant(order.expires_ms)),
    check: {
      outcome: checked.outcome,
      recomputed: checked.check?.recomputed ?? null,
      faults: [...(checked.check?.faults ?? [])],
    },
    entry: tick(Number(order.entry_seq), order.entry_price, order.entry_time_ms),
    exit: exitSeq === null || exitPrice === null || exitMs === null ? null : tick(Number(exitSeq), exitPrice, exitMs),
    entry_ticks: shown(Number(order.opened_ms)),
    expiry_ticks: order.settled_ms === null || isSold ? [] : shown(Number(order.expires_ms)),
    delays: {
      entry_ms: Number(order.opened_ms - order.entry_time_ms),
      decided_ms: since(decision?.decided_ms),
      settled_ms: isSold ? null : since(settledMs),
    },
    incidents: await incidentsDuring(parts.ctx, order),
  }
}

/** Returns the facts about an order that a verdict depends on, or null for an unknown order. */
export async function decidableOrder(parts: EvidenceParts, trx: string): Promise<DecidableOrder | null> {
  const order = await findOrder(parts.ctx.db, trx)
  if (order === null) return null
  const { outcome } = await checkAgain(parts, trx)
  return { isVoid: order.result === VOID, check: outcome }
}

interface Checked {
  readonly outcome: OrderEvidence['check']['outcome']
  readonly check: BundleCheck | null
}

async function checkAgain({ ctx, catalogue, receipts }: EvidenceParts, trx: string): Promise<Checked> {
  const { db } = ctx
  const order = await findSignedOrder(db, trx)
  if (order === null) return { outcome: 'later', check: null }
  let signed = await receiptsOf(db, catalogue, order, false)
  if (!signed.ok) {
    // Waits until the queued receipts are signed, as the public call for a receipt does.
    await receipts.idle()
    signed = await receiptsOf(db, catalogue, order, false)
  }
  if (!signed.ok) return { outcome: 'later', check: null }
  const log = await evidenceOf(db, order)
  if (!log.ok) return { outcome: log.refusal === 'receipt_not_yet' ? 'later' : 'gone', check: null }
  const check = checkBundle(SERVER_TOOLS, { ...signed.value, ...log.value, keys: await readSigningKeys(db) })
  // With only the receipt of the acceptance, nothing is known about the result yet.
  if (check.faults.length === 0 && !signed.value.result && !signed.value.sale) return { outcome: 'later', check }
  return { outcome: check.faults.length === 0 ? 'matches' : 'differs', check }
}

/**
 * Returns the last 5 ticks until an instant and the next 3. The given parts of the tick log may overlap, so duplicates
 * are removed.
 */
function around(ticks: readonly LogTick[], atMs: number): LogTick[] {
  const known = [...new Map(ticks.map((tick) => [tick.q, tick])).values()].toSorted((a, b) => a.q - b.q)
  const before = known.filter(({ timeMs }) => timeMs <= atMs)
  const after = known.filter(({ timeMs }) => timeMs > atMs)
  return [...before.slice(-BEFORE), ...after.slice(0, AFTER)]
}

/** Lists the public incidents of the order's symbol between the opening of the order and its settlement. */
async function incidentsDuring(ctx: Ctx, order: StaffOrder): Promise<OrderEvidence['incidents']> {
  const until = order.settled_ms ?? order.expires_ms
  // `~` sorts after every incident id, so incidents that begin at `until` are included.
  const before = { fromMs: Number(until), id: '~' }
  const found = await readIncidents(ctx.db, { symbolId: order.symbol_id, before, limit: MAX_INCIDENTS, now: ctx.now() })
  return found
    .filter(({ to_ms: toMs }) => toMs === null || toMs >= Number(order.opened_ms))
    .map(({ kind, cause, from_ms: from, to_ms: to, source }) => ({
      kind,
      cause,
      from: toIso(instant(from)),
      to: to === null ? null : toIso(instant(to)),
      source,
    }))
}
