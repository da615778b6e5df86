import { toHex } from '#core/proof/bytes.ts'
import { type EntryKind, readEntry } from '#core/register/entry.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { CURRENT_LOG } from '#server/register/register.queries.ts'

/** As many notice periods as a witness stores. */
const MAX_NOTICES = 100

/**
 * The newest announcements in earlier registers, as the first entry of the next register names them. The numbers and
 * hashes of later announcements follow these, and the notice periods still hold.
 */
export async function announcedBefore(tx: Tx) {
  const terms = await earlierEntries(tx, 'terms')
  const notices = terms
    .filter(({ entry }) => entry['what'] === 'notice')
    .slice(-MAX_NOTICES)
    .map(({ entry }) => ({ n: entry['n'], value: entry['value'], applies_ms: entry['applies_ms'] }))
  return {
    terms: { ...headOf(terms), notices },
    sources: headOf(await earlierEntries(tx, 'sources')),
  }
}

interface EarlierEntry {
  readonly entry: Readonly<Record<string, unknown>>
  readonly leaf: Uint8Array
}

function headOf(entries: readonly EarlierEntry[]) {
  const newest = entries.at(-1)
  return { n: newest?.entry['n'] ?? 0, hash: toHex(newest?.leaf ?? new Uint8Array()) }
}

async function earlierEntries(tx: Tx, kind: EntryKind): Promise<readonly EarlierEntry[]> {
  const rows = await tx
    .selectFrom('register_entry')
    .select(['text', 'leaf'])
    .where('log', '<', CURRENT_LOG)
    .where('kind', '=', kind)
    .orderBy('log')
    .orderBy('index')
    .execute()
  return rows.map(({ text, leaf }) => ({ entry: readEntry(text) ?? {}, leaf }))
}
