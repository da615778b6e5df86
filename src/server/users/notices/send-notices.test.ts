import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { ChosenTopic } from '#core/accounts/notices.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import type { Letter, Messenger } from '#server/platform/messenger/messenger.ts'
import { claimMails } from '#server/users/notices/notices.queries.ts'
import { sendDueNotices } from '#test/support/send-notices.ts'
import { createTestApp, emailOf, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let user: TestUser
let sent: Letter[]
let isDown: boolean
/** An address whose mail server refuses all mails. */
let refused: string | null
const messenger: Messenger = {
  usesOutbox: false,
  async send(letter) {
    if (isDown || letter.to === refused)
      throw Object.assign(new Error('no server for alice@example.com'), { code: 'ECONNREFUSED' })
    sent.push(letter)
    return 'mail'
  },
}
beforeEach(async () => {
  app = await createTestApp(database)
  user = await app.verifiedUser('alice')
  isDown = false
  refused = null
  sent = []
  // Sends the notice that the demo user already has, so that the tests see only their own.
  await send()
  sent = []
})
afterEach(() => app.stop())

const send = () => sendDueNotices(app, messenger)
const deposit = () => app.call(calls.saveDeposit, { token: user.token, body: { amount: 100, method_id: 1 } })
const setLimit = (value: number) =>
  app.call(calls.changeLimits, { token: user.token, body: { changes: [{ key: 'stake_max', value }] } })
const choose = (topic: string, mail: boolean) =>
  app.call(calls.chooseNoticeMail, { token: user.token, body: { topic: topic as ChosenTopic, mail } })
const waiting = async () => database.db.selectFrom('notice_delivery').select(['channel', 'tries', 'next_ms']).execute()

it('mails a notice in the language of its user, with a link to the inbox', async () => {
  await database.db.updateTable('app_user').set({ language: 'de' }).where('id', '=', user.id).execute()
  await deposit()
  await send()
  expect(sent).toEqual([
    expect.objectContaining({ to: emailOf('alice'), kind: 'notice', subject: 'Fairwick: Einzahlung gutgeschrieben' }),
  ])
  expect(sent[0]?.text).toMatch(/^Einzahlung gutgeschrieben\n\n\$100\.00 · FW-.+\n\nhttps:\/\/example\.com\/inbox\n\n/s)
  // Mail programs turn off these mails with the API call, users with the page.
  const token = /unsubscribe\/(.+)$/.exec(sent[0]?.unsubscribeUrl ?? '')?.[1] ?? ''
  expect(sent[0]?.unsubscribeUrl).toBe(`https://example.com/api/notices/unsubscribe/${token}`)
  expect(sent[0]?.text).toContain(`https://example.com/unsubscribe/${token}`)
  expect((await app.call(calls.unsubscribing, { params: { token } })).body.data).toEqual({
    topic: 'deposits',
    mail: true,
  })
  expect(await waiting()).toEqual([])
})

it('a mail about a security change has no link to turn off such mails', async () => {
  await app.setPin(user.token, '042713')
  await send()
  expect(sent.map(({ unsubscribeUrl }) => unsubscribeUrl)).toEqual([undefined])
})

it('US3.3: sends each notice once when several servers send at the same time', async () => {
  for (let value = 100; value > 70; value -= 1) await setLimit(value)
  await Promise.all([send(), send(), send()])
  const ids = sent.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const pages = app.ctx.announced.filter(({ kind }) => kind === 'notice')
  expect(pages.length).toBeGreaterThan(0)
  expect((await waiting()).every(({ channel }) => channel === 'mail')).toBe(true)
})

it('US3.3: when a server stops after it claimed a mail, another server sends the mail after one minute, with the same id', async () => {
  await deposit()
  const [claimed] = await claimMails(app.ctx.db, app.ctx.now())
  await send()
  expect(sent).toEqual([])
  app.ctx.clock.jump(MINUTE_MS)
  await send()
  expect(sent.map(({ id }) => id)).toEqual([`${claimed!.id}.0`])
})

it('US3.3: tries again with longer pauses while the mail server is down, then gives up, and logs no address', async () => {
  isDown = true
  await deposit()
  const pauses = [1, 2, 10, 60, 360, 1_440]
  for (const [nth, minutes] of pauses.entries()) {
    await send()
    const mails = await waiting()
    expect(mails).toEqual([{ channel: 'mail', tries: nth + 1, next_ms: BigInt(app.ctx.now() + minutes * MINUTE_MS) }])
    app.ctx.clock.jump(minutes * MINUTE_MS)
  }
  await send()
  expect(await waiting()).toEqual([{ channel: 'mail', tries: 7, next_ms: null }])
  app.ctx.clock.jump(30 * DAY_MS)
  isDown = false
  await send()
  expect(sent).toEqual([])
  expect(JSON.stringify(app.ctx.lines)).not.toContain('example.com')
})

it('US3.4: mails the topics that the user chose, and always notices about withdrawals and the account', async () => {
  await choose('deposits', false)
  await choose('limits', false)
  const { topics } = (await app.call(calls.noticeMail, { token: user.token })).body.data
  expect(topics).toEqual([
    { topic: 'deposits', mail: false, fixed: false, inbox: true },
    { topic: 'withdrawals', mail: true, fixed: true, inbox: true },
    { topic: 'orders', mail: false, fixed: false, inbox: true },
    { topic: 'results', mail: false, fixed: false, inbox: true },
    { topic: 'limits', mail: false, fixed: false, inbox: true },
    { topic: 'alerts', mail: false, fixed: false, inbox: true },
    { topic: 'payouts', mail: false, fixed: false, inbox: true },
    { topic: 'account', mail: true, fixed: true, inbox: true },
  ])
  await deposit()
  await setLimit(50)
  await app.setPin(user.token, '042713')
  await send()
  expect(sent.map(({ kind }) => kind)).toEqual(['security'])
  expect(sent[0]?.text).not.toContain('https://')
  await choose('deposits', true)
  app.ctx.clock.jump(HOUR_MS)
  await deposit()
  await send()
  expect(sent.map(({ kind }) => kind)).toEqual(['security', 'notice'])
  for (const topic of ['withdrawals', 'account', 'advertising']) expect((await choose(topic, false)).status).toBe(422)
})

it('sends a phone number notices about security changes, but not about deposits', async () => {
  await database.db.updateTable('app_user').set({ email: null }).where('id', '=', user.id).execute()
  await deposit()
  await app.setPin(user.token, '042713')
  await send()
  expect(sent.map(({ to, kind }) => [to, kind])).toEqual([[expect.stringContaining('5551234567'), 'security']])
  expect(await waiting()).toEqual([])
})

/** The user's phone number before a change and after it. */
const OLD_NUMBER = '5551234567'
const NEW_NUMBER = '+491709998888'

async function changeNumber(): Promise<void> {
  await app.confirm(user.token)
  const body = { username: 'alice', country_code: 'DE', mobile: '1709998888', mobile_code: '+49' }
  expect((await app.call(calls.saveProfile, { token: user.token, body })).status).toBe(200)
}

it('F5: a change of the phone number is told to the old number once, also while the mailbox refuses all mails', async () => {
  await changeNumber()
  refused = emailOf('alice')
  for (const minutes of [1, 2, 10]) {
    await send()
    app.ctx.clock.jump(minutes * MINUTE_MS)
  }
  expect(sent.map(({ to }) => to).toSorted()).toEqual([NEW_NUMBER, OLD_NUMBER])
  refused = null
  await send()
  expect(sent.map(({ to }) => to).slice(2)).toEqual([emailOf('alice')])
})

it('F5: a server that stops during the first try loses no message about a change of the phone number', async () => {
  await changeNumber()
  expect(await claimMails(app.ctx.db, app.ctx.now())).toHaveLength(1)
  app.ctx.clock.jump(MINUTE_MS)
  await send()
  expect(sent.map(({ to }) => to).toSorted()).toEqual([NEW_NUMBER, OLD_NUMBER, emailOf('alice')])
  expect(await waiting()).toEqual([])
})

it('F5: a message that did not reach the old phone number is sent again, and no other message is', async () => {
  await changeNumber()
  refused = OLD_NUMBER
  await send()
  expect(sent.map(({ to }) => to).toSorted()).toEqual([NEW_NUMBER, emailOf('alice')])
  refused = null
  app.ctx.clock.jump(MINUTE_MS)
  await send()
  expect(sent.map(({ to }) => to).slice(2)).toEqual([OLD_NUMBER])
  expect(await waiting()).toEqual([])
})

it('F5: a message over the hourly limit of the old phone number is sent when the limit allows it', async () => {
  const attempt = { limit: 'message_recipient_hour', key: `security_changed ${OLD_NUMBER}` } as const
  while ((await consumeAttempt(app.ctx, attempt)) === 0);
  await changeNumber()
  await send()
  expect(sent.map(({ to }) => to)).not.toContain(OLD_NUMBER)
  app.ctx.clock.jump(HOUR_MS)
  await send()
  expect(sent.map(({ to }) => to).toSorted()).toEqual([NEW_NUMBER, OLD_NUMBER, emailOf('alice')])
})

it('F5: the old phone number still counts as proven for the message about its change, and the new one does not', async () => {
  await database.db.updateTable('app_user').set({ proven_mobile: OLD_NUMBER }).where('id', '=', user.id).execute()
  await changeNumber()
  await send()
  expect(sent.filter(({ to }) => to !== emailOf('alice')).map(({ to, isProven }) => [to, isProven])).toEqual(
    expect.arrayContaining([
      [OLD_NUMBER, true],
      [NEW_NUMBER, false],
    ]),
  )
})

it('F5: an old phone number that was never proven does not count as proven', async () => {
  await changeNumber()
  await send()
  expect(sent.find(({ to }) => to === OLD_NUMBER)?.isProven).toBe(false)
})

/** Writes the notice that a recovery has begun, for these contacts. */
async function tellRecovery(numbers: readonly string[]): Promise<void> {
  const facts = JSON.stringify({ recovery: app.ctx.newId(), numbers })
  const at = app.ctx.now()
  await database.asOwner((db) =>
    sql`select tell(${user.id}, 'recovery_begun', 'a', ${facts}::jsonb, ${at}::int8)`.execute(db),
  )
}

it('a notice about a recovery reaches each further contact once while the main mailbox refuses it', async () => {
  await tellRecovery([emailOf('alice'), 'second@example.com'])
  refused = emailOf('alice')
  for (const minutes of [1, 2, 10]) {
    await send()
    app.ctx.clock.jump(minutes * MINUTE_MS)
  }
  expect(sent.map(({ to }) => to)).toEqual(['second@example.com'])
  refused = null
  await send()
  expect(sent.map(({ to }) => to)).toEqual(['second@example.com', emailOf('alice')])
})

it('a notice about a recovery reaches the main mailbox while a further contact does not answer', async () => {
  await tellRecovery(['second@example.com', emailOf('alice')])
  let answer = () => {}
  const answered = new Promise<'mail'>((resolve) => {
    answer = () => resolve('mail')
  })
  const reached: string[] = []
  const sending = sendDueNotices(app, {
    usesOutbox: false,
    send({ to }) {
      reached.push(to)
      return to === emailOf('alice') ? Promise.resolve('mail') : answered
    },
  })
  try {
    await vi.waitFor(() => expect(reached.toSorted()).toEqual([emailOf('alice'), 'second@example.com']))
  } finally {
    answer()
    await sending
  }
  expect(await waiting()).toEqual([])
})
