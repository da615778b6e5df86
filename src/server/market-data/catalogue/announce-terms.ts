import type { MarketType } from '#core/markets/market.ts'
import {
  type Announcement,
  type AnnouncementFacts,
  type AnnouncementRefusal,
  decideAnnouncement,
} from '#core/markets/terms/decide-announcement.ts'
import { NO_PREVIOUS, type TermsEntry, termsText } from '#core/markets/terms/terms-entry.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import type { Mode } from '#core/markets/terms/terms-limits.ts'
import { readSaleTerms } from '#core/orders/sale/sale-terms.ts'
import type { Instant } from '#core/time/instant.ts'
import { assert, type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import {
  ensureDuration,
  insertTermsEntries,
  lockTerms,
  newestTermsLink,
  readTermsHistory,
  termsHash,
} from '#server/market-data/catalogue/terms.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { currentHalt } from '#server/register/halts.queries.ts'
import { checkSaleReport, type ReportRefusal } from '#server/market-data/catalogue/sale-reports.queries.ts'
import { addRegisterEntries } from '#server/register/add-entry.queries.ts'

/**
 * The target under which the audit log lists changes of the trade terms. As their version, it lists the number of the
 * newest entry.
 */
const TARGET = 'trade terms'

interface StaffAnnouncement extends Announcement {
  /** The number of the newest entry that the staff member saw. */
  readonly seenN: number
  readonly actor: Actor
}

/**
 * Announces a change of the trade terms for new orders of all users. The entry goes into the history and into the register, and never
 * changes. An order keeps the terms it was opened with.
 */
export async function announceTerms(
  ctx: Ctx,
  { catalogue, mode }: { readonly catalogue: MarketCatalogue; readonly mode: Mode },
  { seenN, actor, ...announcement }: StaffAnnouncement,
): Promise<Result<TermsEntry, AnnouncementRefusal | 'changed_meanwhile' | 'terms_not_logged' | ReportRefusal>> {
  const announced = await ctx.db.transaction().execute(async (tx) => {
    // While the register is halted, it could not publish the change before the change applies.
    if ((await currentHalt(tx)) !== null) return refuse('terms_not_logged')
    const history = await lockedHistory(tx)
    const before = history.newest?.n ?? 0
    if (before !== seenN) return await staleWriteRefusal(tx, { target: TARGET, seenVersion: seenN, actor })
    const fair = await checkSale(tx, announcement, ctx.now())
    if (!fair.ok) return fair
    const added = await addAnnouncement(ctx, tx, { history, mode, announcement })
    if (!added.ok) return added
    const { n, what, of, value, appliesAt } = added.value
    const after = { version: n, what, of, value, appliesAt }
    await recordAction(tx, ctx, actor, { target: TARGET, outcome: 'done', before: { version: before }, after })
    return added
  })
  if (!announced.ok) return announced
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return announced
}

/**
 * Selling back is offered only when a calibration on the installation's own tick log found it fair. The database also
 * refuses an entry without such a calibration.
 */
async function checkSale(
  tx: Tx,
  { what, of, value }: Announcement,
  now: Instant,
): Promise<Result<undefined, ReportRefusal>> {
  const sale = what === 'sale' ? readSaleTerms(value) : null
  return sale === null ? ok() : await checkSaleReport(tx, of, sale, now)
}

/** Reads the history under a lock that the transaction keeps. */
export async function lockedHistory(tx: Tx): Promise<TermsHistory> {
  await lockTerms(tx)
  return await readTermsHistory(tx)
}

/** Decides and adds one announcement. The caller read `history` under the lock. */
export async function addAnnouncement(
  ctx: Pick<Ctx, 'newId' | 'now'>,
  tx: Tx,
  { history, mode, announcement }: { history: TermsHistory; mode: Mode; announcement: Announcement },
): Promise<Result<TermsEntry, AnnouncementRefusal>> {
  const marketTypeOf = await readMarketTypes(tx)
  const decided = decideAnnouncement({ history, mode, now: ctx.now(), marketTypeOf }, announcement)
  if (!decided.ok) return decided
  const [added] = await addEntries(ctx, tx, [{ ...announcement, ...decided.value }])
  assert(added, 'one entry was added')
  return ok(added)
}

type NewEntry = Pick<TermsEntry, 'what' | 'of' | 'value' | 'announcedAt' | 'appliesAt'>

/** Adds entries to the history and to the register. A new duration gets its id. The caller holds the lock. */
export async function addEntries(
  ctx: Pick<Ctx, 'newId' | 'now'>,
  tx: Tx,
  list: readonly NewEntry[],
): Promise<TermsEntry[]> {
  let link = (await newestTermsLink(tx)) ?? { n: 0, hash: NO_PREVIOUS }
  const entries: TermsEntry[] = []
  for (const { what, of, value, announcedAt, appliesAt } of list) {
    const entry = { n: link.n + 1, what, of, value, announcedAt, appliesAt, isBefore: false, previous: link.hash }
    entries.push(entry)
    link = { n: entry.n, hash: termsHash(termsText(entry)) }
    if (what === 'duration') await ensureDuration(tx, Number(of))
  }
  await insertTermsEntries(tx, entries)
  await addRegisterEntries(
    ctx,
    tx,
    entries.map((entry) => ({ kind: 'terms', text: termsText(entry) })),
  )
  return entries
}

async function readMarketTypes(tx: Tx): Promise<AnnouncementFacts['marketTypeOf']> {
  const rows = await tx.selectFrom('market_symbol').select(['code', 'market_type']).execute()
  const types = new Map(rows.map((row) => [row.code, row.market_type as MarketType]))
  return (code) => types.get(code) ?? null
}
