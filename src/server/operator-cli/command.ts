import type { z } from 'zod'
import { keptValue } from '#core/text/kept-value.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/** What commands act on: in the running server its own parts, so that a change is in force at once. */
export interface AdminParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly catalogue: MarketCatalogue
  /** Absolute; where uploaded files are, among others. */
  readonly dataDir: string
  /** The key that personal data is sealed with comes from the environment, not from the data folder. */
  readonly hasOwnDataKey?: boolean
  /** Copies the embedded database; PostgreSQL has none. */
  readonly copyDatabase?: ((folder: string) => Promise<void>) | undefined
}

/** What a command has to say: lines to print, or why it did nothing. */
export type Said =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly why: string }

/** How an option is written: `--pending`, or `--reason "some words"`. */
type OptionKind = 'flag' | 'words'

export interface CommandShape<Input extends z.ZodType> {
  /** Two words: the topic and what to do. */
  readonly name: `${string} ${string}`
  readonly summary: string
  /** Names of what follows the command, in order; each is a key of `input`. */
  readonly takes: readonly string[]
  readonly options: Readonly<Record<string, OptionKind>>
  /** Everything given, by name; a problem is told with the schema's own words. */
  readonly input: Input
  /** `changes`: what it does is recorded by its use case, beside the change. `looks`: the command alone is recorded. */
  readonly effect: 'changes' | 'looks'
}

/** A command of the operator. It acts through use cases, as calls do, and decides nothing itself. */
export interface Command extends CommandShape<z.ZodType> {
  /** Reads the input; answers what to run, or what is wrong with it. */
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
      const read = shape.input.safeParse(keptValue(given))
      if (read.success) return { ok: true, run: (parts, actor) => shape.run(parts, read.data, actor) }
      const problems = read.error.issues.map(({ path, message }) => ({ name: String(path[0] ?? ''), text: message }))
      return { ok: false, problems }
    },
  }
}

export function said(...lines: readonly string[]): Said {
  return { ok: true, lines }
}

export function refused(why: string): Said {
  return { ok: false, why }
}
