import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let writer: StaffSession
let owner: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  writer = await app.staff('content')
  owner = await app.staff('owner')
})
afterEach(() => app.stop())

/** 5 minutes: shorter than a staff session, so that a session outlives several steps of the clock. */
const STEP_MS = 5 * MINUTE_MS
const inSteps = (steps: number) => new Date(app.ctx.now() + steps * STEP_MS).toISOString()

async function save(who: StaffSession, id: string, body: object = {}) {
  const reply = await who.call(staffCalls.staffSaveAnnouncement, {
    params: { id },
    body: {
      version: 0,
      tone: 'info',
      link: '',
      from: inSteps(0),
      until: inSteps(1),
      texts: { en: 'Deposits are closed tonight.' },
      ...body,
    },
  })
  return reply.body.code ?? reply.body.data.version
}
const listAnnouncements = async (locale = 'en') =>
  (await app.call(calls.announcements, { headers: { locale } })).body.data.announcements
const publishedVersion = async () => (await app.call(calls.generalSetting)).body.data.announcements
const rows = async (state = '') =>
  (await writer.call(staffCalls.staffAnnouncements, { query: { state } })).body.data.rows

describe('an announcement', () => {
  it("appears from its start to its end, in the reader's language", async () => {
    expect(await publishedVersion()).toBeUndefined()
    const id = randomUUID()
    const texts = { en: 'Closed tonight.', de: 'Heute Nacht zu.' }
    await save(writer, id, { from: inSteps(1), until: inSteps(2), texts, tone: 'warn', link: '/page/rules' })
    expect(await listAnnouncements()).toEqual([])
    expect((await rows('planned')).map((row) => row.id)).toEqual([id])
    app.ctx.clock.advance(STEP_MS)
    expect(await listAnnouncements('de')).toMatchObject([
      { id, text: 'Heute Nacht zu.', tone: 'warn', link: '/page/rules' },
    ])
    expect(await listAnnouncements('fr')).toMatchObject([{ text: 'Closed tonight.' }])
    const before = await publishedVersion()
    expect(before).toMatch(/^\w{16}$/)
    expect(await save(writer, id, { version: 1, from: inSteps(0), until: inSteps(1), texts: { en: 'Open.' } })).toBe(2)
    expect(await publishedVersion(), 'open pages see that it is another one').not.toBe(before)
    app.ctx.clock.advance(STEP_MS)
    expect(await listAnnouncements()).toEqual([])
    expect(await publishedVersion()).toBeUndefined()
    expect((await rows('over')).map((row) => row.state)).toEqual(['over'])
  })

  it('stores pasted HTML as text without tags', async () => {
    await save(writer, randomUUID(), { texts: { en: '<b>Closed</b> <img src=x onerror=alert(1)>tonight' } })
    expect((await listAnnouncements())[0]?.text).toBe('Closed tonight')
  })

  it('survives a restart and disappears when removed', async () => {
    const id = randomUUID()
    await save(writer, id)
    await app.stop()
    app = await createTestApp(database)
    writer = await app.staff('content')
    expect(await listAnnouncements()).toHaveLength(1)
    const remove = (version: number) =>
      writer.call(staffCalls.staffRemoveAnnouncement, { params: { id }, body: { version } })
    expect((await remove(2)).body.code).toBe('changed_meanwhile')
    expect((await remove(1)).body.data).toBeNull()
    expect((await remove(1)).body.code).toBe('not_found')
    expect(await listAnnouncements()).toEqual([])
  })

  it('exists once, even when an editor sends it three times at the same time', async () => {
    const id = randomUUID()
    const outcomes = await Promise.all([save(writer, id), save(writer, id), save(writer, id)])
    expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(1)
    expect(await rows()).toHaveLength(1)
  })

  it('refuses an edit of an outdated version', async () => {
    const id = randomUUID()
    await save(writer, id)
    expect(await save(owner, id, { version: 1, tone: 'warn' })).toBe(2)
    expect(await save(writer, id, { version: 1 })).toBe('changed_meanwhile')
    expect(await listAnnouncements()).toMatchObject([{ tone: 'warn' }])
    const last = await app.ctx.db
      .selectFrom('admin_action')
      .select(['who', 'before', 'after'])
      .where('target', '=', `announcement/${id}`)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(last).toMatchObject({ who: 'owner', before: { tone: 'info' }, after: { tone: 'warn', version: 2 } })
  })
})

describe('refusals', () => {
  it.each([
    [{ link: 'javascript:alert(1)' }, 'content_link_unsafe'],
    [{ link: 'vbscript:x' }, 'content_link_unsafe'],
    [{ texts: {} }, 'announcement_text_needed'],
    [{ texts: { de: 'nur deutsch' } }, 'announcement_text_needed'],
    [{ texts: { xx: 'x', en: 'y' } }, 'language_unknown'],
    [{ texts: { en: 'x'.repeat(301) } }, 'bad_request'],
    [{ tone: 'danger' }, 'bad_request'],
    [{ from: '2026-11-21T10:00:00.000Z', until: '2026-11-21T10:00:00.000Z' }, 'period_invalid'],
    [{ version: 4 }, 'not_found'],
  ])('answers %j with %s', async (body, refusal) => {
    expect(await save(writer, randomUUID(), body)).toBe(refusal)
    expect(await rows()).toEqual([])
  })
})
