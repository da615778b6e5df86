import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { applyAndMail } from '#server/back-office/changes/watch-changes.ts'
import type { Letter } from '#server/platform/messenger/messenger.ts'
import { passChanges } from '#test/support/pass-changes.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
/** Every try to send a letter, also to an address that the mail server refuses. */
let tries: Letter[]
let refused: Set<string>
beforeEach(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
  tries = []
  refused = new Set(['ann@example.com'])
})
afterEach(() => app.stop())

const round = async () =>
  applyAndMail({
    ctx: app.ctx,
    settings: app.settings,
    mode: 'demo',
    publicUrl: null,
    messenger: {
      usesOutbox: false,
      send(letter) {
        tries.push(letter)
        return refused.has(letter.to) ? Promise.reject(new Error('550 no such mailbox')) : Promise.resolve('mail')
      },
    },
  })
const invite = async (name: string) =>
  owner.call(staffCalls.staffInviteMember, { body: { name, role: 'support', mail: `${name}@example.com` } })
const pass = async () => passChanges({ applyChanges: round, ctx: app.ctx }, database, await app.staff('finance2'))
const triesTo = (name: string) => tries.filter(({ to }) => to === `${name}@example.com`)
const noticesOf = (name: string) =>
  tries.filter(({ to, text }) => to === 'owner@demo.invalid' && text.includes(name)).map(({ text }) => text)

describe('a mail server that refuses the address of an invited person', () => {
  it('A61: holds up neither the mails about later changes nor a later invitation', async () => {
    await invite('ann')
    await pass()
    expect(triesTo('ann')).toHaveLength(1)
    expect(noticesOf('ann'), 'the invitation is in force').toHaveLength(1)
    await invite('ben')
    await round()
    expect(noticesOf('ben'), 'the later request').toHaveLength(1)
    await pass()
    expect(triesTo('ben')).toHaveLength(1)
    expect(noticesOf('ann'), 'a new try is no news').toHaveLength(1)
  })

  it('A61: is tried again after growing pauses, until the three days of the invitation are over', async () => {
    await invite('ann')
    await pass()
    await round()
    expect(triesTo('ann'), 'not in every round').toHaveLength(1)
    const after: number[] = []
    for (let minutes = 1; minutes <= 20; minutes += 1) {
      app.ctx.clock.jump(MINUTE_MS)
      const before = triesTo('ann').length
      await round()
      if (triesTo('ann').length > before) after.push(minutes)
    }
    expect(after).toEqual([1, 2, 4, 8, 16])
    for (let hours = 1; hours <= 73; hours += 1) {
      app.ctx.clock.jump(HOUR_MS)
      await round()
    }
    const { length } = triesTo('ann')
    expect(length).toBeGreaterThan(60)
    app.ctx.clock.jump(DAY_MS)
    await round()
    expect(triesTo('ann'), 'the invitation is over').toHaveLength(length)
    expect(JSON.stringify(app.ctx.lines), 'the log tells that it was the last try').toContain('"isOver":true')
  })

  it('A61: gets the link when it accepts the address again, once', async () => {
    await invite('ann')
    await pass()
    refused.clear()
    app.ctx.clock.jump(MINUTE_MS)
    await round()
    await round()
    expect(triesTo('ann')).toHaveLength(2)
    const body = { token: triesTo('ann').at(-1)?.text.split('#')[1]?.split(/\s/)[0] ?? '' }
    expect((await owner.call(staffCalls.staffOpenInvitation, { body })).body.data.name).toBe('ann')
  })

  it('A61: a link to another address ends the tries with the first address', async () => {
    await invite('ann')
    await pass()
    const { id, version } = await database.db
      .selectFrom('staff')
      .select(['id', 'version'])
      .where('name', '=', 'ann')
      .executeTakeFirstOrThrow()
    app.ctx.clock.jump(1)
    owner = await app.staff('owner')
    const body = { version, reason: 'a wrong address', mail: 'right@example.com' }
    await owner.call(staffCalls.staffReinviteMember, { params: { id }, body })
    await pass()
    const { length } = triesTo('ann')
    app.ctx.clock.jump(HOUR_MS)
    await round()
    expect(triesTo('ann')).toHaveLength(length)
    expect(triesTo('right')).toHaveLength(1)
    const token = { token: triesTo('right')[0]?.text.split('#')[1]?.split(/\s/)[0] ?? '' }
    expect((await owner.call(staffCalls.staffOpenInvitation, { body: token })).status).toBe(200)
  })
})
