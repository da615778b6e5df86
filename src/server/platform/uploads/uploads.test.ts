import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'
import type { Purpose } from '#server/platform/uploads/uploads.queries.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let dataDir: string
let userId: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fairwick-uploads-'))
  app = await createTestApp(database, { environment: { FAIRWICK_DATA_DIR: dataDir } })
  ;({ id: userId } = await app.signUp('alice'))
})
afterEach(async () => {
  await app.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const files = () => (existsSync(join(dataDir, 'uploads')) ? readdirSync(join(dataDir, 'uploads')) : [])
const store = (bytes: Uint8Array, purpose: Purpose = 'receipt', isCutOff = false) =>
  app.uploads.store({ userId, file: { bytes, isCutOff }, purpose })
const storedName = async (bytes: Uint8Array, purpose: Purpose = 'receipt') => {
  const stored = await store(bytes, purpose)
  if (!stored.ok) throw new Error(stored.refusal)
  return stored.value
}
const picture = (format: 'jpeg' | 'png' | 'webp', width = 40, height = 20) =>
  sharp({ create: { width, height, channels: 3, background: '#c63' } })
    .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
    .toFormat(format)
    .toBuffer()
const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

describe('AT31: an uploaded picture', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('in %s format is re-encoded without any other content', async (format) => {
    const name = await storedName(await picture(format))
    expect(name).toMatch(/^[0-9a-f]{32}\.webp$/)
    const upload = await app.uploads.read(name, 'receipt')
    expect(upload?.mediaType).toBe('image/webp')
    const metadata = await sharp(upload?.bytes).metadata()
    expect([metadata.width, metadata.height, metadata.exif]).toEqual([40, 20, undefined])
    expect(Buffer.from(upload?.bytes ?? []).includes('Somebody')).toBe(false)
    expect(statSync(join(dataDir, 'uploads', name)).mode & 0o777).toBe(0o600)
  })

  it('the server turns a picture upright and resizes it for its purpose', async () => {
    const lying = await sharp(await picture('jpeg', 1_200, 600))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const upload = await app.uploads.read(await storedName(lying, 'profile'), 'profile')
    const { width, height } = await sharp(upload?.bytes).metadata()
    expect([width, height]).toEqual([256, 512])
  })

  it('the server refuses a damaged picture', async () => {
    const whole = await picture('jpeg', 400, 400)
    expect(await store(whole.subarray(0, whole.length / 2))).toMatchObject({ refusal: 'file_unreadable' })
    expect(await store(Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), Buffer.alloc(50)]))).toMatchObject({
      refusal: 'file_unreadable',
    })
  })

  it('the server refuses a few bytes that claim a huge number of pixels', async () => {
    expect(await store(pixelBomb(30_000, 30_000))).toMatchObject({ refusal: 'picture_too_large' })
  })
})

it('keeps a PDF unchanged, for receipts only', async () => {
  const name = await storedName(pdf)
  expect(name).toMatch(/\.pdf$/)
  expect(Buffer.from((await app.uploads.read(name, 'receipt'))?.bytes ?? []).equals(pdf)).toBe(true)
  expect(await store(pdf, 'profile')).toMatchObject({ refusal: 'file_type', params: { types: 'JPEG, PNG, WEBP' } })
})

it.each([
  ['a page', Buffer.from('<html><script>alert(1)</script>')],
  ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['a program', Buffer.from('MZ\x90\x00')],
  ['nothing', Buffer.alloc(0)],
])('AT31: refuses %s', async (_, bytes) => {
  expect(await store(bytes)).toMatchObject({ refusal: 'file_type' })
  expect(files()).toEqual([])
})

it('AT31: refuses a file that is too large', async () => {
  expect(await store(pdf, 'receipt', true)).toMatchObject({ refusal: 'file_too_large', params: { size: 8 } })
  expect(await store(Buffer.alloc(MAX_UPLOAD_BYTES + 1))).toMatchObject({ refusal: 'file_too_large' })
})

describe('AT32: unused uploads', () => {
  const claim = (name: string) => app.ctx.db.transaction().execute((tx) => app.uploads.claim(tx, userId, name))

  it('the server deletes unused uploads after an hour, and keeps used uploads', async () => {
    const used = await storedName(pdf)
    const unused = await storedName(pdf)
    const released = await storedName(pdf)
    await claim(used)
    await claim(released)
    await app.ctx.db.transaction().execute((tx) => app.uploads.release(tx, userId, released))
    await app.uploads.sweep()
    expect(files()).toHaveLength(3)
    app.ctx.clock.advance(3_600_001)
    await app.uploads.sweep()
    expect(files()).toEqual([used])
    await expect(claim(unused)).rejects.toThrow(/deleted before/)
  })

  it('include remains of an interrupted write', async () => {
    const used = await storedName(pdf)
    await claim(used)
    const left = join(dataDir, 'uploads', `${'a'.repeat(32)}.pdf.part`)
    writeFileSync(left, 'half')
    for (const file of [left, join(dataDir, 'uploads', used)]) utimesSync(file, 1_000, 1_000)
    await app.uploads.sweep()
    expect(files()).toEqual([used])
  })
})

describe('AT31: uploads over HTTP', () => {
  const ask = (name: string) => app.http.inject({ url: `/images/users/${name}` })

  it('serve profile pictures to anyone with their name, without active content', async () => {
    const { statusCode, headers, rawPayload } = await ask(await storedName(await picture('png'), 'profile'))
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await sharp(rawPayload).metadata()).format).toBe('webp')
  })

  it('serve no receipts and no invalid names', async () => {
    const names = [await storedName(await picture('png')), await storedName(pdf), `${'0'.repeat(32)}.webp`]
    for (const name of [...names, '..%2f..%2fetc%2fpasswd', 'x.webp', '..']) {
      expect((await ask(name)).statusCode).toBe(404)
    }
  })
})

/** A PNG of a few kilobytes whose header claims a huge number of pixels of one colour. */
function pixelBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(100_000))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
