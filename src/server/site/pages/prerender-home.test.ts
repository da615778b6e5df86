import { expect, it } from 'vitest'
import type { HomeContent } from '#contract/content.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { readMessages } from '#server/platform/i18n/messages.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { createHomePrerender, type HomePage } from '#server/site/pages/prerender-home.ts'
import type { GeneralSetting } from '#server/site/public-settings/general-setting.ts'

/** The script of the home screen for the server. `npm test` builds it before the tests. */
const BUILT = projectFile('dist/prerender/home.js')
const page: HomePage = {
  language: 'en',
  texts: readMessages('en'),
  settings: { site_name: 'A <b> site', mode: 'live', languages: ['en'], server_time: 1 } as unknown as GeneralSetting,
  content: {
    banners: [{ key: 'b', icon: 'receipt', title: '<script>alert(1)</script>', text: 'Text', link: '/fairness' }],
    questions: [{ key: 'q', title: 'A question', text: 'An answer' }],
    figures: { markets: 32, bonus: 6_666, tasks: 5 },
    links: { support: '', stream: '', chatroom: '' },
  } as unknown as HomeContent,
}

it('renders the headline, the content and the links of each language, without styles that the policy refuses', () => {
  const render = createHomePrerender(BUILT)
  for (const language of LANGUAGE_CODES) {
    const texts = readMessages(language)
    const html = render?.({ ...page, language, texts })
    expect(html).toContain(texts['home']?.['create_account'])
    expect(html).toContain('A question')
    expect(html).toContain('href="/signup"')
    expect(html).not.toMatch(/ style="/)
  }
})

it('shows the demo mark only on a demo site, and escapes HTML in texts of the operator', () => {
  const html = createHomePrerender(BUILT)?.(page)
  expect(html).toContain('A &lt;b&gt; site')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).not.toContain('Demo · virtual funds')
  const demo = createHomePrerender(BUILT)?.({ ...page, settings: { ...page.settings, mode: 'demo' } })
  expect(demo).toContain('Demo · virtual funds')
})

it('renders again when content, settings or texts change, but not when only the server time changes', () => {
  const render = createHomePrerender(BUILT)
  const first = render?.(page)
  expect(render?.({ ...page, settings: { ...page.settings, server_time: 2 } })).toBe(first)
  const texts = { ...page.texts, home: { ...page.texts['home'], headline: 'Another headline' } }
  expect(render?.({ ...page, texts })).toContain('Another headline')
  expect(render?.({ ...page, settings: { ...page.settings, site_name: 'Other' } })).toContain('Other')
  const questions = [{ key: 'q', title: 'Other question', text: '' }]
  expect(render?.({ ...page, content: { ...page.content, questions } })).toContain('Other question')
})

it('returns no function when the home screen is not built', () => {
  expect(createHomePrerender(projectFile('dist/nowhere.js'))).toBeNull()
})
