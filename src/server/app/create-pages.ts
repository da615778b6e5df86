import { shareReply } from '#server/platform/concurrency/shared-reply.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import { contentPolicy } from '#server/platform/http/security-headers.ts'
import type { RenderPage } from '#server/platform/http/web-app.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import { loadMarketList } from '#server/trading/market-list/market-list.ts'
import { type HomeContentParts, homeContent } from '#server/site/content/home-content.ts'
import { type GeneralSettingParts, generalSetting } from '#server/site/public-settings/general-setting.ts'
import { readPageTemplate } from '#server/site/pages/page-template.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { SHELL_PATH } from '#core/navigation/shell-path.ts'
import { createHomePrerender } from '#server/site/pages/prerender-home.ts'
import { renderPage, renderShell } from '#server/site/pages/render-page.ts'

/**
 * 5 s: the content of the home page is cached, because anyone may open the page without a limit and the content is in
 * the database.
 */
const HOME_FOR_MS = 5_000

type PagesParts = GeneralSettingParts &
  HomeContentParts &
  MarketParts & { readonly folder: string; readonly publicUrl: string | null }

/** Returns the function that renders the trading app's pages; null when the app is not built. */
export function createPages(parts: PagesParts): RenderPage | null {
  const template = readPageTemplate(parts.folder)
  if (template === null) {
    parts.ctx.log.warn({ folder: parts.folder }, 'the app is not built, so pages answer 404: run npm run build')
    return null
  }
  const policy = contentPolicy(template)
  const pages = {
    template,
    publicUrl: parts.publicUrl,
    settings: () => generalSetting(parts),
    homeContent: shareReply({ now: () => parts.ctx.now(), ms: HOME_FOR_MS }, (language: Language) =>
      homeContent(parts, language),
    ),
    prerenderHome: createHomePrerender(projectFile('dist/prerender/home.js')),
    marketList: () => loadMarketList(parts, null, { favoritesOnly: false, language: 'en' }),
  }
  return async ({ url, cookies }, hasData) => ({
    html: url === SHELL_PATH ? renderShell(pages, cookies) : await renderPage(pages, { url, cookies, hasData }),
    policy,
  })
}
