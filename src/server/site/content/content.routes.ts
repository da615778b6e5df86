import { calls } from '#contract/calls.ts'
import type { CustomPageOut, PostOut } from '#contract/content.ts'
import { refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { announcementText } from '#server/site/content/announcement-text.ts'
import { type Reader, contentTextOf } from '#server/site/content/content-texts.ts'
import { type ContentEntry, findContent, listContent, listPosts } from '#server/site/content/content.queries.ts'
import { type HomeContentParts, homeContent, readerFor, safeLink } from '#server/site/content/home-content.ts'
import type { SiteAnnouncements } from '#server/site/content/site-announcements.ts'
import { TERMS_SLUG } from '#server/site/content/publish-terms.ts'
import { findTermsOfUse } from '#server/users/terms-of-use/terms-of-use.queries.ts'
import { answer } from '#server/platform/http/answer.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

/** The URL folder of page icons. */
const PAGE_IMAGE_PATH = '/images/pages/'

export interface ContentParts extends HomeContentParts {
  readonly announcements: SiteAnnouncements
}

export function contentRoutes(register: Register, parts: ContentParts): void {
  const { ctx, settings, announcements } = parts
  const readerOf = (language: Language) => readerFor(parts, language)

  register(calls.pages, async ({ language }) => {
    const entries = await listContent(ctx.db, 'page')
    return answer({
      custom_pages: entries.map((entry) => toPageReply(entry, readerOf(language))),
      image_path: PAGE_IMAGE_PATH,
    })
  })
  register(calls.page, async ({ params, language }) => {
    if (params.slug === TERMS_SLUG) {
      const { title, text } = (await findTermsOfUse(ctx.db, language)).current
      return answer({ page: { name: title, content: text } })
    }
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
  register(calls.homeContent, async ({ language }) => answer(await homeContent(parts, language)))
}

function toPageReply(entry: ContentEntry, reader: Reader): CustomPageOut {
  const { title: name } = contentTextOf(entry, reader)
  const link = safeLink(entry.link)
  return { name, slug: entry.key, icon: entry.icon, content_type: entry.link === '' ? 'page' : 'link', link }
}

function toPostReply(entry: ContentEntry, reader: Reader): PostOut {
  return { slug: entry.key, published_at: toIso(entry.publishedAt), ...contentTextOf(entry, reader) }
}
