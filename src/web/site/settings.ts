import { useSyncExternalStore } from 'react'
import { type LanguageCode, readLanguage } from '#messages/languages.ts'
import { call, type Reply } from '#web/api/call.ts'
import { retry } from '#ui/retry.ts'
import { availableLanguages } from '#web/i18n/catalogue.ts'
import { pageArrivedAt, pageReply } from '#web/api/page-data.ts'
import { currentLanguage, languageWasChosen } from '#web/i18n/language.ts'
import { isPractice, onAccountChange } from '#web/session/account.ts'
import { getSession, onSessionChange } from '#web/session/session.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { t } from '#web/i18n/t.ts'
import { createStore, useStore } from '#ui/state/store.ts'

export type Settings = Reply<'GET /user/general-setting'>

const KEY = 'settings'
const inPage = pageReply('GET /user/general-setting')
const store = createStore<Settings | null>(inPage ?? readStored())
/** Server clock minus this device's clock in milliseconds, accurate to about the duration of the call. */
let clockOffsetMs = inPage === null ? 0 : inPage.server_time - (pageArrivedAt() ?? Date.now())

/**
 * Returns the site's settings: first those that came with the page or were stored at the last visit, then the current
 * settings from the server.
 */
export function useSettings(): Settings | null {
  return useStore(store)
}

/** Only a reply can confirm real money; until then the demo mark is shown. */
export function useIsDemo(): boolean {
  const isDemo = () => store.get()?.mode !== 'live'
  return useSyncExternalStore(store.subscribe, isDemo, isDemo)
}

/** Returns the server's time in milliseconds UTC. */
export function serverNowMs(): number {
  return Date.now() + clockOffsetMs
}

/** Whether this or an earlier visit has loaded the settings. */
export function settingsAreKnown(): boolean {
  return store.get() !== null
}

/**
 * Returns the site's default language if this build has its texts, unless the user has chosen a language that the site
 * offers. Null otherwise.
 */
export function siteLanguage(): LanguageCode | null {
  const code = readLanguage(store.get()?.default_language ?? null)
  const isChosen = languageWasChosen() && offeredLanguages().includes(currentLanguage().code)
  return code !== null && !isChosen && availableLanguages().includes(code) ? code : null
}

/** Lists the languages that this build has and the site offers. */
export function offeredLanguages(): LanguageCode[] {
  const offered = store.get()?.languages
  return availableLanguages().filter((code) => offered?.includes(code) ?? true)
}

/** Runs the listener whenever newer settings arrive. */
export const followSettings = store.subscribe

/** Returns the version of the site's text overrides in the page's language; empty for none. */
export function siteTextsVersion(): string {
  return store.get()?.text_versions?.[currentLanguage().code] ?? ''
}

/** Loads the settings and stores them for the next visit. A failure is silent: the app keeps the known settings. */
export async function loadSettings(): Promise<void> {
  try {
    const { data, sentAt } = await retry(async () => ({
      sentAt: Date.now(),
      ...(await call('GET /user/general-setting')),
    }))
    clockOffsetMs = data.server_time - (sentAt + Date.now()) / 2
    writeItem('localStorage', KEY, JSON.stringify(data))
    store.set(data)
    showSiteIcon(data.favicon_url)
  } catch {
    // The known settings stay in use.
  }
}

let isLoggedIn = getSession() !== null
onSessionChange(() => {
  const wasLoggedIn = isLoggedIn
  isLoggedIn = getSession() !== null
  // As specified, a log-out clears the stored settings and reloads them.
  if (!wasLoggedIn || isLoggedIn) return
  writeItem('localStorage', KEY, null)
  void loadSettings()
})

/** The icon of the tab in practice: a letter on a badge. The icon is part of the code and needs no request. */
const PRACTICE_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#C9731A"/><path d="M12 25V7h5.5a5.5 5.5 0 0 1 0 11H12" fill="none" stroke="#fff" stroke-width="4"/></svg>',
)}`
let siteIcon: string | null = null

function showSiteIcon(address: string): void {
  if (address !== '') siteIcon = address
  showIcon()
}

/** Shows the icon of the site in the tab, or while practice is on the icon of practice. */
function showIcon(): void {
  const link = globalThis.document?.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!link) return
  siteIcon ??= link.href
  link.href = isPractice() ? PRACTICE_ICON : siteIcon
}
showIcon()
onAccountChange(showIcon)

function readStored(): Settings | null {
  const stored = readJson('localStorage', KEY)
  const known = typeof stored === 'object' && stored !== null && 'site_name' in stored && 'mode' in stored
  // Only this file writes the item. Missing fields are replaced when the server replies.
  return known ? (stored as Settings) : null
}

/** Returns why the site accepts no deposits; null while it does. */
export function useDepositsClosed(): string | null {
  const settings = useSettings()
  if (settings?.deposit_feature !== 0) return null
  return settings.deposit_reason || t('wallet.deposits_closed')
}

/** Whether the deposit history is shown: while deposits are open, and afterwards if the history has entries. */
export function useShowsDeposits(user: { readonly has_deposits: boolean } | undefined): boolean {
  return useDepositsAreOpen() || user?.has_deposits === true
}

/** Whether the site accepts deposits. True until known. */
export function useDepositsAreOpen(): boolean {
  return useSettings()?.deposit_feature !== 0
}
