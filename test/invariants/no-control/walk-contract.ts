import { z } from 'zod'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { AppSocketIn } from '#contract/live/app-socket.ts'
import { COMMANDS } from '#server/operator-cli/commands.ts'

/** An entry point that can change something. */
export interface EntryPoint {
  /** The name in the lists of `reviewed-names.ts`, e.g. `staffAnnouncePayout`, `socket newTrade` or `settings set`. */
  readonly name: string
  /** The form of a call, e.g. `/admin/terms/payout`. A method that is not `POST` precedes the path. */
  readonly written: string
  readonly who: string
  /** The names of all input fields of the entry point, at any depth. */
  readonly takes: readonly string[]
}

/** Returns every changing call of users and staff. */
export function changingCalls(): EntryPoint[] {
  return Object.entries<StaffCall | Call>({ ...calls, ...staffCalls })
    .filter(([, { method }]) => method !== 'GET')
    .map(([name, call]) => ({
      name,
      written: `${call.method} ${call.path}`.replace(/^POST /, ''),
      who: 'may' in call ? `staff: ${call.may}` : call.who,
      takes: [...new Set([call.body, call.params, call.query].flatMap(fieldsOf))],
    }))
}

/** Returns every message type of the app socket. */
export function spokenMessages(): EntryPoint[] {
  return AppSocketIn.options.map((option) => {
    const [action = ''] = option.shape.action.values
    const takes = fieldsOf('data' in option.shape ? option.shape.data : option)
    return { name: `socket ${action}`, written: action, who: 'user', takes }
  })
}

/** Returns every operator command with its arguments and options. */
export function operatorCommands(): EntryPoint[] {
  return COMMANDS.map(({ name, takes, options, effect }) => ({
    name,
    written: name,
    who: effect,
    takes: [...takes, ...Object.keys(options)],
  }))
}

/** Returns the names of all fields of a schema, at any depth. */
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
