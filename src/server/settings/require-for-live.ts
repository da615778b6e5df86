import type { SiteSettings } from '#server/settings/site-settings.ts'
import { StartUpError } from '#server/start-up-error.ts'

/**
 * Real money needs a licence and countries that it is for. Throws one `StartUpError` with everything that is missing
 * and how to set it: the command line does while no server runs.
 */
export function requireForLive({
  licence,
  countriesAllowed,
}: Pick<SiteSettings, 'licence' | 'countriesAllowed'>): void {
  const missing = [
    licence.holder === '' ? ['licence_holder', '\'"…"\'', 'who holds the licence'] : null,
    licence.number === '' ? ['licence_number', '\'"…"\'', 'its number'] : null,
    licence.regulator === '' ? ['licence_regulator', '\'"…"\'', 'who gave it'] : null,
    countriesAllowed.length === 0 ? ['countries_allowed', '\'["…","…"]\'', 'where users may live, as ISO codes'] : null,
  ].filter((line) => line !== null)
  if (missing.length === 0) return
  const lines = missing.map(([key, value, why]) => `npm run admin -- settings set ${key} ${value} (${why})`)
  throw new StartUpError(['Live mode cannot start before these settings are made:', ...lines].join('\n  - '))
}
