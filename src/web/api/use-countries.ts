import { call, type Reply } from '#web/api/call.ts'
import { type Loaded, useLoaded } from '#web/api/use-loaded.ts'

export type CountryList = Reply<'GET /user/countries'>['countries']

/** Loads all countries with their dialling codes, named in the user's language. */
export function useLoadedCountries(): Loaded<CountryList> {
  return useLoaded(loadCountries)
}

async function loadCountries(signal: AbortSignal) {
  return (await call('GET /user/countries', { signal })).data.countries
}
