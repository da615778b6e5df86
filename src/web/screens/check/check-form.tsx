import { type DragEvent, type FormEvent, useState } from 'react'
import { type FileContent, readBundleFile } from '#core/proof/bundle-file.ts'
import type { MoneyReceipts } from '#core/proof/check-money.ts'
import { readMoneyFile } from '#core/proof/money-file.ts'
import { readStatementFile, type StatementFile } from '#core/statement/statement-file.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import { t } from '#web/i18n/t.ts'
import { useGo } from '#web/session/navigation.ts'

const FAULTS = { cut_off: 'check.file_cut_off', unknown: 'check.file_unknown' } as const

/** The content of a file that this page checks. */
export type CheckedFile =
  | { readonly kind: 'receipt'; readonly content: FileContent }
  | { readonly kind: 'statement'; readonly content: StatementFile }
  | { readonly kind: 'money'; readonly content: MoneyReceipts }

/** A form to type a reference, or to choose or drop a file. */
export function CheckForm({ onFile }: { onFile: (file: CheckedFile | null) => void }) {
  const [reference, setReference] = useState('')
  const [missing, setMissing] = useState(false)
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<keyof typeof FAULTS | null>(null)
  const go = useGo()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const trx = reference.trim()
    setMissing(trx === '')
    if (trx !== '') go(`/check/${encodeURIComponent(trx)}`)
  }
  const take = async (chosen: File | null) => {
    setFile(chosen)
    const read = chosen === null ? null : readFile(await chosen.text())
    setFault(typeof read === 'string' ? read : null)
    onFile(typeof read === 'string' ? null : read)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0] ?? null)
  }
  return (
    <div className="mb-4 flex flex-col gap-4">
      <p className="text-small text-fg-2">{t('check.intro')}</p>
      <form onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field
          ltr
          label={t('check.reference')}
          value={reference}
          onChange={(event) => setReference(event.target.value)}
          error={missing ? t('common.required', { name: t('check.reference') }) : undefined}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Button type="submit">{t('trade.check')}</Button>
      </form>
      <div onDrop={drop} onDragOver={(event) => event.preventDefault()}>
        <UploadField
          label={t('check.file')}
          rules={t('check.file_rules')}
          accept="application/json,.json"
          file={file}
          onChange={(chosen) => void take(chosen)}
          removeLabel={t('check.file_remove')}
          error={fault === null ? undefined : t(FAULTS[fault])}
        />
      </div>
    </div>
  )
}

function readFile(text: string): CheckedFile | keyof typeof FAULTS {
  const statement = readStatementFile(text)
  if (statement !== null) return { kind: 'statement', content: statement }
  const receipts = readMoneyFile(text)
  if (receipts !== null) return { kind: 'money', content: receipts }
  const content = readBundleFile(text)
  return typeof content === 'string' ? content : { kind: 'receipt', content }
}
