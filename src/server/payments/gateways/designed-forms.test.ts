import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import { anAnswer, anyForm } from '#test/support/any-form.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const GATEWAY = 90
const RUNS = { numRuns: 25 }
/** A valid PNG file of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp(database)
  ;({ token } = await app.verifiedUser())
})
afterAll(async () => {
  await app.stop()
})

async function design(kind: 'deposit' | 'withdraw', fields: readonly MethodField[]): Promise<void> {
  const form = JSON.stringify(fields)
  await app.ctx.db
    .insertInto('gateway')
    .values({
      id: GATEWAY,
      kind,
      name: 'By hand',
      currency: 'USD',
      min_amount: 1n,
      max_amount: 10_000n,
      fixed_charge: 0n,
      percent_charge_basis_points: 0,
      rate_millionths: 1_000_000n,
      sort: 90,
      form,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ kind, form }))
    .execute()
}

test('the values of every valid form are stored with the deposit as they were sent', async () => {
  await fc.assert(
    fc.asyncProperty(anyForm('deposit'), async (fields) => {
      await design('deposit', fields)
      const form = new FormData()
      form.set('amount', '1')
      form.set('method_id', String(GATEWAY))
      for (const field of fields) {
        const value = field.type === 'file' ? new File([PICTURE], 'a.png', { type: 'image/png' }) : anAnswer(field)
        form.set(`fields[${field.label}]`, value)
      }
      // Encodes the form as a browser does: as multipart with a boundary.
      const request = new Response(form)
      const { body } = await app.inject({
        method: 'POST',
        url: '/api/user/deposits/save',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': request.headers.get('content-type') ?? '',
        },
        payload: Buffer.from(await request.arrayBuffer()),
      })
      expect(body.message).toBe('Your deposit is waiting for approval')
      const deposit = await app.ctx.db
        .selectFrom('deposit')
        .select(['fields', 'files'])
        .orderBy('created_ms', 'desc')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      const texts = fields.filter(({ type }) => type !== 'file')
      expect(deposit.fields).toEqual(Object.fromEntries(texts.map((field) => [field.label, anAnswer(field).trim()])))
      const files = fields.filter(({ type }) => type === 'file').map(({ label }) => label)
      expect(Object.keys(deposit.files as object).toSorted()).toEqual(files.toSorted())
      app.ctx.clock.advance(1)
    }),
    RUNS,
  )
})

test('the values of every valid form are shown again after a user saved them for a withdrawal method', async () => {
  await fc.assert(
    fc.asyncProperty(anyForm('withdraw'), async (fields) => {
      await design('withdraw', fields)
      // Before any details are saved, the form must be empty.
      await app.ctx.db.deleteFrom('user_withdrawal_method').execute()
      const empty = await app.call(calls.withdrawMethod, { token, params: { id: String(GATEWAY) } })
      expect(empty.body.data.withdrawal_information.every(({ value }) => value === '')).toBe(true)
      const filledIn = Object.fromEntries(fields.map((field) => [field.label, anAnswer(field)]))
      await app.confirm(token)
      const saved = await app.call(calls.saveWithdrawMethod, {
        token,
        body: { withdraw_method_id: GATEWAY, withdrawal_information: filledIn },
      })
      expect(saved.body.code).toBeUndefined()
      const { body } = await app.call(calls.withdrawMethod, { token, params: { id: String(GATEWAY) } })
      expect(body.data.method.hasMethod).toBe(true)
      expect(body.data.withdrawal_information.map(({ label, value }) => [label, value])).toEqual(
        fields.map((field) => [field.label, anAnswer(field).trim()]),
      )
    }),
    RUNS,
  )
})
