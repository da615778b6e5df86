import { existsSync, readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import type { HomeContent } from '#contract/content.ts'
import type { Texts } from '#messages/find-text.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { GeneralSetting } from '#server/site/public-settings/general-setting.ts'

export interface HomePage {
  readonly language: Language
  /** Every text of the language, with the operator's overrides. */
  readonly texts: Texts
  readonly settings: GeneralSetting
  readonly content: HomeContent
}

/** Returns the home screen as a visitor without an account sees it, as HTML. */
export type PrerenderHome = (page: HomePage) => string

interface Prerendered {
  readonly texts: Texts
  readonly from: string
  readonly html: string
}

/**
 * Reads the built home screen, `dist/prerender/home.js`. The returned function renders it for a page. It keeps the
 * newest HTML of each language, because content, settings and texts rarely change. Returns null when the home screen is
 * not built.
 */
export function createHomePrerender(file: string): PrerenderHome | null {
  if (!existsSync(file)) return null
  const script = new Script(readFileSync(file, 'utf8'), { filename: file })
  const newest = new Map<Language, Prerendered>()
  return (page) => {
    const { language, texts } = page
    // The server's time does not count as a change, because the screen does not show it.
    const from = JSON.stringify([{ ...page.settings, server_time: 0 }, page.content])
    const known = newest.get(language)
    if (known?.texts === texts && known.from === from) return known.html
    const html = render(script, page)
    newest.set(language, { texts, from, html })
    return html
  }
}

/**
 * Runs the script of the home screen in a new context for each page. So it has no data from earlier pages, only the
 * data of this page.
 */
function render(script: Script, { language, texts, settings, content }: HomePage): string {
  const replies = { 'GET /user/general-setting': settings, 'GET /user/home': content }
  const context = createContext(browserWith(JSON.stringify({ language, replies })))
  script.runInContext(context)
  const { renderHome } = context['prerender'] as { renderHome: (language: Language, texts: Texts) => string }
  return renderHome(language, texts)
}

const ignore = () => undefined

/**
 * Returns the global objects of a browser that the home screen reads when it loads. They contain no session and no
 * stored choice, and give no access to a network.
 */
function browserWith(pageData: string): Record<string, unknown> {
  const now = { transferSize: 1, responseStart: 0 }
  return {
    document: {
      documentElement: { dataset: {} },
      cookie: '',
      getElementById: (id: string) => (id === 'page-data' ? { textContent: pageData } : null),
      querySelector: () => null,
    },
    location: { pathname: '/', search: '' },
    history: { state: null },
    performance: { timeOrigin: 0, now: () => 0, getEntriesByType: () => [now] },
    TextEncoder,
    MessageChannel: class {
      readonly port1 = {}
      readonly port2 = { postMessage: ignore }
    },
    AbortController,
    setTimeout: ignore,
    queueMicrotask: ignore,
  }
}
