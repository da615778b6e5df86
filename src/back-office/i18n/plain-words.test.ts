import { VOID_REASONS } from '#core/orders/order.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { areaOf, type StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import { TRANSFER_KINDS } from '#core/ledger/transfer-kinds.ts'
import { fieldLabel, hasFieldLabel } from '#messages/back-office/field-label.ts'
import {
  accountName,
  actionName,
  areaName,
  hasActionName,
  movement,
  transferName,
  voidReason,
} from '#back-office/i18n/plain-words.ts'
import { COMMANDS } from '#server/operator-cli/commands.ts'

const CALLS: readonly StaffCall[] = Object.values(staffCalls)
/** Matches names from the code: a path with a parameter, an underscore, or a colon between letters. */
const RAW = /[a-z]_[a-z]|:[a-z]|\/:/

describe('F76: names of the ledger and the audit log in plain English', () => {
  it.each([...USER_ACCOUNTS, ...HOUSE_ACCOUNTS])('F76: the account %s has a plain name', (account) => {
    expect(accountName(account)).not.toMatch(RAW)
    expect(accountName(account)).not.toContain('Unknown')
  })

  it('F76: a transfer between two accounts has a plain name', () => {
    expect(movement('house:trading', 'cash')).toBe('House: trading → User: available')
  })

  it.each(Object.keys(TRANSFER_KINDS))('F76: the transfer kind %s has a plain name', (kind) => {
    expect(transferName(kind)).not.toMatch(RAW)
    expect(transferName(kind)).not.toContain(kind)
  })

  it('F76: an unknown transfer kind is shown as a transfer with its code', () => {
    expect(transferName('order_profit')).toBe('Profit of an order')
    expect(transferName('something_new')).toBe('Other transfer (something_new)')
  })

  it.each(VOID_REASONS)('F76: the void reason %s has a plain name', (reason) => {
    expect(voidReason(reason)).toMatch(/^[A-Z][^_]+\.$/)
  })

  const actions = [
    ...CALLS.filter(({ method, changesNothing }) => method !== 'GET' && changesNothing !== true).map(({ path }) =>
      path.slice('/admin/'.length),
    ),
    ...COMMANDS.map(({ name }) => name),
    'export',
  ]
  it.each(actions)('F76: the action %s has a plain name', (what) => {
    expect(hasActionName(what)).toBe(true)
    expect(actionName(what)).not.toMatch(RAW)
  })

  it.each([...new Set(CALLS.map(areaOf))].filter((area) => area !== 'me'))(
    'F76: the area %s has a plain name',
    (area) => {
      expect(areaName(area)).toMatch(/^[A-Z]/)
    },
  )
})

describe('F75: every field that a form sends has a label', () => {
  const fields = [...new Set(CALLS.flatMap(({ body }) => fieldsOf(body)))]
  it.each(fields)('F75: the field %s has a label', (field) => {
    expect(hasFieldLabel(field)).toBe(true)
    expect(fieldLabel(field)).not.toMatch(RAW)
  })

  it('F75: spells out the name of a field without a label', () => {
    expect(fieldLabel('some_new_field')).toBe('Some new field')
    expect(fieldLabel('text (Deutsch)')).toBe('Text (Deutsch)')
    expect(fieldLabel('maxTickAgeMs')).toBe(fieldLabel('max_tick_age_ms'))
  })
})

function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}
