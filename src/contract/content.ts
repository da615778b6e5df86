import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut, PageQuery } from '#contract/wire.ts'

/** The slug in the address of a page or post. */
const Slug = z.object({ slug: z.string().max(100) })
/** Text with a little markup: blank lines, `## headings`, `- lists`, `**bold**`, `[links](https://…)`. Never HTML. */
const MarkupOut = z.string().meta({ description: 'Plain text with light markup; no HTML.' })
const LinkOut = z.string().meta({ description: 'An https address or a path of this site; empty for none.' })

const CustomPageOut = z.object({
  name: z.string(),
  slug: z.string(),
  icon: z.string().meta({ description: 'A file under `image_path`; empty for none.' }),
  content_type: z.enum(['page', 'link']),
  link: LinkOut,
})
export type CustomPageOut = z.output<typeof CustomPageOut>

export const pages = defineCall({
  method: 'GET',
  path: '/user/pages',
  who: 'anyone',
  key: 'read',
  summary: 'The information pages and links of the help centre.',
  reply: z.object({ custom_pages: z.array(CustomPageOut), image_path: z.string() }),
  refusals: [],
})

export const page = defineCall({
  method: 'GET',
  path: '/user/pages/:slug',
  who: 'anyone',
  key: 'read',
  summary: 'One information page.',
  params: Slug,
  reply: z.object({ page: z.object({ name: z.string(), content: MarkupOut }) }),
  refusals: ['not_found'],
})

export const PostOut = z.object({ slug: z.string(), title: z.string(), text: MarkupOut, published_at: IsoTime })
export type PostOut = z.output<typeof PostOut>

export const posts = defineCall({
  method: 'GET',
  path: '/user/posts',
  who: 'anyone',
  key: 'read',
  summary: 'News posts, newest first.',
  query: PageQuery,
  paged: true,
  reply: z.object({ posts: z.array(PostOut) }),
  refusals: [],
})

export const post = defineCall({
  method: 'GET',
  path: '/user/posts/:slug',
  who: 'anyone',
  key: 'read',
  summary: 'One news post.',
  params: Slug,
  reply: z.object({ post: PostOut }),
  refusals: ['not_found'],
})

export const homeContent = defineCall({
  method: 'GET',
  path: '/user/home',
  who: 'anyone',
  key: 'read',
  summary: 'The content of the home page: banners, questions, links, and figures of the running system.',
  reply: z.object({
    banners: z.array(
      z.object({ key: z.string(), icon: z.string(), title: z.string(), text: z.string(), link: LinkOut }),
    ),
    questions: z.array(z.object({ key: z.string(), title: z.string(), text: MarkupOut })),
    links: z.object({ stream: LinkOut, chatroom: LinkOut, support: LinkOut }),
    figures: z.object({
      markets: z.number().int().meta({ description: 'Instruments listed now.' }),
      operating_since: z.string(),
      proofs_since: z.string().meta({ description: 'The first day with a proof of what is owed; empty for none.' }),
      bonus: MoneyOut.meta({ description: 'Credits that the beginner tasks pay out in all.' }),
      tasks: z.number().int().meta({ description: 'How many beginner tasks there are.' }),
    }),
  }),
  refusals: [],
})
export type HomeContent = z.output<typeof homeContent.reply>

export const announcements = defineCall({
  method: 'GET',
  path: '/user/announcements',
  who: 'anyone',
  key: 'read',
  summary: 'The announcements that are shown now, newest first.',
  reply: z.object({
    announcements: z.array(
      z.object({
        id: z.string(),
        version: z.number().int(),
        tone: z.enum(['info', 'warn']),
        text: z.string(),
        link: LinkOut,
        until: IsoTime,
      }),
    ),
  }),
  refusals: [],
})
