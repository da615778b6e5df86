import { isIP } from 'node:net'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { isPlaceRefused, isTableOld, type PlaceAction } from '#core/accounts/country-rules.ts'
import { ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { toPendingReply } from '#server/back-office/api/pending-reply.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { countUsersByCountry, findSettingVersion } from '#server/back-office/countries/countries.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { tableAgeDays } from '#server/platform/countries/address-countries.ts'
import type { CountrySources } from '#server/platform/countries/client-country.ts'
import { publicAddress } from '#server/platform/countries/public-address.ts'
import { changeSettings } from '#server/settings/change-settings.ts'
import { countriesIn } from '#server/settings/countries.ts'
import { COUNTRY_RULES } from '#server/settings/guarded-settings.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface CountriesParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly mode: 'demo' | 'live'
  readonly countries: CountrySources
}

/** Registers the calls for the rules by country. */
export function countriesRoutes(register: RegisterStaff, { ctx, settings, mode, countries }: CountriesParts): void {
  register(staffCalls.staffCountries, async () => {
    const users = await countUsersByCountry(ctx.db)
    // Reads the version before the rules. If the rules changed between the two reads, saving them is refused. In the
    // other order, saving older rules would undo the change.
    const version = await findSettingVersion(ctx.db, COUNTRY_RULES)
    await settings.reload()
    const ageDays = tableAgeDays(countries, ctx.now())
    return ok({
      rules: settings.current.countryRules.rules.map((rule) => ({ ...rule })),
      unknown_address: settings.current.countryRules.unknown_address,
      version,
      countries: countriesIn('en').map(({ countryCode: code, country: name }) => ({
        code,
        name,
        users: users.get(code) ?? 0,
      })),
      source: {
        header: countries.header,
        table: countries.source,
        built_at: countries.builtAt === null ? null : toIso(countries.builtAt),
        age_days: ageDays,
        is_old: isTableOld(ageDays),
      },
    })
  })

  register(staffCalls.staffSaveCountries, async ({ body: { reason, version, ...value }, actor }) => {
    if (reason === '') return refuse('reason_needed')
    const done = await changeSettings(ctx, settings, {
      changes: [{ key: COUNTRY_RULES, value, seenVersion: version }],
      actor,
      mode,
      reason,
    })
    return done.ok ? ok({ pending: toPendingReply(done.value.requested[0]) }) : done
  })

  register(staffCalls.staffTryAddress, async ({ body: { address } }) => {
    if (isIP(address) === 0) return refuse('ip_address_invalid')
    const code = countries.find(address)
    const verdict = (action: PlaceAction) =>
      isPlaceRefused(settings.current.countryRules, action, { declared: null, address: code }) ? 'refuse' : 'allow'
    const name = countriesIn('en').find(({ countryCode }) => countryCode === code)?.country
    return ok({
      country: code === null ? null : { code, name: name ?? code },
      is_private: publicAddress(address) === null,
      sign_up: verdict('sign_up'),
      deposit: verdict('deposit'),
      trade: verdict('trade'),
    })
  })
}
