import { instant, type Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { isLanguage, type Language } from '#server/platform/i18n/messages.ts'

/** The operator's text that replaces a shipped text. `text` is null after the operator restored the shipped text. */
export interface TextOverride {
  readonly language: Language
  readonly key: string
  readonly text: string | null
  readonly version: number
  readonly updatedAt: Instant
}

/**
 * Lists all stored overrides, including removed ones. It needs no pages, because an operator has dozens of overrides,
 * not thousands.
 */
export async function listOverrides(db: Db): Promise<TextOverride[]> {
  const rows = await db
    .selectFrom('text_override')
    .select(['language', 'key', 'text', 'version', 'updated_ms'])
    .orderBy('language')
    .orderBy('key')
    .execute()
  return rows.flatMap(({ language, updated_ms: updated, ...row }) =>
    isLanguage(language) ? [{ language, ...row, updatedAt: instant(updated) }] : [],
  )
}

/**
 * Returns an override and locks it until the transaction ends. Creates its row when it is missing, so that there is a
 * row to lock and concurrent changes wait.
 */
export async function lockOverride(tx: Tx, language: Language, key: string): Promise<Omit<TextOverride, 'updatedAt'>> {
  await tx
    .insertInto('text_override')
    .values({ language, key, text: null, version: 0, updated_ms: 0 })
    .onConflict((conflict) => conflict.columns(['language', 'key']).doNothing())
    .execute()
  const row = await tx
    .selectFrom('text_override')
    .select(['text', 'version'])
    .where('language', '=', language)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { language, key, ...row }
}

export async function putOverride(tx: Tx, { language, key, text, version, updatedAt }: TextOverride): Promise<void> {
  await tx
    .updateTable('text_override')
    .set({ text, version, updated_ms: updatedAt })
    .where('language', '=', language)
    .where('key', '=', key)
    .execute()
}
