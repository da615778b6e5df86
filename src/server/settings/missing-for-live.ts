import type { SiteSettings } from '#server/settings/site-settings.ts'

/**
 * Lists the settings that live mode lacks, each with the command that sets it.
 * Real money requires a licence and a list of countries. The commands also work while no server runs.
 */
export function missingForLive({
  licence,
  countriesAllowed,
}: Pick<SiteSettings, 'licence' | 'countriesAllowed'>): string[] {
  const missing = [
    licence.holder === '' ? ['licence_holder', '\'"…"\'', 'who holds the licence'] : null,
    licence.number === '' ? ['licence_number', '\'"…"\'', 'its number'] : null,
    licence.regulator === '' ? ['licence_regulator', '\'"…"\'', 'who gave it'] : null,
    countriesAllowed.length === 0 ? ['countries_allowed', '\'["…","…"]\'', 'where users may live, as ISO codes'] : null,
  ].filter((line) => line !== null)
  return missing.map(
    ([key, value, why]) => `live mode needs this setting: npm run admin -- settings set ${key} ${value} (${why})`,
  )
}
