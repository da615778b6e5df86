import { describe, expect, it } from 'vitest'
import type { HomeContent } from '#contract/content.ts'
import type { MarketList } from '#contract/markets.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import type { GeneralSetting } from '#server/site/public-settings/general-setting.ts'
import type { PrerenderHome } from '#server/site/pages/prerender-home.ts'
import { type PageRequest, renderPage } from '#server/site/pages/render-page.ts'

const HTML =
  '<!doctype html><html lang="en" dir="ltr" data-theme="light"><head><title>Built</title></head><body><p class="frame-loading">Loading</p></body></html>'
const SETTINGS = {
  site_name: 'A & "B" <c>',
  default_language: 'en',
  languages: ['en', 'de', 'ar'],
  deposit_feature: 1,
} as unknown as GeneralSetting
const FILES = {
  screens: {
    home: ['assets/home.js'],
    market: ['assets/market.js'],
    trade: ['assets/trade.js'],
    login: ['assets/login.js'],
  },
  texts: {
    en: { trading: 'assets/en-t.js', more: 'assets/en-m.js' },
    de: { first: 'assets/de-f.js', trading: 'assets/de-t.js', more: 'assets/de-m.js' },
  },
  chart: ['assets/chart.js'],
}
const VISITED = { visited: '1' }

function render(
  request: Partial<PageRequest>,
  settings: Partial<GeneralSetting> = {},
  prerenderHome: PrerenderHome | null = null,
): Promise<string> {
  const parts = {
    template: { html: HTML, files: FILES, scripts: [], styles: [] },
    publicUrl: 'https://trade.example',
    settings: () => ({ ...SETTINGS, ...settings }),
    homeContent: async () => ({ banners: [{ key: '</script><script>alert(1)' }] }) as unknown as HomeContent,
    marketList: async () => ({ currencies: ['BTC'] }) as unknown as MarketList,
    prerenderHome,
  }
  return renderPage(parts, { url: '/', cookies: {}, hasData: true, ...request })
}

const dataOf = (html: string) =>
  JSON.parse(/id="page-data">(.*)<\/script>/.exec(html)?.[1] ?? '') as { language: string; replies: object }
const filesOf = (html: string) =>
  Array.from(html.matchAll(/modulepreload" crossorigin href="\/([^"]+)"/g), ([, file]) => file)

describe('the page', () => {
  it.each([
    ['/', {}, ['GET /user/general-setting', 'GET /user/home']],
    ['/market', VISITED, ['GET /user/general-setting', 'GET /user/crypto-currency/list']],
    ['/trade/BTC', VISITED, ['GET /user/general-setting', 'GET /user/crypto-currency/list']],
    ['/login', VISITED, ['GET /user/general-setting']],
    // Without the cookie of an earlier visit, the first page is always the home screen.
    ['/market', {}, ['GET /user/general-setting', 'GET /user/home']],
    ['/fairness', {}, ['GET /user/general-setting']],
  ])('at %s with cookies %j contains the replies of %j', async (url, cookies, calls) => {
    expect(Object.keys(dataOf(await render({ url, cookies })).replies)).toEqual(calls)
  })

  it('contains only the reply with the settings when the client address made too many calls', async () => {
    for (const url of ['/', '/market'])
      expect(Object.keys(dataOf(await render({ url, cookies: VISITED, hasData: false })).replies)).toEqual([
        'GET /user/general-setting',
      ])
  })

  it.each([
    ['/', {}, ['assets/en-t.js', 'assets/en-m.js', 'assets/home.js']],
    ['/market', VISITED, ['assets/en-t.js', 'assets/market.js']],
    ['/login', { ...VISITED, lang: 'de' }, ['assets/de-f.js', 'assets/login.js']],
    [
      '/trade/ETH',
      { ...VISITED, lang: 'de' },
      ['assets/de-f.js', 'assets/de-t.js', 'assets/trade.js', 'assets/chart.js'],
    ],
    ['/nowhere', {}, ['assets/en-t.js', 'assets/en-m.js']],
  ])('at %s with cookies %j preloads %j', async (url, cookies, files) => {
    expect(filesOf(await render({ url, cookies }))).toEqual(files)
  })

  it.each([
    [{ lang: 'ar' }, 'ar', 'rtl', 'ar'],
    [{ lang: 'de' }, 'de', 'ltr', 'de'],
    // Cookies with a language that is not offered, with an unknown language, and without a language.
    [{ lang: 'fr' }, 'en', 'ltr', 'en'],
    [{ lang: '"><script>' }, 'en', 'ltr', 'en'],
    [{}, 'en', 'ltr', 'en'],
  ])('with cookies %j is in %s, written %s', async (cookies, tag, dir, language) => {
    const html = await render({ cookies })
    expect(html).toContain(`<html lang="${tag}" dir="${dir}" data-lang="${language}" data-theme="light">`)
    expect(dataOf(html).language).toBe(language)
  })

  it('contains the home screen where home is the first screen, in the language of the page', async () => {
    const inLanguage: PrerenderHome = ({ language, texts }) =>
      `<h1>${language} ${texts['home']?.['create_account']}</h1>`
    const home = await render({ cookies: { lang: 'de' } }, {}, inLanguage)
    expect(home).toContain('data-lang="de" data-prerendered')
    expect(home).toContain('<p class="frame-loading">Wird geladen</p>')
    expect(home).toContain('<div id="prerendered"><h1>de Konto erstellen</h1></div>')
    expect(await render({ url: '/market' }, {}, inLanguage)).toContain('<h1>en Create account</h1>')
    for (const request of [
      { url: '/market', cookies: VISITED },
      { url: '/login', cookies: VISITED },
      { hasData: false },
    ])
      expect(await render(request, {}, inLanguage)).not.toContain('prerendered')
  })

  it('escapes names and texts, and no text can end the script element with the data', async () => {
    const html = await render({ url: '/market' })
    expect(html).toContain('<title>Market · A &amp; &quot;B&quot; &lt;c&gt;</title>')
    expect(html).not.toContain('</script><script>alert')
    expect(dataOf(html).replies).toMatchObject({
      'GET /user/home': { banners: [{ key: '</script><script>alert(1)' }] },
    })
  })

  it.each(['//other.example/fairness', '//['])('has a canonical link to its own host for the path %s', async (url) => {
    expect(await render({ url })).toContain(`<link rel="canonical" href="https://trade.example${url}" />`)
  })

  it('the page has a description in each language, and a canonical link without the query', async () => {
    const seen = new Set<string>()
    for (const lang of LANGUAGE_CODES) {
      const html = await render({ url: '/fairness?x=1', cookies: { lang } }, { languages: [...LANGUAGE_CODES] })
      expect(html).toContain('<link rel="canonical" href="https://trade.example/fairness" />')
      seen.add(/name="description" content="([^"]+)"/.exec(html)?.[1] ?? '')
    }
    expect(seen.size).toBe(LANGUAGE_CODES.length)
  })
})
