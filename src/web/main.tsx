import { startTransition, useEffect, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import type { LanguageCode } from '#messages/languages.ts'
import { withTimeout } from '#ui/retry.ts'
import { confirmWith } from '#web/api/call.ts'
import { App } from '#web/app.tsx'
import { watchForms } from '#web/app-install/open-work.ts'
import { loadLanguage } from '#web/i18n/catalogue.ts'
import { currentLanguage, onLanguageChosen } from '#web/i18n/language.ts'
import { ROUTES } from '#web/routes.ts'
import { ErrorBoundary } from '#web/parts/error-boundary.tsx'
import { setAddress } from '#web/session/location.ts'
import { loadSettings, settingsAreKnown, siteLanguage } from '#web/site/settings.ts'
import './styles/app.css'

/** 3 s: the longest wait of a first visit for the site's default language, with nothing on screen. */
const SETTINGS_WITHIN_MS = 3_000

/**
 * Waits for the settings only if the first render needs them: for the language of a first visit. A failure or a hanging
 * request here must not prevent the render.
 */
async function start(): Promise<void> {
  const settings = loadSettings()
  if (!settingsAreKnown()) await withTimeout(SETTINGS_WITHIN_MS, settings).catch(() => undefined)
  await loadLanguage(siteLanguage() ?? currentLanguage().code)
  // The app replaces the prerendered home screen with the same screen, so its code loads first. Users with a session do
  // not see the prerendered screen.
  if (prerendered() !== null && !('ownScreen' in document.documentElement.dataset))
    await ROUTES.home.Screen.prepare().catch(() => undefined)
  confirmWith(async () => (await import('#web/security/ask-confirmation.tsx')).askConfirmation())
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no #root element')
  const drawn = createRoot(root)
  let starts = 0
  const draw = (): void =>
    drawn.render(
      <>
        <ErrorBoundary key={starts}>
          <App />
        </ErrorBoundary>
        <Started />
      </>,
    )
  // Starts before the first form is rendered: a new version must not discard text that the user typed while the rest of
  // the app loaded.
  watchForms()
  // React renders a transition in short tasks. A slow phone reacts between them.
  startTransition(draw)
  const startAnew = async (code: LanguageCode): Promise<void> => {
    await loadLanguage(code)
    starts++
    setAddress('/')
    draw()
  }
  onLanguageChosen((code) => void startAnew(code))
  // The app also works without this code.
  import('#web/app-install/start-app.ts').then(({ startApp }) => startApp()).catch(() => undefined)
  import('#web/push/keep-subscription.ts').then(({ keepSubscription }) => keepSubscription()).catch(() => undefined)
  // If this code does not load, the page shows the settings, texts and announcements from when it was opened.
  import('#web/site/keep-fresh.ts').then(({ keepFresh }) => keepFresh(draw)).catch(() => undefined)
}

/**
 * Returns the home screen that the server rendered into the page. Null if there is none, or after the app has drawn its
 * first screen.
 */
function prerendered(): HTMLElement | null {
  return document.getElementById('prerendered')
}

/** Removes the server's screen in the moment in which the app's first screen appears. */
function Started(): null {
  useLayoutEffect(() => {
    prerendered()?.remove()
    delete document.documentElement.dataset['prerendered']
  }, [])
  useEffect(repeatPress, [])
  return null
}

/** Repeats the press of a user on the server's screen: follows the link, or presses the button at the same position. */
function repeatPress(): void {
  const pressed = document.documentElement.dataset['pressed']
  if (pressed === undefined) return
  const [part = '', place] = pressed.split(' ')
  if (place === undefined) setAddress(part)
  else document.querySelectorAll<HTMLButtonElement>(`#root ${part} button`)[Number(place)]?.click()
}

void start()
