import { ok, refuse, type Result } from '#core/result.ts'
import { DAY_MS, type Instant, instant, later, MINUTE_MS, minuteText } from '#core/time/instant.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { contentTextOf } from '#server/site/content/content-texts.ts'
import { lockContent } from '#server/site/content/content.queries.ts'
import { type HomeContentParts, readerFor } from '#server/site/content/home-content.ts'
import { insertTerms, lastTerms, type TermsWords } from '#server/users/terms-of-use/terms-of-use.queries.ts'

/** The key of the page whose text is the draft of the next version of the terms of use. */
export const TERMS_SLUG = 'terms'
/**
 * 14 days between the announcement of a version and the day on which it applies. The database checks this by its own
 * clock.
 */
const NOTICE_MS = 14 * DAY_MS

interface TermsPublication {
  /** The version of the page that the announcer read. */
  readonly draftVersion: number
  readonly from: Instant
  readonly needsConsent: boolean
  /** A description of the changes, by language. For a missing language, the English text is used. */
  readonly summary: Readonly<Record<string, string>>
  readonly actor: Actor
}

/** Announces the present text of the page `terms` as a new version of the terms of use. */
export async function publishTerms(
  parts: HomeContentParts,
  { draftVersion, from, needsConsent, summary, actor }: TermsPublication,
): Promise<Result<{ version: number }, 'terms_from_early' | 'changed_meanwhile'>> {
  const { ctx } = parts
  return ctx.db.transaction().execute(async (tx) => {
    const last = await lastTerms(tx)
    const earliest = instant(Math.max(later(last.now, NOTICE_MS), last.from + 1))
    // The refusal names the next full minute, because pages show times in minutes.
    if (from < earliest) return refuse('terms_from_early', { params: { time: minuteText(later(earliest, MINUTE_MS)) } })
    const draft = await lockContent(tx, 'page', TERMS_SLUG)
    if ((draft?.version ?? 0) !== draftVersion) return refuse('changed_meanwhile')
    const texts = frozenTexts(parts, draft, summary)
    const version = await insertTerms(tx, { texts, from, needsConsent, staffId: actor.staffId ?? null })
    const after = {
      version,
      draft: draftVersion,
      from: minuteText(from),
      needs_consent: needsConsent,
      summary: summary['en'],
    }
    await recordAction(tx, ctx, actor, { target: `terms ${version}`, outcome: 'done', after })
    return ok({ version })
  })
}

/**
 * Stores the present text of the page `terms` as the first version, if no version exists. The first version applies
 * immediately and needs no consent.
 */
export async function writeFirstTerms(parts: HomeContentParts): Promise<void> {
  const { ctx } = parts
  await ctx.db.transaction().execute(async (tx) => {
    if ((await lastTerms(tx)).last > 0) return
    const texts = frozenTexts(parts, await lockContent(tx, 'page', TERMS_SLUG), {})
    await insertTerms(tx, { texts, from: ctx.now(), needsConsent: false, staffId: null })
  })
}

/**
 * Returns, by language, the text that readers see now, with the current figures filled in, so that it never changes.
 */
function frozenTexts(
  parts: HomeContentParts,
  draft: Awaited<ReturnType<typeof lockContent>>,
  summary: Readonly<Record<string, string>>,
): Record<string, TermsWords> {
  const { texts = {} } = draft ?? {}
  const page = { kind: 'page', key: TERMS_SLUG, texts } as const
  return Object.fromEntries(
    LANGUAGE_CODES.map((language) => [
      language,
      { ...contentTextOf(page, readerFor(parts, language)), summary: summary[language] ?? summary['en'] ?? '' },
    ]),
  )
}
