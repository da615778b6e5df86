import { z } from 'zod'
import { CHOSEN_TOPICS, NOTICE_KINDS, NOTICE_TOPICS, type NoticeKind } from '#core/accounts/notices.ts'
import { defineCall } from '#contract/call.ts'
import { IsoTime } from '#contract/wire.ts'

const Place = z.string().max(100)

const NoticeOut = z.object({
  id: z.string(),
  kind: z.enum(Object.keys(NOTICE_KINDS) as [NoticeKind, ...NoticeKind[]]),
  at: IsoTime,
  read: z.boolean(),
  title: z.string(),
  text: z.string().meta({ description: 'Title and text are in the language of the request.' }),
  link: z.string().meta({ description: 'The path of the screen that the notice is about.' }),
})

export const notices = defineCall({
  method: 'GET',
  path: '/user/notices',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: 'The notices to the user, newest first: decisions about money, limits, measures, log-ins and changes.',
  query: z.object({
    before: Place.optional().meta({ description: '`next` of the page before.' }),
    id: z.uuid().optional().meta({ description: 'Only this notice, if the caller has it.' }),
  }),
  reply: z.object({
    notices: z.array(NoticeOut),
    unread: z.number().int(),
    next: z.string().nullable().meta({ description: 'For `before`; null when there are no older notices.' }),
    newest: z.string().nullable().meta({ description: 'For `until`; the place of the first notice of this page.' }),
  }),
  refusals: [],
})

export const readNotices = defineCall({
  method: 'POST',
  path: '/user/notices/read',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: 'Marks own notices as read: those with these ids, or all up to a place.',
  body: z
    .object({
      ids: z.array(z.uuid()).min(1).max(50).optional(),
      until: Place.optional().meta({ description: '`newest` of a page.' }),
    })
    .refine(({ ids, until }) => (ids === undefined) !== (until === undefined), 'either ids or until'),
  reply: z.object({ unread: z.number().int() }),
  refusals: [],
})

const MailTopics = z.object({
  topics: z.array(
    z.object({
      topic: z.enum(NOTICE_TOPICS),
      mail: z.boolean(),
      fixed: z.boolean(),
      inbox: z.boolean().meta({ description: 'False: notices of ended orders are not written.' }),
    }),
  ),
})

export const noticeMail = defineCall({
  method: 'GET',
  path: '/user/notices/mail',
  who: 'verified',
  key: 'never',
  summary: 'Which notices are also mailed. Fixed ones protect money and account.',
  reply: MailTopics,
  refusals: [],
})

export const chooseNoticeMail = defineCall({
  method: 'POST',
  path: '/user/notices/mail',
  who: 'verified',
  key: 'never',
  summary:
    'Turns the mail of a topic on or off, for notices from now on. The inbox has all notices, except those of ended orders when they are off.',
  body: z
    .object({ topic: z.enum(CHOSEN_TOPICS), mail: z.boolean(), inbox: z.boolean().default(true) })
    .refine(({ topic, inbox }) => inbox || topic === 'results', 'only notices of ended orders can be off'),
  reply: MailTopics,
  refusals: [],
})

const UnsubscribeToken = z.object({ token: z.string().max(300) })

export const unsubscribing = defineCall({
  method: 'GET',
  path: '/notices/unsubscribe/:token',
  who: 'anyone',
  key: 'never',
  summary: 'The topic that the link of a mail turns off. Changes nothing.',
  params: UnsubscribeToken,
  reply: z.object({
    topic: z.enum(CHOSEN_TOPICS).nullable().meta({ description: 'Null: this installation did not make the link.' }),
    mail: z.boolean(),
  }),
  refusals: [],
})

export const unsubscribe = defineCall({
  method: 'POST',
  path: '/notices/unsubscribe/:token',
  who: 'anyone',
  key: 'never',
  summary: 'Turns off the mail of a topic, by the link of a mail. Mail programs send the form of RFC 8058.',
  params: UnsubscribeToken,
  bodyIgnored: true,
  reply: z.object({ topic: z.enum(CHOSEN_TOPICS), mail: z.boolean() }),
  refusals: ['not_found'],
})
