import { matchScreen } from '#core/navigation/screens.ts'

/** A window of the site as the worker sees it. */
interface SiteWindow {
  readonly url: string
  readonly visibilityState: 'visible' | 'hidden' | 'prerender'
}

/**
 * Returns the window in which a path of the app opens: only windows that show a screen of the app can navigate to it.
 * Undefined when a new window must open.
 */
export function windowToOpen<W extends SiteWindow>(windows: readonly W[]): W | undefined {
  const ofApp = windows.filter(({ url }) => isAppScreen(new URL(url).pathname))
  return ofApp.find(({ visibilityState }) => visibilityState === 'visible') ?? ofApp[0]
}

function isAppScreen(path: string): boolean {
  const { screen } = matchScreen(path)
  return screen !== 'not_found' && screen !== 'outbox'
}
