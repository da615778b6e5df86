import { writeItem } from '#ui/state/browser-storage.ts'
import { call } from '#web/api/call.ts'
import { OWN_TEXTS, ownTextsVersion, sayOwnTexts } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { followSettings, loadSettings, siteTextsVersion } from '#web/site/settings.ts'

/** An announcement is on every open page within a minute. */
const SETTINGS_EVERY_MS = 45_000

/** Notices what the operator changes while the page is open: settings, announcements, texts. `draw` draws it anew. */
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
      // The next settings try again.
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

/** Asks for what the operator says in the language of the page, and keeps it for the next visit. */
async function fetchOwnTexts(version: string): Promise<void> {
  const language = currentLanguage().code
  const own = version === '' ? null : (await call('GET /user/texts/:language', { params: { language } })).data
  const stored = own && { language, version, texts: own.texts }
  writeItem('localStorage', OWN_TEXTS, stored && JSON.stringify(stored))
  sayOwnTexts(stored)
}
