import { z } from 'zod'

/** A file as it came in: its bytes up to the limit, and whether there were more. What it is, only its bytes tell. */
export interface ReceivedFile {
  readonly bytes: Uint8Array
  readonly isCutOff: boolean
}

function isReceivedFile(value: unknown): value is ReceivedFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array
}

const BINARY = { type: 'string', format: 'binary' } as const

/** A part of a multipart body that is a file. JSON cannot carry one. */
export const FileIn = z.custom<ReceivedFile>(isReceivedFile).meta(BINARY)

/** A field of a form that the operator designed: text, or a file where the form asks for one. */
export const FormValueIn = z
  .custom<string | ReceivedFile>(
    (value) => FileIn.safeParse(value).success || (typeof value === 'string' && value.length <= 500),
  )
  .meta({ oneOf: [{ type: 'string', maxLength: 500 }, BINARY] })
