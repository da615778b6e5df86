import { z } from 'zod'
import { readStaffNumber } from '#core/money/staff-number.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { Name } from '#server/operator-cli/inputs.ts'
import { table } from '#server/operator-cli/table.ts'
import { changeSetting } from '#server/settings/change-setting.ts'
import { isAmountSetting } from '#server/settings/typed-numbers.ts'
import { listSettings } from '#server/settings/list-settings.ts'

const MAX_JSON_LENGTH = 20_000

/** A number such as 1e3. JSON allows it, but as an amount it is more likely a mistake. */
const EXPONENT = /^\s*[-+]?[\p{Nd}.,]+e[-+]?\p{Nd}+\s*$/iu

const Json = z
  .string('is required')
  .max(MAX_JSON_LENGTH, 'is too long')
  .transform((text, context): { readonly value: unknown; readonly number: string | null } => {
    if (EXPONENT.test(text)) {
      context.addIssue('is a number with an exponent: write all its digits, such as 1500.00')
      return z.NEVER
    }
    const number = readStaffNumber(text)
    if (number !== null) return { value: number, number: text }
    try {
      return { value: JSON.parse(text), number: null }
    } catch {
      // Parsing is the only way to detect invalid JSON.
      context.addIssue(`is not JSON: write true, 12, '"some words"' or '["a","b"]'`)
      return z.NEVER
    }
  })

/** The explanation of each refusal to close withdrawals, by refusal code. */
const CLOSING: Readonly<Record<string, string>> = {
  reason_public: 'Set withdraw_reason first: users read it, and it has at least 20 letters.',
  until_needed: 'Set withdrawals_closed_until first: when they open again, at most 72 hours from now.',
  closed_lately: 'Withdrawals were closed within the last 14 days.',
}

export const settingsCommands: readonly Command[] = [
  defineCommand({
    name: 'settings list',
    summary: 'Lists every setting with its current value.',
    takes: [],
    options: {},
    input: z.object({}),
    effect: 'looks',
    run: async ({ ctx }) => {
      const listed = await listSettings(ctx.db, ctx.now())
      return said(
        ...table(
          ['Setting', 'Value'],
          listed.map(({ key, value }) => [key, JSON.stringify(value)]),
        ),
      )
    },
  }),
  defineCommand({
    name: 'settings set',
    summary: 'Changes a setting. The value is JSON. Takes effect immediately.',
    takes: ['key', 'json'],
    options: {},
    input: z.object({ key: Name, json: Json }),
    effect: 'changes',
    run: async ({ ctx, settings }, { key, json }, actor) => {
      const value = json.number !== null && isAmountSetting(key) ? json.number : json.value
      const done = await changeSetting(ctx, settings, { key, value, actor })
      if (done.ok) {
        const { before, after } = done.value
        return said(
          `${key} is ${JSON.stringify(after)}${before === undefined ? '' : `, was ${JSON.stringify(before)}`}.`,
        )
      }
      if (done.refusal === 'second_person_needed')
        return refused(
          `${key} takes two people. Change it in the back office, where a second person agrees. Nothing was changed.`,
        )
      if (done.refusal === 'setting_unknown') return refused(`The setting ${key} does not exist. See: settings list`)
      const closing = CLOSING[done.refusal]
      if (closing !== undefined) return refused(`${closing} Nothing was changed.`)
      return refused(`${done.params?.['why'] ?? 'The value is not valid.'} Nothing was changed.`)
    },
  }),
]
