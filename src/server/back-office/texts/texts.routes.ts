import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok, refuse } from '#core/result.ts'
import { LANGUAGE_CODES, LANGUAGES, readLanguage } from '#messages/languages.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { unknownLanguage } from '#server/site/content/unknown-language.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { isLanguage } from '#server/platform/i18n/messages.ts'
import { offerLanguages } from '#server/settings/offer-languages.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { resetText, saveText } from '#server/site/text-overrides/change-text.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'
import { countMissing, findTextRow, listTexts } from '#server/back-office/texts/texts.queries.ts'

interface StaffTextsParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly textOverrides: TextOverridesService
}

/** Registers the calls for the site's languages and texts. */
export function staffTextsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, settings, textOverrides }: StaffTextsParts,
): void {
  registerList(staffCalls.staffTexts, async ({ filters, after, limit }) => {
    const language = readLanguage(filters.language)
    if (language === null) return []
    const wanted = { language, search: filters.search ?? null, only: filters.only ?? null }
    return listTexts(textOverrides, wanted, { after, limit }).map((row) => ({ row, cursor: [row.key] }))
  })

  register(staffCalls.staffTextEntry, async ({ params }) => {
    const language = readLanguage(params.language)
    const row = language === null ? null : findTextRow(textOverrides, language, params.key)
    return row === null ? refuse('not_found') : ok(row)
  })

  register(staffCalls.staffSaveText, async ({ params: { key, language: code }, body, actor }) => {
    const language = readLanguage(code)
    return language === null ? refuse('not_found') : saveText({ ctx, textOverrides }, { ...body, language, key, actor })
  })

  register(staffCalls.staffResetText, async ({ params: { key, language: code }, body: { version }, actor }) => {
    const language = readLanguage(code)
    return language === null
      ? refuse('not_found')
      : resetText({ ctx, textOverrides }, { language, key, version, actor })
  })

  register(staffCalls.staffLanguages, async () => {
    const { languages: offered, defaultLanguage } = settings.current
    const languages = LANGUAGE_CODES.map((code) => ({
      code,
      name: LANGUAGES[code].name,
      is_offered: offered.includes(code),
      is_default: code === defaultLanguage,
      changed: textOverrides.changed().filter(({ language }) => language === code).length,
      missing: countMissing(textOverrides, code),
    }))
    return ok({ languages })
  })

  register(staffCalls.staffOfferLanguages, async ({ body: { seen, offered }, actor }) => {
    const strange = unknownLanguage(Object.fromEntries([...seen, ...offered].map((code) => [code, true])))
    if (strange) return strange
    const done = await offerLanguages(ctx, settings, {
      seen: seen.filter(isLanguage),
      offered: offered.filter(isLanguage),
      actor,
    })
    return done.ok ? ok(null) : done
  })
}
