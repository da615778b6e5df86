import type { HomeContent } from '#contract/content.ts'
import { call } from '#web/api/call.ts'
import { pageReply } from '#web/api/page-data.ts'
import type { Loaded } from '#web/api/use-loaded.ts'

/** Loads the operator's content for the home page, with the figures of the running system. */
export async function loadHome(signal: AbortSignal): Promise<HomeContent> {
  return (await call('GET /user/home', { signal })).data
}

/** The content that the server put into the page, if any. */
export const broughtHome = (): HomeContent | null => pageReply('GET /user/home')

export type LoadedHome = Loaded<HomeContent>

/** Returns the content, or null until it is loaded. */
export function contentOf(loaded: LoadedHome): HomeContent | null {
  return loaded.state === 'ready' ? loaded.data : null
}
