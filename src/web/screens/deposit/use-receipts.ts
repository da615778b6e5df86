import { useState } from 'react'
import {
  type FileType,
  MAX_UPLOAD_BYTES,
  PICTURE_TYPES,
  readFileType,
  RECEIPT_TYPES,
  TELLING_BYTES,
} from '#core/uploads/file-type.ts'
import { t } from '#web/i18n/t.ts'

const MEGABYTE = 1_048_576

/** Returns the accepted file types: documents too, unless the operator wants pictures only. */
export function receiptTypes(picturesOnly: boolean): readonly FileType[] {
  return picturesOnly ? PICTURE_TYPES : RECEIPT_TYPES
}

interface Chosen {
  readonly file: File
  /** Why the file cannot be sent, checked before the request. */
  readonly problem: string | undefined
}

/**
 * Handles the files chosen in a form, by field. Each file is checked before the request, and the server checks it
 * again.
 */
export function useReceipts() {
  const [chosen, setChosen] = useState<Readonly<Record<string, Chosen | undefined>>>({})
  return {
    fileOf: (name: string) => chosen[name]?.file ?? null,
    problemOf: (name: string) => chosen[name]?.problem,
    choose: async (name: string, file: File | null, picturesOnly: boolean) => {
      const problem = file === null ? undefined : await problemOf(file, receiptTypes(picturesOnly))
      setChosen((before) => ({ ...before, [name]: file === null ? undefined : { file, problem } }))
    },
  }
}

/** Returns the limits in words: "PNG, JPEG or PDF, up to 8 MB". */
export function receiptRules(picturesOnly: boolean): string {
  return t('deposit.receipt_rules', {
    types: namesOf(receiptTypes(picturesOnly)),
    size: MAX_UPLOAD_BYTES / MEGABYTE,
  })
}

async function problemOf(file: File, types: readonly FileType[]): Promise<string | undefined> {
  if (file.size > MAX_UPLOAD_BYTES) {
    return t('refusal.file_too_large', { size: MAX_UPLOAD_BYTES / MEGABYTE })
  }
  const start = new Uint8Array(await file.slice(0, TELLING_BYTES).arrayBuffer())
  const type = readFileType(start)
  return type !== null && types.includes(type) ? undefined : t('refusal.file_type', { types: namesOf(types) })
}

function namesOf(types: readonly FileType[]): string {
  return types.map((type) => type.split('/')[1]?.toUpperCase()).join(', ')
}
