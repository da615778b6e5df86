import { useState } from 'react'
import {
  type FileType,
  LARGEST_UPLOAD_BYTES,
  PICTURE_TYPES,
  readFileType,
  RECEIPT_TYPES,
  TELLING_BYTES,
} from '#core/uploads/file-type.ts'
import { t } from '#web/i18n/t.ts'

const MEGABYTE = 1_048_576

/** What may be chosen: documents too, unless the operator wants pictures. */
export function receiptTypes(picturesOnly: boolean): readonly FileType[] {
  return picturesOnly ? PICTURE_TYPES : RECEIPT_TYPES
}

interface Chosen {
  readonly file: File
  /** Why it cannot be sent, found out before it is. */
  readonly problem: string | undefined
}

/** The files chosen in a form, by field, each looked at before anything is sent. The server looks again. */
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

/** "PNG, JPEG or PDF, up to 8 MB": the limits in words. */
export function receiptRules(picturesOnly: boolean): string {
  return t('deposit.receipt_rules', {
    types: namesOf(receiptTypes(picturesOnly)),
    size: LARGEST_UPLOAD_BYTES / MEGABYTE,
  })
}

async function problemOf(file: File, types: readonly FileType[]): Promise<string | undefined> {
  if (file.size > LARGEST_UPLOAD_BYTES) {
    return t('refusal.file_too_large', { size: LARGEST_UPLOAD_BYTES / MEGABYTE })
  }
  const start = new Uint8Array(await file.slice(0, TELLING_BYTES).arrayBuffer())
  const type = readFileType(start)
  return type !== null && types.includes(type) ? undefined : t('refusal.file_type', { types: namesOf(types) })
}

function namesOf(types: readonly FileType[]): string {
  return types.map((type) => type.split('/')[1]?.toUpperCase()).join(', ')
}
