import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { UserOut } from '#contract/profile.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let dataDir: string
let alice: TestUser
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fairwick-pictures-'))
  app = await createTestApp(database, { environment: { FAIRWICK_DATA_DIR: dataDir } })
  alice = await app.verifiedUser('alice')
})
afterEach(async () => {
  await app.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const png = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#c63' } })
    .png()
    .toBuffer()

/** Sends a form as a browser does. */
async function send(parts: Readonly<Record<string, Blob | string>>, token = alice.token) {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) form.append(name, part)
  const encoded = new Response(form)
  const { status, body } = await app.inject({
    method: 'POST',
    url: '/api/user/profile/image',
    headers: { authorization: `Bearer ${token}`, 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status, body: body as Partial<Omit<typeof body, 'data'>> & { data?: { user: UserOut } } }
}
const picture = async (side = 40) => ({
  profile_image: new Blob([new Uint8Array(await png(side))], { type: 'image/png' }),
})
const fetchPicture = (path: string) => app.http.inject({ method: 'GET', url: path })
const pathOf = async () => (await app.call(calls.profile, { token: alice.token })).body.data.user.image_path

it('CA8, AT32: stores a picture and serves it to every caller who knows its name', async () => {
  expect(await pathOf()).toBeNull()
  const { status, body } = await send(await picture(900))
  expect([status, body.message]).toEqual([200, 'Photo uploaded successfully'])
  const path = await pathOf()
  expect(path).toMatch(/^\/images\/users\/[0-9a-f]{32}\.webp$/)
  expect(body.data?.user.image_path).toBe(path)
  const shown = await fetchPicture(path ?? '')
  expect(shown.statusCode).toBe(200)
  expect(shown.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' })
  expect(shown.headers['cache-control']).toContain('immutable')
  expect((await sharp(shown.rawPayload).metadata()).width).toBe(512)
})

it('AT32: replaces the picture and deletes the earlier one', async () => {
  await send(await picture(40))
  const old = (await pathOf()) ?? ''
  await send(await picture(50))
  const next = (await pathOf()) ?? ''
  expect(next).not.toBe(old)
  app.ctx.clock.advance(3 * HOUR_MS)
  await app.uploads.sweep()
  expect((await fetchPicture(old)).statusCode).toBe(404)
  expect((await fetchPicture(next)).statusCode).toBe(200)
})

it('AT32: deletes the picture on request, and accepts a repeated request', async () => {
  await send(await picture())
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await app.call(calls.removeProfileImage, { token: alice.token })
    expect([status, body.data.user.image_path]).toEqual([200, null])
  }
})

it.each([
  ['nothing', () => ({}), 'bad_request', 'Photo is Required'],
  ['text', () => ({ profile_image: 'hello' }), 'bad_request', 'Photo is not valid'],
  ['a page', () => ({ profile_image: new Blob(['<script>'], { type: 'image/png' }) }), 'file_type', 'type of file'],
  ['a PDF', () => ({ profile_image: new Blob(['%PDF-1.7 '], { type: 'image/png' }) }), 'file_type', 'type of file'],
  ['half a picture', () => ({ profile_image: new Blob(['\u0089PNG\r\n']) }), 'file_type', 'type of file'],
] as const)('AT32: refuses %s and changes nothing', async (_, parts, code, text) => {
  await send(await picture())
  const before = await pathOf()
  const { status, body } = await send(parts())
  expect([status, body.code]).toEqual([422, code])
  expect(body.errors?.['profile_image']?.[0]).toContain(text)
  expect(await pathOf()).toBe(before)
})

it('AT32: requires a verified account', async () => {
  const newcomer = await app.signUp('newcomer')
  expect((await send(await picture(), newcomer.token)).body.code).toBe('not_verified')
  expect((await send(await picture(), 'nobody')).status).toBe(401)
})
