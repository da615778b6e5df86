import type { ContentRow } from '#contract/back-office/content.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { findPaymentAddress } from '#core/content/payment-address.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { figuresOf, shippedContentText, type ContentText, contentTextOf } from '#server/site/content/content-texts.ts'
import type { ContentKind } from '#server/site/content/content.queries.ts'
import { removeContent } from '#server/site/content/remove-content.ts'
import { publishTerms } from '#server/site/content/publish-terms.ts'
import { saveContent } from '#server/site/content/save-content.ts'
import { isShipped, type SiteFacts } from '#server/site/content/shipped-content.ts'
import {
  contentCursor,
  type EditedEntry,
  findStaffContent,
  listStaffContent,
} from '#server/back-office/content/content.queries.ts'
import { unknownLanguage } from '#server/site/content/unknown-language.ts'
import { listTermsVersions } from '#server/users/terms-of-use/terms-of-use.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Liabilities } from '#server/proof/liabilities/create-liabilities.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface StaffContentParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly settings: Settings
  readonly catalogue: Pick<MarketCatalogue, 'symbols'>
  readonly liabilities: Pick<Liabilities, 'since'>
}

/** Registers the calls for pages, posts, banners and questions: list, save, show, hide and remove. */
export function staffContentRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, mode, settings, catalogue, liabilities }: StaffContentParts,
): void {
  const facts = (): SiteFacts => ({
    mode,
    markets: catalogue.symbols.length,
    operatingSince: settings.current.operatingSince,
    proofsSince: liabilities.since,
  })

  registerList(staffCalls.staffContent, async ({ filters: { kind, search, state }, after, limit }) => {
    const wanted = { kind, search: search ?? null, isPublished: state === undefined ? null : state === 'shown' }
    const entries = await listStaffContent(ctx.db, wanted, { after, limit })
    return entries.map((entry) => ({ row: toRow(entry, facts()), cursor: contentCursor(entry) }))
  })

  register(staffCalls.staffContentEntry, async ({ params: { kind, key } }) => {
    const entry = await findStaffContent(ctx.db, kind, key)
    if (!entry) return refuse('not_found')
    return ok({
      ...toRow(entry, facts()),
      texts: { ...entry.texts },
      shipped: shippedIn(kind, key, facts()),
      figures: figuresOf(facts()),
      site_language: settings.current.defaultLanguage,
    })
  })

  register(staffCalls.staffSaveContent, async ({ params, body, actor }) => {
    const { place: sort, is_published: isPublished, published_at: since, ...edit } = body
    const publishedAt = since === null ? null : instant(Date.parse(since))
    return saveContent(ctx, { ...params, ...edit, sort, isPublished, publishedAt, actor })
  })

  register(staffCalls.staffRemoveContent, async ({ params, body: { version }, actor }) => {
    const done = await removeContent(ctx, { ...params, version, actor })
    if (done.ok) return ok(null)
    return done.refusal === 'content_unknown' ? refuse('not_found') : { ...done, refusal: done.refusal }
  })
}

/** Registers the calls for versions of the terms of use. */
export function staffTermsOfUseRoutes(register: RegisterStaff, parts: StaffContentParts): void {
  register(staffCalls.staffTermsVersions, async () => {
    const versions = await listTermsVersions(parts.ctx.db)
    return ok({
      versions: versions.map(({ version, announcedAt, from, needsConsent }) => ({
        version,
        announced_at: toIso(announcedAt),
        from: toIso(from),
        needs_consent: needsConsent,
      })),
    })
  })
  register(staffCalls.staffPublishTerms, async ({ body, actor }) => {
    const strange = unknownLanguage(body.summary)
    if (strange) return strange
    const address = findPaymentAddress(Object.values(body.summary).join('\n'))
    if (address !== null) return refuse('text_has_address', { params: { found: address } })
    return publishTerms(parts, {
      draftVersion: body.draft_version,
      from: instant(Date.parse(body.from)),
      needsConsent: body.needs_consent,
      summary: body.summary,
      actor,
    })
  })
}

function toRow(entry: EditedEntry, facts: SiteFacts): ContentRow {
  return {
    kind: entry.kind,
    key: entry.key,
    title: contentTextOf(entry, { language: 'en', siteLanguage: 'en', facts }).title,
    is_published: entry.isPublished,
    is_shipped: isShipped(entry.kind, entry.key),
    languages: LANGUAGE_CODES.filter((code) => code in entry.texts).join(' '),
    icon: entry.icon,
    link: entry.link,
    place: entry.sort,
    published_at: toIso(entry.publishedAt),
    updated_at: toIso(entry.updatedAt),
    version: entry.version,
  }
}

/** Returns the shipped texts of an entry, by language. */
function shippedIn(kind: ContentKind, key: string, facts: SiteFacts): Record<string, ContentText> {
  const all = LANGUAGE_CODES.map((language) => [language, shippedContentText({ kind, key }, language, facts)] as const)
  return Object.fromEntries(all.flatMap(([language, words]) => (words ? [[language, words]] : [])))
}
