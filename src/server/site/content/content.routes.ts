import { calls } from '#contract/calls.ts'
import type { CustomPageOut, PostOut } from '#contract/content.ts'
import { isSafeLink } from '#core/content/safe-link.ts'
import { moneyNumber } from '#core/money/money.ts'
import { refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { offeredTasks, sumOf } from '#core/wallet/beginner-tasks.ts'
import { announcementText } from '#server/site/content/announcement-text.ts'
import { type Reader, contentTextOf } from '#server/site/content/content-texts.ts'
import { type ContentEntry, findContent, listContent, listPosts } from '#server/site/content/content.queries.ts'
import type { SiteAnnouncements } from '#server/site/content/site-announcements.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { Liabilities } from '#server/proof/liabilities/create-liabilities.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/** The URL folder of page icons. */
const PAGE_IMAGE_PATH = '/images/pages/'

export interface ContentParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly settings: Settings
  readonly catalogue: Pick<MarketCatalogue, 'symbols'>
  readonly announcements: SiteAnnouncements
  readonly liabilities: Pick<Liabilities, 'since'>
}

export function contentRoutes(
  register: Register,
  { ctx, mode, settings, catalogue, announcements, liabilities }: ContentParts,
): void {
  const readerOf = (language: Language): Reader => ({
    language,
    siteLanguage: settings.current.defaultLanguage,
    facts: {
      mode,
      markets: catalogue.symbols.length,
      operatingSince: settings.current.operatingSince,
      proofsSince: liabilities.since,
    },
  })

  register(calls.pages, async ({ language }) => {
    const entries = await listContent(ctx.db, 'page')
    return answer({
      custom_pages: entries.map((entry) => toPageReply(entry, readerOf(language))),
      image_path: PAGE_IMAGE_PATH,
    })
  })
  register(calls.page, async ({ params, language }) => {
    const entry = await findContent(ctx.db, { kind: 'page', key: params.slug, now: ctx.now() })
    if (!entry || entry.link !== '') return refuse('not_found')
    const { title, text } = contentTextOf(entry, readerOf(language))
    return answer({ page: { name: title, content: text } })
  })
  register(calls.posts, async ({ query, language }) => {
    const { posts, total } = await listPosts(ctx.db, { ...sliceOf(query), now: ctx.now() })
    return answer({ posts: posts.map((entry) => toPostReply(entry, readerOf(language))) }, metaOf(query, total))
  })
  register(calls.post, async ({ params, language }) => {
    const entry = await findContent(ctx.db, { kind: 'post', key: params.slug, now: ctx.now() })
    return entry ? answer({ post: toPostReply(entry, readerOf(language)) }) : refuse('not_found')
  })
  register(calls.announcements, async ({ language }) =>
    answer({
      announcements: announcements.at(ctx.now()).map((one) => ({
        id: one.id,
        version: one.version,
        tone: one.tone,
        text: announcementText(one, language, settings.current.defaultLanguage),
        link: safeLink(one.link),
        until: toIso(one.until),
      })),
    }),
  )
  register(calls.homeContent, async ({ language }) => {
    const reader = readerOf(language)
    const [banners, questions] = [await listContent(ctx.db, 'banner'), await listContent(ctx.db, 'question')]
    const tasks = offeredTasks(settings.current.taskAmounts)
    const { streamLink, chatLink, customerLink } = settings.current
    return answer({
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
    })
  })
}

function toPageReply(entry: ContentEntry, reader: Reader): CustomPageOut {
  const { title: name } = contentTextOf(entry, reader)
  const link = safeLink(entry.link)
  return { name, slug: entry.key, icon: entry.icon, content_type: entry.link === '' ? 'page' : 'link', link }
}

function toPostReply(entry: ContentEntry, reader: Reader): PostOut {
  return { slug: entry.key, published_at: toIso(entry.publishedAt), ...contentTextOf(entry, reader) }
}

/** Removes links that could execute code, whatever was stored. */
function safeLink(link: string | null): string {
  return link !== null && isSafeLink(link) ? link : ''
}
