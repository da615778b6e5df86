import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { readConfig } from '#server/app/config/config.ts'
import { openVault } from '#server/platform/encryption/data-keys.ts'
import { rotateEncryptionKey } from '#server/operator-cli/rotate-encryption-key.ts'
import {
  detailsFingerprint,
  openDetails,
  savedDetailsPlace,
  staffSecretPlace,
  withdrawalPlace,
} from '#server/platform/encryption/sealed-details.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { afterRead } from '#test/support/after-read.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const random = (count: number) => new Uint8Array(randomBytes(count))
const key = (fill: number) => new Uint8Array(32).fill(fill)

describe('the vault', () => {
  const vault = createVault([key(1)], random)

  it('AC13: decrypts a text only in the place for which it was encrypted', () => {
    const sealed = vault.encrypt('a secret · ü', 'staff 1')
    expect(sealed).not.toContain('secret')
    expect(vault.encrypt('a secret · ü', 'staff 1')).not.toBe(sealed)
    expect(vault.decrypt(sealed, 'staff 1')).toBe('a secret · ü')
    expect(() => vault.decrypt(sealed, 'staff 2')).toThrow('authenticate')
  })

  it('rejects a text that was changed, cut, or encrypted with an unknown key', () => {
    const sealed = vault.encrypt('x', 'p')
    const [scheme, name, body = ''] = sealed.split('.')
    const flipped = `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`
    for (const bad of [`${scheme}.${name}.${flipped}`, sealed.slice(0, -4), `${scheme}.${name}.`, 'x', '']) {
      expect(() => vault.decrypt(bad, 'p'), bad).toThrow(/./)
    }
    expect(() => createVault([key(2)], random).decrypt(sealed, 'p')).toThrow('cannot decrypt')
  })

  it('decrypts with each known key and encrypts with the first key', () => {
    const old = vault.encrypt('x', 'p')
    const both = createVault([key(2), key(1)], random)
    expect([both.decrypt(old, 'p'), both.isCurrent(old), both.isCurrent(both.encrypt('x', 'p'))]).toEqual([
      'x',
      false,
      true,
    ])
  })

  it('returns equal fingerprints for equal texts, and different fingerprints with another key', () => {
    const print = (by: number, text: string) =>
      Buffer.from(createVault([key(by)], random).fingerprint(text)).toString('hex')
    expect(print(1, 'a')).toBe(print(1, 'a'))
    expect(new Set([print(1, 'a'), print(1, 'b'), print(2, 'a')]).size).toBe(3)
    const prints = createVault([key(2), key(1)], random).fingerprints('a')
    expect(prints.map((one) => Buffer.from(one).toString('hex'))).toEqual([print(2, 'a'), print(1, 'a')])
  })
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the encryption key', () => {
  it('a new key is stored with the data, and no other operating-system user can read it', () => {
    const sealed = openVault(folder, undefined, random).encrypt('x', 'p')
    expect(openVault(folder, undefined, random).decrypt(sealed, 'p')).toBe('x')
    expect(statSync(join(folder, 'data-keys.json')).mode & 0o077).toBe(0)
  })

  it('an unreadable key file is never replaced', () => {
    writeFileSync(join(folder, 'data-keys.json'), '["broken"]')
    expect(() => openVault(folder, undefined, random)).toThrow('personal data')
  })

  it('AC13: is required in live mode, and must be valid', () => {
    const given = Buffer.from(key(3)).toString('base64url')
    expect(() => readConfig({ FAIRWICK_MODE: 'live' })).toThrow('live mode needs FAIRWICK_DATA_KEY')
    expect(() => readConfig({ FAIRWICK_DATA_KEY: given.slice(1) })).toThrow('FAIRWICK_DATA_KEY must be 32 bytes')
    expect(readConfig({ FAIRWICK_DATA_KEY: `${given},${given}` }).dataKey).toContain(given)
  })
})

const BANK = 101
const PIN = '042713'
const DETAILS = { 'Account holder': 'Alice Ames', Bank: 'First', 'Account number or IBAN': 'DE89 3704 0044 0532' }

describe('encrypted data in the database', () => {
  const database = useTestDatabase()
  let app: TestApp
  let user: TestUser
  beforeEach(async () => {
    app = await createTestApp(database)
    user = await app.verifiedUser('alice')
    const { token } = user
    await app.call(calls.saveDeposit, { token, body: { amount: 9_000, method_id: 1 } })
    await app.setPin(token, PIN)
    await app.call(calls.saveWithdrawMethod, {
      token,
      body: { withdraw_method_id: BANK, withdrawal_information: DETAILS },
    })
    await app.endPauses()
    await app.call(calls.saveWithdrawal, { token, body: { amount: 100, method_id: BANK, withdrawal_code: PIN } })
  })
  afterEach(() => app.stop())

  const stored = async () => ({
    staff: await app.ctx.db.selectFrom('staff').select(['id', 'totp_secret']).orderBy('name').execute(),
    saved: await app.ctx.db
      .selectFrom('user_withdrawal_method')
      .selectAll()
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow(),
    withdrawal: await app.ctx.db.selectFrom('withdrawal').selectAll().executeTakeFirstOrThrow(),
  })
  const opened = async () => {
    const { staff, saved, withdrawal } = await stored()
    const { vault } = app.ctx
    return [
      staff.map(({ id, totp_secret: secret }) => vault.decrypt(secret ?? '', staffSecretPlace(id))),
      openDetails(vault, saved.details, savedDetailsPlace(user.id, BANK)),
      openDetails(vault, withdrawal.details, withdrawalPlace(user.id, withdrawal.id)),
    ]
  }

  it('AC13: reveals neither payout details nor second-step secrets', async () => {
    const rows = await stored()
    const text = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).not.toMatch(/Alice|DE89|IBAN/)
    for (const { totp_secret: secret } of rows.staff) expect(secret).toMatch(/^sealed1\.[0-9a-f]{12}\./)
  })

  it('AC13: is re-encrypted with a new key by one command, which deletes the old key', async () => {
    const vault = openVault(folder, undefined, random)
    const before = await opened()
    const old = app.ctx.vault.keyNames
    // Stores in the folder the key with which the test app encrypted its data.
    writeFileSync(join(folder, 'data-keys.json'), JSON.stringify([Buffer.from(key(7)).toString('base64url')]))
    const { exitCode, lines } = await runCommand({ ...app, dataDir: folder }, ['secrets', 'rotate'], 'operator')
    expect([exitCode, lines.join(' ')]).toEqual([0, expect.stringMatching(/^\d+ rows were encrypted again/)])
    expect(await opened()).toEqual(before)
    expect(app.ctx.vault.keyNames).toHaveLength(1)
    expect(old).not.toContain(app.ctx.vault.keyName)
    expect(vault.keyNames).not.toContain(app.ctx.vault.keyName)
    const { withdrawal } = await stored()
    expect(() =>
      createVault([key(7)], random).decrypt(String(withdrawal.details), withdrawalPlace(user.id, withdrawal.id)),
    ).toThrow('cannot decrypt')
    expect(readFileSync(join(folder, 'data-keys.json'), 'utf8')).not.toContain(
      Buffer.from(key(7)).toString('base64url'),
    )
    // Staff can still log in.
    expect((await app.staff('owner')).name).toBe('owner')
  })

  it('includes rows that were stored unencrypted: the start of a server encrypts them', async () => {
    const before = await opened()
    const { staff, withdrawal } = await stored()
    const { db } = app.ctx
    const [secrets, saved, requestDetails] = before as [string[], object, object]
    await db
      .updateTable('user_withdrawal_method')
      .set({ details: JSON.stringify(saved) })
      .where('user_id', '=', user.id)
      .execute()
    await db
      .updateTable('withdrawal')
      .set({ details: JSON.stringify(requestDetails) })
      .execute()
    await db
      .updateTable('staff')
      .set({ totp_secret: secrets[0] ?? '' })
      .where('id', '=', staff[0]!.id)
      .execute()
    expect(await rotateEncryptionKey(app.ctx, 'unsealed')).toBe(3)
    expect(await opened()).toEqual(before)
    expect((await stored()).withdrawal.destination).toEqual(withdrawal.destination)
    expect(await rotateEncryptionKey(app.ctx, 'unsealed')).toBe(0)
  })

  it('includes destinations of an earlier version, which the start of a server computes again', async () => {
    const { withdrawal } = await stored()
    const old = detailsFingerprint(app.ctx.vault, BANK, DETAILS)
    await app.ctx.db.updateTable('withdrawal').set({ destination: old }).execute()
    expect(await rotateEncryptionKey(app.ctx, 'unsealed')).toBe(1)
    expect((await stored()).withdrawal.destination).toEqual(withdrawal.destination)
    expect(await rotateEncryptionKey(app.ctx, 'unsealed')).toBe(0)
  })

  it('leaves the payment details erased of a user who is erased while the key changes', async () => {
    const erase = () =>
      database.asOwner((db) => sql`update withdrawal set details = '{}', destination = null`.execute(db))
    const db = afterRead(app.ctx.db, 'withdrawal', erase)
    app.ctx.vault.useKeys([key(9), key(7)])
    await rotateEncryptionKey({ db, vault: app.ctx.vault }, 'not-newest')
    expect((await stored()).withdrawal).toMatchObject({ details: {}, destination: null })
    // A later change of the key has nothing to encrypt there.
    await rotateEncryptionKey(app.ctx, 'not-newest')
    expect((await stored()).withdrawal).toMatchObject({ details: {}, destination: null })
  })
})
