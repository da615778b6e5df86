import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { normaliseLine } from '#core/text/normalise-text.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { formBudget } from '#server/platform/http/form-budget.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import type { TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BANK = 2
const HOLDER = 'Name of the account holder'

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let dataDir: string
let alice: TestUser
let support: StaffSession
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fairwick-attack-files-'))
  bench = await openAttackBench(database, { environment: { FAIRWICK_DATA_DIR: dataDir } })
  alice = await bench.funded(1_000, 'alice')
  support = await bench.app.staff('support')
})
afterAll(async () => {
  await bench.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const folder = () => join(dataDir, 'uploads')
const storedFiles = () => (existsSync(folder()) ? readdirSync(folder()) : [])

/** Builds a form like a browser, with a file whose name and type the attacker chooses. */
function form(file: Buffer, { name = 'receipt.png', type = 'image/png' } = {}): Buffer {
  const fields = [
    ['amount', '100'],
    ['method_id', String(BANK)],
    [`fields[${HOLDER}]`, 'Alice'],
  ]
  const texts = fields.map(
    ([field, value]) => `--cut\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `--cut\r\nContent-Disposition: form-data; name="fields[Receipt]"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return Buffer.concat([Buffer.from(texts.join('') + head), file, Buffer.from('\r\n--cut--\r\n')])
}
const send = (file: Buffer, says: { name?: string; type?: string } = {}, { token } = alice) =>
  bench.app.inject({
    method: 'POST',
    url: '/api/user/deposits/save',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=cut' },
    payload: form(file, says),
  })

const png = () => sharp({ create: { width: 9, height: 9, channels: 3, background: '#c63' } }).png()

describe('AT31: a proof of payment', () => {
  it.each<[string, Buffer, { name?: string; type?: string }?]>([
    ['that is a program of a web server', Buffer.from('<?php system($_GET[0]); ?>'), { name: 'x.php.png' }],
    [
      'that is a picture and a script',
      Buffer.from('GIF89a/*\x00\x00*/=1;alert(1)//'),
      { name: 'x.gif', type: 'image/gif' },
    ],
    [
      'that is a drawing with a script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['that is a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['that is an archive', Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaa', 'latin1')],
    ['that trips virus scanners', Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*')],
    ['of 50 MB', Buffer.alloc(50 * 1_048_576)],
  ])('refuses %s under any name and stores nothing', async (_, file, says) => {
    const { status, body } = await send(file, says)
    expect([413, 422]).toContain(status)
    expect(['file_type', 'file_too_large', 'file_unreadable', 'bad_request']).toContain(body.code)
    expect(storedFiles()).toEqual([])
  })

  it('a proof of payment gets a new name and encoding, and only permitted roles see it, in a sandbox', async () => {
    const names = [
      '../../../etc/passwd',
      '..\\..\\x.exe',
      'a\u0000.png',
      `${'n'.repeat(300)}.png`,
      'gnp.\u202Eexe',
      'x.php',
    ]
    const tail = Buffer.from('<script>alert(1)</script>')
    const picture = await png()
      .withExif({
        IFD0: { Copyright: 'somebody at home' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .toBuffer()
    const bob = await bench.funded(1_000)
    for (const name of names) expect((await send(Buffer.concat([picture, tail]), { name }, bob)).status).toBe(200)
    expect(storedFiles()).toHaveLength(names.length)
    for (const name of storedFiles()) {
      expect(name).toMatch(/^[0-9a-f]{32}\.webp$/)
      const { status, headers, text } = await support.read(`/admin/uploads/${name}`)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-store',
      })
      expect(text).not.toMatch(/script|somebody at home|GPS/)
      expect(
        (
          await bench.app.inject({
            url: `/api/admin/uploads/${name}`,
            headers: { authorization: `Bearer ${bob.token}` },
          })
        ).status,
      ).toBe(401)
      expect((await bench.app.inject({ url: `/images/users/${name}` })).status).toBe(404)
    }
  })

  it('a document with a script can be downloaded but not shown', async () => {
    const carol = await bench.funded(1_000)
    const document = Buffer.from(
      '%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF\n',
    )
    expect((await send(document, { name: 'x.pdf', type: 'text/html' }, carol)).status).toBe(200)
    const [name] = storedFiles().filter((file) => file.endsWith('.pdf'))
    const { headers } = await support.read(`/admin/uploads/${name}`)
    expect(headers).toMatchObject({ 'content-disposition': 'attachment', 'x-content-type-options': 'nosniff' })
  })
})

describe('AT32: files', () => {
  it('each account has a daily limit of files', async () => {
    const dave = await bench.funded(1_000)
    const file = await png().toBuffer()
    const before = storedFiles().length
    const codes: (string | undefined)[] = []
    for (let turn = 0; turn < 60; turn += 1) codes.push((await send(file, {}, dave)).body.code)
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(30)
    expect(storedFiles()).toHaveLength(before + 30)
  })

  it('a file that is truncated or longer than declared leaves nothing behind', async () => {
    const before = storedFiles().length
    const whole = form(await png().toBuffer())
    for (const length of [whole.length + 5_000, 10]) {
      const line = connectTcp(bench.port, '127.0.0.1')
      line.on('error', () => {})
      const head = [
        'POST /api/user/deposits/save HTTP/1.1',
        'Host: 127.0.0.1',
        'Connection: close',
        `Authorization: Bearer ${alice.token}`,
        'Content-Type: multipart/form-data; boundary=cut',
        `Content-Length: ${length}`,
      ]
      line.write(`${head.join('\r\n')}\r\n\r\n`)
      line.write(whole.subarray(0, -20))
      await new Promise((resolve) => setTimeout(resolve, 50))
      line.destroy()
    }
    await bench.until(() => formBudget.heldBytes === 0)
    bench.app.ctx.clock.advance(HOUR_MS + 1)
    await bench.app.uploads.sweep()
    expect(storedFiles()).toHaveLength(before)
  })
})

describe('AT34: names, notes and texts', () => {
  const EVIL = [
    '<img src=x onerror=alert(1)>',
    '=cmd|"/c calc"!A1',
    'line\r\n{"level":50,"msg":"forged"}',
    '\u202Eevil',
    '🙂'.repeat(120),
  ]

  it('the server refuses a hostile name, or stores it as normalised plain text', async () => {
    await bench.app.confirm(alice.token)
    for (const firstname of EVIL) {
      const { status, body } = await bench.app.call(calls.saveProfile, {
        token: alice.token,
        body: { username: 'alice', country_code: 'DE', mobile: '15551234567', firstname },
      })
      expect([200, 422]).toContain(status)
      if (status === 200) expect(body.data.user.firstname).toBe(normaliseLine(firstname))
    }
  })

  it('a note that looks like a formula becomes a cell without a formula in an export', async () => {
    const owner = await bench.app.staff('owner')
    for (const note of EVIL)
      await owner.call(staffCalls.staffAddUserNote, { params: { id: alice.id }, body: { text: note } })
    const { text } = await owner.read(`/admin/users/${alice.id}/notes.csv`)
    for (const cell of text.split(/,|\r\n/)) expect(cell.replace(/^"/, '')).not.toMatch(/^[=+@\t]/)
  })
})
