import type { z } from 'zod'
import { normaliseValue } from '#core/text/normalise-value.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/** The parts that commands use. A running server passes its own parts, so that changes apply immediately. */
export interface AdminParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly catalogue: MarketCatalogue
  /** An absolute path. Uploaded files are stored there. */
  readonly dataDir: string
  /** Whether the key that encrypts personal data comes from the environment instead of the data folder. */
  readonly hasOwnDataKey?: boolean
  /** Copies the embedded database. Undefined for PostgreSQL. */
  readonly copyDatabase?: ((folder: string) => Promise<void>) | undefined
}

/** The result of a command: lines to print, or the reason of a refusal. */
export type Said =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly why: string }

/** An option of kind `flag` is written as `--pending`, an option of kind `words` as `--reason "some words"`. */
type OptionKind = 'flag' | 'words'

export interface CommandShape<Input extends z.ZodType> {
  /** Two words: topic and verb. */
  readonly name: `${string} ${string}`
  readonly summary: string
  /** Names of the positional arguments, in order. Each is a key of `input`. */
  readonly takes: readonly string[]
  readonly options: Readonly<Record<string, OptionKind>>
  /** The schema of all arguments by name. Its messages are printed. */
  readonly input: Input
  /** `changes`: the use case records the change itself. `looks`: the command only reads, so `runCommand` records it. */
  readonly effect: 'changes' | 'looks'
}

/** A command of the operator. It calls use cases, like the API, and contains no business rules. */
export interface Command extends CommandShape<z.ZodType> {
  /** Parses the input. Returns the function to run, or what is wrong. */
  readonly prepare: (given: unknown) => Prepared
}

export type Prepared =
  | { readonly ok: true; readonly run: (parts: AdminParts, actor: Actor) => Promise<Said> }
  | { readonly ok: false; readonly problems: readonly { readonly name: string; readonly text: string }[] }

export function defineCommand<const Input extends z.ZodType>(
  shape: CommandShape<Input> & {
    readonly run: (parts: AdminParts, input: z.output<Input>, actor: Actor) => Promise<Said>
  },
): Command {
  return {
    ...shape,
    prepare(given) {
      const read = shape.input.safeParse(normaliseValue(given), { error: problemText })
      if (read.success) return { ok: true, run: (parts, actor) => shape.run(parts, read.data, actor) }
      const problems = read.error.issues.map(({ path, message }) => ({ name: String(path[0] ?? ''), text: message }))
      return { ok: false, problems }
    },
  }
}

/**
 * Describes a problem for which the schema has no text of its own. The name of the argument is printed before the text.
 */
function problemText(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type')
    return issue.input === undefined || issue.expected !== 'number' ? 'is required' : 'must be a number'
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  const unit = 'origin' in issue && issue.origin === 'string' ? ' characters' : ''
  const verb = unit === '' ? 'be' : 'have'
  if (issue.code === 'too_small') return `must ${verb} at least ${issue.minimum}${unit}`
  if (issue.code === 'too_big') return `must ${verb} at most ${issue.maximum}${unit}`
  return 'is not valid'
}

export function said(...lines: readonly string[]): Said {
  return { ok: true, lines }
}

export function refused(why: string): Said {
  return { ok: false, why }
}
