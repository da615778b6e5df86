import type { Ctx } from '#server/platform/context/context.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'

export interface ExportParts {
  readonly ctx: Ctx
  readonly uploads: Pick<Uploads, 'read'>
  readonly catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>
  readonly settings: Pick<Settings, 'current'>
}

/** The user whose data is copied, and the language of the README. */
export interface Subject {
  readonly userId: string
  readonly language: Language
}

/** The result of one step of making a file. A step with empty content stores nothing. */
export interface Step {
  readonly content: string | Uint8Array
  /** Replaces the name of the file when one source makes several files. */
  readonly name?: string
  /** The place where the next step starts. Null when the file is complete. */
  readonly next: string | null
}

/**
 * A file of a data copy, made step by step. A step depends only on `place`, so that another server can repeat it after
 * a crash.
 */
export interface DataFile {
  readonly name: string
  step(parts: ExportParts, subject: Subject, place: string | null): Promise<Step>
}

/** The schema version of all files. It must increase when a column changes its meaning or is removed. */
export const SCHEMA = 1

/** A JSON file that is made in one step. The file extension is added to its name. */
export function jsonFile(name: string, read: (parts: ExportParts, subject: Subject) => Promise<object>): DataFile {
  return {
    name: `${name}.json`,
    step: async (parts, subject) => ({
      content: `${JSON.stringify({ schema: SCHEMA, ...(await read(parts, subject)) }, null, 2)}\n`,
      next: null,
    }),
  }
}
