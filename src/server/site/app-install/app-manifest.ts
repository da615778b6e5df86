import { LANGUAGES } from '#messages/languages.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import { APP_ICONS, type AppIcon, ownPicture } from '#server/site/app-install/app-icons.ts'

/** The colours of the light theme, as in `src/web/index.html`. The page itself sets the colours of the dark theme. */
const COLOUR = '#f6f6f3'
/** 12 characters: phones cut longer names below an icon. */
const SHORT_NAME_LETTERS = 12

export interface ManifestFacts {
  readonly mode: 'demo' | 'live'
  readonly language: Language
  readonly siteName: string
  readonly faviconUrl: string
  readonly logoUrl: string
}

/** Returns what a phone needs to install the app (W3C, Web Application Manifest). */
export function appManifest(facts: ManifestFacts) {
  const { mode, language, siteName } = facts
  const { tag, dir } = LANGUAGES[language]
  const name = mode === 'demo' && !/demo$/i.test(siteName) ? `${siteName} demo` : siteName
  const shortcut = (text: 'screen.market' | 'screen.wallet', url: string) => ({ name: message(text, language), url })
  return {
    id: '/',
    start_url: '/?app',
    scope: '/',
    display: 'standalone',
    name,
    short_name: name.length <= SHORT_NAME_LETTERS ? name : siteName,
    lang: tag,
    dir,
    theme_color: COLOUR,
    background_color: COLOUR,
    icons: (['192', '512', 'maskable-512'] as const).map((icon) => ({
      src: iconAddress(facts, icon),
      sizes: `${APP_ICONS[icon].edge}x${APP_ICONS[icon].edge}`,
      type: 'image/png',
      purpose: APP_ICONS[icon].fills ? 'maskable' : 'any',
    })),
    shortcuts: [shortcut('screen.market', '/market'), shortcut('screen.wallet', '/wallet')],
  }
}

/** Returns the address of an icon: drawn from the operator's picture, or the shipped one. */
export function iconAddress(facts: Pick<ManifestFacts, 'mode' | 'faviconUrl' | 'logoUrl'>, icon: AppIcon): string {
  const own = ownPicture(facts)
  return own === null ? `/icons/${facts.mode}-${icon}.png` : `/icons/own/${icon}.png?v=${own.slice(0, 8)}`
}
