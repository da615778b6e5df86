import { createStore, useStore } from '#ui/state/store.ts'

/** Chromium's event with which a page may offer its installation. TypeScript's library lacks it. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>
}

/** How this browser installs the app: by its own dialogue, or by hand as on iOS. */
export type InstallOffer = 'dialogue' | 'by-hand' | null

const event = createStore<InstallPromptEvent | null>(null)

/** Stores the browser's offer for the account menu, and prevents the browser's own install banner. */
export function watchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (offered) => {
    offered.preventDefault()
    event.set(offered as InstallPromptEvent)
  })
  addEventListener('appinstalled', () => event.set(null))
}

/** Returns how the app can be installed here. Null when it cannot be installed, or already is. */
export function useInstallOffer(): InstallOffer {
  const offered = useStore(event)
  if (offered !== null) return 'dialogue'
  return mustBeInstalled() ? 'by-hand' : null
}

/** Opens the browser's dialogue. Browsers allow it once for each offer. */
export async function install(): Promise<void> {
  const offered = event.get()
  event.set(null)
  await offered?.prompt()
}

/** Whether this browser offers notices only to the installed app, as browsers on iOS and iPadOS do. */
export function mustBeInstalled(): boolean {
  return isAppleMobile() && !isInstalled()
}

function isInstalled(): boolean {
  return matchMedia('(display-mode: standalone)').matches
}

/**
 * Whether the device runs iOS or iPadOS, whose browsers never offer the installation. An iPad calls itself a Mac, but
 * has a touch screen.
 */
function isAppleMobile(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  )
}
