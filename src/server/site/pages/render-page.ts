import type { HomeContent } from '#contract/content.ts'
import { escapeHtml } from '#core/content/escape-html.ts'
import type { MarketList } from '#contract/markets.ts'
import { matchScreen, type ScreenName } from '#core/navigation/screens.ts'
import { whereTo } from '#core/navigation/where-to.ts'
import { FALLBACK_LANGUAGE, LANGUAGES, readLanguage } from '#messages/languages.ts'
import { type Language, message, shownMessages } from '#server/platform/i18n/messages.ts'
import type { GeneralSetting } from '#server/site/public-settings/general-setting.ts'
import type { PageFiles, PageTemplate, TextPart } from '#server/site/pages/page-template.ts'
import type { PrerenderHome } from '#server/site/pages/prerender-home.ts'
import { iconAddress } from '#server/site/app-install/app-manifest.ts'
import { pageTexts } from '#server/site/pages/page-texts.ts'

/**
 * The sources of the page's data. The data is public and equal for all users, because the server cannot know who opens
 * the page.
 */
export interface PageParts {
  readonly template: PageTemplate
  readonly publicUrl: string | null
  readonly settings: () => GeneralSetting
  readonly homeContent: (language: Language) => Promise<HomeContent>
  readonly marketList: () => Promise<MarketList>
  /** Null when the home screen is not built. */
  readonly prerenderHome: PrerenderHome | null
}

export interface PageRequest {
  /** Path and query of the request. */
  readonly url: string
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** Whether the page contains the replies of the calls that its screen starts with. */
  readonly hasData: boolean
}

/** Screens that need the market list when they open. */
const WITH_MARKET: ReadonlySet<ScreenName> = new Set(['market', 'trade'])
/**
 * Stands for any logged-in user, because the server cannot know whether a user opens the page. It only decides which
 * files are preloaded.
 */
const SOME_USER = { isVerified: true, hasDeposits: true, isLeaveOnly: false }

/**
 * Renders the app's page for a URL, in the visitor's language. The page names the files that the first screen needs,
 * and contains the replies of the public calls that this screen starts with.
 */
export async function renderPage(parts: PageParts, { url, cookies, hasData }: PageRequest): Promise<string> {
  const { template, publicUrl } = parts
  const settings = parts.settings()
  const [path = '/'] = url.split('?')
  const requested = matchScreen(path).screen
  const screen = firstScreen(requested, { url, cookies }, settings)
  const language = languageOf(cookies, settings)
  const { title, description } = pageTexts(requested, language, settings.site_name)
  const content = hasData && screen === 'home' ? await parts.homeContent(language) : null
  const replies = {
    'GET /user/general-setting': settings,
    ...(content !== null && { 'GET /user/home': content }),
    ...(hasData && WITH_MARKET.has(screen) && { 'GET /user/crypto-currency/list': await parts.marketList() }),
  }
  const head = [
    `<meta name="description" content="${escapeHtml(description)}" />`,
    `<meta property="og:title" content="${escapeHtml(title)}" />`,
    `<meta property="og:description" content="${escapeHtml(description)}" />`,
    `<meta property="og:site_name" content="${escapeHtml(settings.site_name)}" />`,
    // The path is not resolved against the site's address: a path such as `//other.example` would name another host.
    ...(publicUrl === null ? [] : [`<link rel="canonical" href="${escapeHtml(new URL(publicUrl).origin + path)}" />`]),
    ...filesOf(template.files, screen, language).map(preload),
    ...installLinks(settings, language),
    `<script type="application/json" id="page-data">${escapeJson({ language, replies })}</script>`,
  ]
  const prerendered =
    content === null
      ? undefined
      : parts.prerenderHome?.({ language, texts: shownMessages(language), settings, content })
  const firstScreenHtml = prerendered === undefined ? '' : `<div id="prerendered">${prerendered}</div>\n`
  return inLanguage(template.html, language, prerendered === undefined ? '' : ' data-prerendered')
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace('</head>', () => `${head.join('\n')}\n</head>`)
    .replace('</body>', () => `${firstScreenHtml}</body>`)
}

/**
 * Renders the page that the app's service worker stores. This page is in the chosen language, fits any URL and contains
 * no data. Its links name the files of the language, so that the service worker stores them too.
 */
export function renderShell({ template, ...parts }: PageParts, cookies: PageRequest['cookies']): string {
  const settings = parts.settings()
  const language = languageOf(cookies, settings)
  const files = Object.values(template.files.texts[language] ?? {})
  const head = [...installLinks(settings, language), ...files.map(preload)]
  return inLanguage(template.html, language).replace('</head>', () => `${head.join('\n')}\n</head>`)
}

function inLanguage(html: string, language: Language, more = ''): string {
  const { tag, dir } = LANGUAGES[language]
  return html
    .replace('<html lang="en" dir="ltr"', `<html lang="${tag}" dir="${dir}" data-lang="${language}"${more}`)
    .replace(/(<p class="frame-loading">)[^<]*/, (_, start) => start + escapeHtml(message('common.loading', language)))
}

function installLinks(settings: GeneralSetting, language: Language): string[] {
  const { mode, favicon_url: faviconUrl, logo_url: logoUrl } = settings
  const icon = iconAddress({ mode, faviconUrl, logoUrl }, 'apple-180')
  return [
    `<link rel="manifest" href="/manifest.webmanifest?lang=${language}" />`,
    `<link rel="apple-touch-icon" href="${icon}" />`,
  ]
}

function preload(file: string): string {
  return `<link rel="modulepreload" crossorigin href="/${file}" />`
}

/** Returns the screen that the navigation rules show first, as far as this can be decided without the user. */
function firstScreen(
  screen: ScreenName,
  { url, cookies }: Pick<PageRequest, 'url' | 'cookies'>,
  settings: GeneralSetting,
): ScreenName {
  const destinationOf = (user: typeof SOME_USER | null) =>
    whereTo({
      screen,
      path: url,
      user,
      isFirstOfSession: cookies['visited'] !== '1',
      returnPath: null,
      depositsAreOpen: settings.deposit_feature === 1,
    })
  const destination = destinationOf(null)
  if (destination.kind === 'stay' || destinationOf(SOME_USER).kind === 'stay') return screen
  return matchScreen(destination.to.split('?')[0] ?? '/').screen
}

/** Returns the chosen language if the site offers it, else the site's default. The app decides in the same way. */
function languageOf(cookies: PageRequest['cookies'], settings: GeneralSetting): Language {
  const chosen = readLanguage(cookies['lang'] ?? null)
  if (chosen !== null && settings.languages.includes(chosen)) return chosen
  return readLanguage(settings.default_language) ?? FALLBACK_LANGUAGE
}

function filesOf({ screens, texts, chart }: PageFiles, screen: ScreenName, language: Language): readonly string[] {
  const own = screens[folderOf(screen)] ?? []
  const parts: readonly TextPart[] = screen === 'login' ? ['first'] : ['first', ...laterTexts(screen)]
  const words = parts.flatMap((part) => texts[language]?.[part] ?? [])
  return [...new Set([...words, ...own, ...(screen === 'trade' ? chart : [])])]
}

function laterTexts(screen: ScreenName): readonly TextPart[] {
  return WITH_MARKET.has(screen) ? ['trading'] : ['trading', 'more']
}

/** `accountHistory` and `edit_profile` have the folders `account-history` and `edit-profile`. */
function folderOf(screen: ScreenName): string {
  return screen
    .replaceAll('_', '-')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
}

/** Escapes the JSON so that no text can end the script element. */
function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
