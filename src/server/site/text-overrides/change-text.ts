import { findPaymentAddress } from '#core/content/payment-address.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { hasSamePlaces, originalOf, placesIn } from '#messages/check-text.ts'
import { isLockedText } from '#messages/locked-keys.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import { sanitizeMarkup } from '#server/platform/html/sanitize-markup.ts'
import { sanitizeLine } from '#server/site/content/sanitize-content.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'
import { ENGLISH_TEXTS, shippedTexts } from '#server/site/text-overrides/shipped-texts.ts'
import { lockOverride, putOverride } from '#server/site/text-overrides/text-overrides.queries.ts'

interface Parts {
  readonly ctx: Ctx
  readonly textOverrides: TextOverridesService
}

export interface TextChange {
  readonly language: Language
  readonly key: string
  /** The version that the editor saw. 0 for a text without an override. */
  readonly version: number
  readonly actor: Actor
}

/** The reasons for which a text cannot be stored. */
type TextFlaw = 'text_empty' | 'text_places' | 'text_locked' | 'text_has_address'
type Stored = Result<{ version: number }, 'not_found' | 'changed_meanwhile'>

/** Overrides a shipped text. When the promise resolves, this server already uses the new text. */
export async function saveText(
  parts: Parts,
  { text: written, ...change }: TextChange & { readonly text: string },
): Promise<Stored | Refusal<TextFlaw>> {
  const isPage = ENGLISH_TEXTS.get(change.key)?.includes('\n') === true
  const text = isPage ? sanitizeMarkup(written) : sanitizeLine(written)
  return whatIsWrong(change.key, text) ?? store(parts, change, text)
}

/** Removes the override of a text, so that the shipped text applies again. */
export async function resetText(parts: Parts, change: TextChange): Promise<Stored> {
  return store(parts, change, null)
}

async function store({ ctx, textOverrides }: Parts, change: TextChange, text: string | null): Promise<Stored> {
  const { language, key, version, actor } = change
  if (!shippedTexts(language).places.has(key)) return refuse('not_found')
  const target = `text/${language}/${key}`
  const done = await ctx.db.transaction().execute(async (tx) => {
    const known = await lockOverride(tx, language, key)
    if (known.version !== version) return staleWriteRefusal(tx, { target, seenVersion: version, actor })
    const changed = { language, key, text, version: version + 1, updatedAt: ctx.now() }
    await putOverride(tx, changed)
    const before = { version: known.version, text: known.text }
    await recordAction(tx, ctx, actor, { target, outcome: 'done', before, after: { version: changed.version, text } })
    return ok({ version: changed.version })
  })
  if (done.ok) await textOverrides.reload()
  return done
}

function whatIsWrong(key: string, text: string): Refusal<TextFlaw> | null {
  if (isLockedText(ENGLISH_TEXTS, key)) return refuse('text_locked')
  if (text === '') return refuse('text_empty')
  const address = findPaymentAddress(text)
  if (address !== null) return refuse('text_has_address', { params: { found: address }, field: 'text' })
  const original = originalOf(ENGLISH_TEXTS, key) ?? ''
  if (hasSamePlaces(key, text, original)) return null
  const places = placesIn(original)
    .split(', ')
    .filter((name) => name !== '')
    .map((name) => `{${name}}`)
  return refuse('text_places', { params: { places: places.join(' ') || '–' } })
}
