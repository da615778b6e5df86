import { z } from 'zod'
import { toIso } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { DigitText, Name } from '#server/operator-cli/inputs.ts'
import { table } from '#server/operator-cli/table.ts'
import { type ContentKind, listAllContent } from '#server/site/content/content.queries.ts'
import { publishContent } from '#server/site/content/publish-content.ts'
import { removeContent } from '#server/site/content/remove-content.ts'
import { isLanguage } from '#server/platform/i18n/messages.ts'

const MAX_TEXT_LENGTH = 20_000

const Title = z.string('is required').trim().min(1, 'must not be empty').max(120, 'must have at most 120 characters')
const Text = z.string().trim().max(MAX_TEXT_LENGTH, `must have at most ${MAX_TEXT_LENGTH} characters`).default('')
const LanguageText = z.string().refine(isLanguage, 'is not one of the languages').default('en')
const Icon = z
  .string()
  .regex(/^[\w.-]{0,60}$/, 'must be the name of an icon')
  .optional()
const Link = z.string().trim().max(500, 'is too long').optional()
const Place = DigitText.pipe(z.string().regex(/^\d{1,4}$/, 'must be a whole number up to 9999'))
  .transform(Number)
  .optional()

interface Topic {
  readonly topic: 'pages' | 'posts' | 'banners' | 'questions'
  readonly kind: ContentKind
  readonly what: string
}

const TOPICS: readonly Topic[] = [
  { topic: 'pages', kind: 'page', what: 'an information page, or with --link a link of the help centre' },
  { topic: 'posts', kind: 'post', what: 'a news post' },
  { topic: 'banners', kind: 'banner', what: 'a banner of the home page' },
  { topic: 'questions', kind: 'question', what: 'a question of the home page, with its answer as the text' },
]

export const contentCommands: readonly Command[] = TOPICS.flatMap(commandsOf)

function commandsOf({ topic, kind, what }: Topic): Command[] {
  return [
    defineCommand({
      name: `${topic} list`,
      summary: `Lists the ${topic}, also hidden ones. Entries without a title of their own show the default text.`,
      takes: [],
      options: {},
      input: z.object({}),
      effect: 'looks',
      run: async ({ ctx }) => {
        const entries = await listAllContent(ctx.db, kind)
        if (entries.length === 0) return said(`No ${topic} yet.`)
        const rows = entries.map(({ key, texts, isPublished, publishedAt, sort, link }) => [
          key,
          isPublished ? 'shown' : 'hidden',
          String(sort),
          toIso(publishedAt),
          Object.keys(texts).join(' '),
          texts['en']?.title ?? Object.values(texts)[0]?.title ?? '',
          link,
        ])
        return said(...table(['Key', 'Status', 'Position', 'Shown from', 'Languages', 'Title', 'Link'], rows))
      },
    }),
    defineCommand({
      name: `${topic} publish`,
      summary: `Publishes or replaces ${what}. "--text @file" reads a file. Default language: en.`,
      takes: ['key'],
      options: { title: 'words', text: 'words', language: 'words', icon: 'words', link: 'words', place: 'words' },
      input: z.object({
        key: Name,
        title: Title,
        text: Text,
        language: LanguageText,
        icon: Icon,
        link: Link,
        place: Place,
      }),
      effect: 'changes',
      run: async ({ ctx }, { key, place: sort, ...rest }, actor) => {
        const done = await publishContent(ctx, { ...rest, kind, key, sort, actor })
        if (done.ok) return said(`${key} is ${done.value.isNew ? 'published' : 'replaced'}: ${rest.title}`)
        return refused(
          done.refusal === 'key_invalid'
            ? `${key} is not a valid key. Use lower-case letters, digits and hyphens. Nothing was changed.`
            : 'The link must be an http or mailto address, or a path of this site. Nothing was changed.',
        )
      },
    }),
    defineCommand({
      name: `${topic} remove`,
      summary: `Removes ${what}. Entries that came with the installation are hidden; publish shows them again.`,
      takes: ['key'],
      options: {},
      input: z.object({ key: Name }),
      effect: 'changes',
      run: async ({ ctx }, { key }, actor) => {
        const done = await removeContent(ctx, { kind, key, actor })
        return done.ok ? said(`${key} is no longer shown.`) : refused(`The key ${key} does not exist.`)
      },
    }),
  ]
}
