import type { HomeContent } from '#contract/content.ts'
import { isSafeLink } from '#core/content/safe-link.ts'
import { moneyNumber } from '#core/money/money.ts'
import { offeredTasks, sumOf } from '#core/wallet/beginner-tasks.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { Liabilities } from '#server/proof/liabilities/create-liabilities.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { type Reader, contentTextOf } from '#server/site/content/content-texts.ts'
import { listContent } from '#server/site/content/content.queries.ts'

export interface HomeContentParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly settings: Settings
  readonly catalogue: Pick<MarketCatalogue, 'symbols'>
  readonly liabilities: Pick<Liabilities, 'since'>
}

/** Returns the banners, questions and links of the home page in a language, with figures of the running site. */
export async function homeContent(parts: HomeContentParts, language: Language): Promise<HomeContent> {
  const { ctx, settings } = parts
  const reader = readerFor(parts, language)
  const [banners, questions] = [await listContent(ctx.db, 'banner'), await listContent(ctx.db, 'question')]
  const tasks = offeredTasks(settings.current.taskAmounts)
  const { streamLink, chatLink, customerLink } = settings.current
  return {
    banners: banners.map((entry) => ({
      key: entry.key,
      icon: entry.icon,
      link: safeLink(entry.link),
      ...contentTextOf(entry, reader),
    })),
    questions: questions.map((entry) => ({ key: entry.key, ...contentTextOf(entry, reader) })),
    links: { stream: safeLink(streamLink), chatroom: safeLink(chatLink), support: safeLink(customerLink) },
    figures: {
      markets: reader.facts.markets,
      operating_since: reader.facts.operatingSince,
      proofs_since: reader.facts.proofsSince,
      bonus: moneyNumber(sumOf(tasks)),
      tasks: tasks.length,
    },
  }
}

/** Returns the facts that select the texts for a language and fill their placeholders. */
export function readerFor({ mode, settings, catalogue, liabilities }: HomeContentParts, language: Language): Reader {
  return {
    language,
    siteLanguage: settings.current.defaultLanguage,
    facts: {
      mode,
      markets: catalogue.symbols.length,
      operatingSince: settings.current.operatingSince,
      proofsSince: liabilities.since,
    },
  }
}

/** Returns a stored link if it is safe. Returns an empty text for no link, and for a link that could execute code. */
export function safeLink(link: string | null): string {
  return link !== null && isSafeLink(link) ? link : ''
}
