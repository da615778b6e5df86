import { z } from 'zod'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { AppSocketIn } from '#contract/live/app-socket.ts'
import { COMMANDS } from '#server/operator-cli/commands.ts'

/** Something that can be asked to change something. */
export interface Door {
  /** As the review calls it: `adminAnnouncePayout`, `socket newTrade`, `settings set`. */
  readonly name: string
  /** As it is made: `POST /admin/terms/payout`. */
  readonly written: string
  readonly who: string
  /** Everything it takes, at any depth. */
  readonly takes: readonly string[]
}

/** Every call that changes something, of users and of staff. */
export function changingCalls(): Door[] {
  return Object.entries<StaffCall | Call>({ ...calls, ...staffCalls })
    .filter(([, { method }]) => method !== 'GET')
    .map(([name, call]) => ({
      name,
      written: `${call.method} ${call.path}`,
      who: 'may' in call ? `staff: ${call.may}` : call.who,
      takes: [...new Set([call.body, call.params, call.query].flatMap(fieldsOf))],
    }))
}

/** Everything that can be said on the socket of the app. */
export function spokenMessages(): Door[] {
  return AppSocketIn.options.map((option) => {
    const [action = ''] = option.shape.action.values
    const takes = fieldsOf('data' in option.shape ? option.shape.data : option)
    return { name: `socket ${action}`, written: action, who: 'user', takes }
  })
}

/** Every command of the operator, with its words and options. */
export function operatorCommands(): Door[] {
  return COMMANDS.map(({ name, takes, options, effect }) => ({
    name,
    written: name,
    who: effect,
    takes: [...takes, ...Object.keys(options)],
  }))
}

/** Names of everything a schema takes, at any depth. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  return [...namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))]
}

function* namesIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const one of node) yield* namesIn(one)
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties' && typeof value === 'object' && value !== null) yield* Object.keys(value)
    yield* namesIn(value)
  }
}
