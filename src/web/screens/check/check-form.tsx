import { type DragEvent, type FormEvent, useState } from 'react'
import { type FileContent, readBundleFile } from '#core/proof/bundle-file.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import { t } from '#web/i18n/t.ts'
import { useGo } from '#web/session/navigation.ts'

const FAULTS = { cut_off: 'check.file_cut_off', unknown: 'check.file_unknown' } as const

/** A form to type a reference, or to choose or drop a file. */
export function CheckForm({ onFile }: { onFile: (content: FileContent | null) => void }) {
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
    const content = chosen === null ? null : readBundleFile(await chosen.text())
    setFault(typeof content === 'string' ? content : null)
    onFile(typeof content === 'string' ? null : content)
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
