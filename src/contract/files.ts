import { z } from 'zod'

/**
 * A received file: its bytes up to the limit, and whether there were more. Its type is detected from its bytes only.
 */
export interface ReceivedFile {
  readonly bytes: Uint8Array
  readonly isCutOff: boolean
}

function isReceivedFile(value: unknown): value is ReceivedFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array
}

const BINARY = { type: 'string', format: 'binary' } as const

/** A file in a multipart body. A JSON body cannot contain a file. */
export const FileIn = z.custom<ReceivedFile>(isReceivedFile).meta(BINARY)

/** A value of a form field that staff designed: text, or a file if the form has a file field. */
export const FormValueIn = z
  .custom<string | ReceivedFile>(
    (value) => FileIn.safeParse(value).success || (typeof value === 'string' && value.length <= 500),
  )
  .meta({ oneOf: [{ type: 'string', maxLength: 500 }, BINARY] })
