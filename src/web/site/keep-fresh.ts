import { writeItem } from '#ui/state/browser-storage.ts'
import { call } from '#web/api/call.ts'
import { OWN_TEXTS, ownTextsVersion, sayOwnTexts } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { followSettings, loadSettings, siteTextsVersion } from '#web/site/settings.ts'

/** 45 s: an announcement must be on every open page within a minute. */
const SETTINGS_EVERY_MS = 45_000

/**
 * Keeps the operator's settings, announcements and texts up to date while the page is open. `draw` re-renders the page.
 */
export function keepFresh(draw: () => void): void {
  let renewing = false
  const renewTexts = async (): Promise<void> => {
    const version = siteTextsVersion()
    if (renewing || version === ownTextsVersion()) return
    renewing = true
    try {
      await fetchOwnTexts(version)
      draw()
    } catch {
      // A failure is ignored, because the next settings refresh retries.
    } finally {
      renewing = false
    }
  }
  void renewTexts()
  followSettings(() => void renewTexts())
  setInterval(() => {
    if (!document.hidden) void loadSettings()
  }, SETTINGS_EVERY_MS)
}

/** Loads the text overrides in the language of the page and stores them for the next visit. */
async function fetchOwnTexts(version: string): Promise<void> {
  const language = currentLanguage().code
  const own = version === '' ? null : (await call('GET /user/texts/:language', { params: { language } })).data
  const stored = own && { language, version, texts: own.texts }
  writeItem('localStorage', OWN_TEXTS, stored && JSON.stringify(stored))
  sayOwnTexts(stored)
}
