import { useSyncExternalStore } from 'react'
import { type LanguageCode, readLanguage } from '#messages/languages.ts'
import { call, type Reply } from '#web/api/call.ts'
import { persistently } from '#ui/persistently.ts'
import { availableLanguages } from '#web/i18n/catalogue.ts'
import { currentLanguage, languageWasChosen } from '#web/i18n/language.ts'
import { getSession, onSessionChange } from '#web/session/session.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { t } from '#web/i18n/t.ts'
import { createStore, useStore } from '#ui/state/store.ts'

export type Settings = Reply<'GET /user/general-setting'>

const KEY = 'settings'
const store = createStore<Settings | null>(readStored())
/** Server clock minus this device's, in milliseconds; good to about the time the call took. */
let clockOffsetMs = 0

/** The site's settings: those of the last visit at once, the current ones as soon as they have come. */
export function useSettings(): Settings | null {
  return useStore(store)
}

/** Only an answer says that it is live money; until then the mark of the demo stands. */
export function useIsDemo(): boolean {
  return useSyncExternalStore(store.subscribe, () => store.get()?.mode !== 'live')
}

/** What the server's clock says now, in milliseconds UTC. */
export function serverNowMs(): number {
  return Date.now() + clockOffsetMs
}

/** Whether this or an earlier visit has got them. */
export function settingsAreKnown(): boolean {
  return store.get() !== null
}

/** The site's own language where the user never chose one that is offered, and this build has its texts. */
export function siteLanguage(): LanguageCode | null {
  const code = readLanguage(store.get()?.default_language ?? null)
  const isChosen = languageWasChosen() && offeredLanguages().includes(currentLanguage().code)
  return code !== null && !isChosen && availableLanguages().includes(code) ? code : null
}

/** The languages to choose from: those of this build that the site offers. */
export function offeredLanguages(): LanguageCode[] {
  const offered = store.get()?.languages
  return availableLanguages().filter((code) => offered?.includes(code) ?? true)
}

/** Calls back whenever newer settings have come. */
export const followSettings = store.subscribe

/** Which texts of the operator's own the site has in the language of the page; empty for none. */
export function siteTextsVersion(): string {
  return store.get()?.text_versions?.[currentLanguage().code] ?? ''
}

/** Asks for the settings and keeps them for the next visit. Failing is silent: the app then runs on what it knows. */
export async function loadSettings(): Promise<void> {
  try {
    const { data, sentAt } = await persistently(async () => ({
      sentAt: Date.now(),
      ...(await call('GET /user/general-setting')),
    }))
    clockOffsetMs = data.server_time - (sentAt + Date.now()) / 2
    writeItem('localStorage', KEY, JSON.stringify(data))
    store.set(data)
    showSiteIcon(data.favicon_url)
  } catch {
    // What is known already has to do.
  }
}

let isLoggedIn = getSession() !== null
onSessionChange(() => {
  const wasLoggedIn = isLoggedIn
  isLoggedIn = getSession() !== null
  // The specification: a log-out clears what is cached of the settings, and they are asked for anew.
  if (!wasLoggedIn || isLoggedIn) return
  writeItem('localStorage', KEY, null)
  void loadSettings()
})

function showSiteIcon(address: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link !== null && address !== '') link.href = address
}

function readStored(): Settings | null {
  const stored = readJson('localStorage', KEY)
  const known = typeof stored === 'object' && stored !== null && 'site_name' in stored && 'mode' in stored
  // Written by this file alone; whatever is missing is replaced as soon as the server answers.
  return known ? (stored as Settings) : null
}

/** Why the site takes no deposits; null while it does. */
export function useDepositsClosed(): string | null {
  const settings = useSettings()
  if (settings?.deposit_feature !== 0) return null
  return settings.deposit_reason || t('wallet.deposits_closed')
}

/** Whether a user finds their deposit history: while deposits are taken, and afterwards if there is anything in it. */
export function useShowsDeposits(user: { readonly has_deposits: boolean } | undefined): boolean {
  return useDepositsAreOpen() || user?.has_deposits === true
}

/** Whether the site takes deposits; while that is not known yet, it does. */
export function useDepositsAreOpen(): boolean {
  return useSettings()?.deposit_feature !== 0
}
