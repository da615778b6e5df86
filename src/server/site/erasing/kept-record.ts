import { refuse, type Result, ok } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { FALLBACK_LANGUAGE } from '#messages/languages.ts'
import { findRecord } from '#server/site/erasing/erasing.queries.ts'
import { consents, deposits, paymentDetails, profile, withdrawals } from '#server/site/own-data/account-files.ts'
import type { DataFile, ExportParts } from '#server/site/own-data/data-file.ts'

/** The files of a user's data copy that the law requires an operator to keep: identity, consents and payments. */
const RECORD_FILES: readonly DataFile[] = [profile, consents, deposits, withdrawals, paymentDetails]

/**
 * Names the place of an encrypted record. The encryption is bound to this name, so the record of one user cannot be
 * stored as that of another.
 */
export const recordPlace = (userId: string): string => `kept record ${userId}`

/** Returns the kept files of a user as one text. The name of each file is in the line above its content. */
export async function recordText(parts: ExportParts, userId: string): Promise<string> {
  const texts: string[] = []
  for (const file of RECORD_FILES) {
    texts.push(`== ${file.name}\n`)
    let place: string | null = null
    do {
      const step = await file.step(parts, { userId, language: FALLBACK_LANGUAGE }, place)
      texts.push(String(step.content))
      place = step.next
    } while (place !== null)
  }
  return texts.join('')
}

interface OpenedRecord {
  readonly text: string
  readonly until: Instant
}

/**
 * Returns the decrypted record of an erased account. Before that, the audit log records the reason and the name of the
 * staff member.
 */
export async function openRecord(
  { ctx, records }: { readonly ctx: Ctx; readonly records: Vault },
  { userId, reason, actor }: { readonly userId: string; readonly reason: string; readonly actor: Actor },
): Promise<Result<OpenedRecord, 'not_found'>> {
  return ctx.db.transaction().execute(async (tx) => {
    const record = await findRecord(tx, userId)
    if (record === null) return refuse('not_found')
    await recordAction(tx, ctx, actor, { target: userId, reason, outcome: 'looked' })
    const text = records.decrypt(record.sealed, recordPlace(userId))
    return ok({ text, until: instant(record.untilMs) })
  })
}
