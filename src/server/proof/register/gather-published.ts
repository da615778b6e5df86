import { sql } from 'kysely'
import { toHex } from '#core/proof/bytes.ts'
import { makeEntry, readEntry } from '#core/register/entry.ts'
import { readHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { sha256OfText } from '#server/platform/runtime/sha256.ts'
import { announcedBefore } from '#server/proof/register/announced-before.queries.ts'
import { readLogDays } from '#server/proof/receipts/log-days.queries.ts'
import { readSigningKeys } from '#server/proof/receipts/signing-keys.queries.ts'
import { receiptsBefore } from '#server/proof/receipts/gather-receipts.ts'
import type { Gather, GatheredEntry, RegisterParts } from '#server/register/close-minute.ts'
import { stateBefore } from '#server/register/identity.queries.ts'
import { entriesOfKind, newestEntry, newestFacts } from '#server/register/register.queries.ts'

/** Makes the first entry: it fixes everything that was published before the register began. */
export function createGenesis(
  auditHead: (db: Db) => Promise<{ readonly seq: number; readonly hash: string }>,
): RegisterParts['genesis'] {
  return async (tx, identity, nowMs): Promise<GatheredEntry> => {
    const receipts = await receiptsBefore(tx)
    const days = (await readLogDays(tx)).map((day) => [day.day, day.first_seq, day.last_seq, day.hash].join(' '))
    const before = await stateBefore(tx)
    const entry = makeEntry('genesis', {
      ...identity,
      at_ms: nowMs,
      ticks: toFacts(await readHead(tx)),
      days: sha256OfText(days.join('\n')),
      owed: await owedHead(tx),
      audit: await auditHead(tx),
      keys: (await readSigningKeys(tx)).map(({ kid }) => kid),
      receipts: receipts.facts,
      before,
      ...(before === null ? {} : await announcedBefore(tx)),
    })
    return { ...entry, added: receipts.added }
  }
}

/** Adds the newest hash of the tick log's chain to the register, in each minute that has new ticks. */
export const gatherTicks: Gather = async (tx, nowMs) => {
  const knownSeq = (await newestFacts(tx, 'ticks')).facts['q']
  const head = await readHead(tx)
  if (head.lastSeq === knownSeq) return []
  const { count } = await tx
    .selectFrom('tick_batch')
    .select(sql<bigint>`count(*)`.as('count'))
    .where('first_seq', '>', BigInt(Number(knownSeq)))
    .executeTakeFirstOrThrow()
  return [makeEntry('ticks', { at_ms: nowMs, ...toFacts(head), batches: Number(count) })]
}

/** Adds the daily record of the liabilities to users for each new day. */
export const gatherOwed: Gather = async (tx, nowMs) => {
  const { facts } = await newestFacts(tx, 'owed')
  const rows = await tx
    .selectFrom('liability_day')
    .select(['number', 'head'])
    .where('number', '>', Number(facts['number'] ?? 0))
    .orderBy('number')
    .execute()
  return rows.map((row) => makeEntry('owed', { at_ms: nowMs, number: row.number, head: toHex(row.head) }))
}

/** Adds an entry for each key that signs receipts, when it came into use and when it retired. */
export const gatherReceiptKeys: Gather = async (tx, nowMs) => {
  const genesis = await newestEntry(tx, 'genesis')
  const entries = (await entriesOfKind(tx, 'key')).map(({ text }) => readEntry(text))
  const listed = new Set(entries.map((entry) => `${String(entry?.['kid'])} ${String(entry?.['event'])}`))
  const first: unknown = genesis && readEntry(genesis.text)?.['keys']
  for (const kid of Array.isArray(first) ? first : []) listed.add(`${String(kid)} made`)
  const rows = await tx.selectFrom('signing_key').selectAll().orderBy('at_ms').orderBy('event').execute()
  return rows
    .filter(({ kid, event }) => !listed.has(`${kid} ${event}`))
    .map(({ kid, event, public_x: x, at_ms: atMs }) =>
      makeEntry('key', { at_ms: nowMs, of: 'receipts', kid, x, event, since_ms: Number(atMs) }),
    )
}

/**
 * Returns the number and hash of the newest daily record of the liabilities to users. The number is 0 before the first
 * record.
 */
async function owedHead(tx: Tx): Promise<{ readonly number: number; readonly head: string }> {
  const row = await tx
    .selectFrom('liability_day')
    .select(['number', 'head'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { number: row?.number ?? 0, head: toHex(row?.head ?? new Uint8Array()) }
}

function toFacts({ lastSeq, hash }: Awaited<ReturnType<typeof readHead>>): {
  readonly q: number
  readonly hash: string
} {
  return { q: lastSeq, hash: toHex(hash) }
}
