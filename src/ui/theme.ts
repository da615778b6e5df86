import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

export const THEMES = ['light', 'dark', 'system'] as const
/** `system` follows the device's setting. */
export type Theme = (typeof THEMES)[number]

const KEY = 'theme'
const COLOURS = { light: '#f6f6f3', dark: '#0a1013' }

const darkDevice = globalThis.matchMedia?.('(prefers-color-scheme: dark)')
const store = createStore<Theme>(readTheme())
const shown = createStore<'light' | 'dark'>(resolve(store.get()))

/** Returns the theme that the user chose. */
export function useTheme(): Theme {
  return useStore(store)
}

/** Returns the theme in effect: never `system`. */
export function useShownTheme(): 'light' | 'dark' {
  return useStore(shown)
}

export function chooseTheme(theme: Theme): void {
  writeItem('localStorage', KEY, theme)
  apply(theme)
}

/** Switches from the theme in effect to the other one, for the header's button. */
export function toggleTheme(): void {
  chooseTheme(shown.get() === 'dark' ? 'light' : 'dark')
}

function apply(theme: Theme): void {
  store.set(theme)
  const next = resolve(theme)
  document.documentElement.dataset['theme'] = next
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', COLOURS[next])
  shown.set(next)
}

function resolve(theme: Theme): 'light' | 'dark' {
  if (theme !== 'system') return theme
  return darkDevice?.matches ? 'dark' : 'light'
}

function readTheme(): Theme {
  const stored = readItem('localStorage', KEY)
  // The root element of a page states whether the page follows the device's theme until the user chooses one.
  const usual = document.documentElement.dataset['themeUsual'] === 'system' ? 'system' : 'light'
  return THEMES.find((theme) => theme === stored) ?? usual
}

darkDevice?.addEventListener('change', () => apply(store.get()))
globalThis.addEventListener?.('storage', (event) => {
  if (event.key === KEY || event.key === null) apply(readTheme())
})
