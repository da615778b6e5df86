import { useState } from 'react'
import type { SymbolRow } from '#contract/back-office/symbols.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Uploads a picture that replaces the badge of a symbol. */
export function SymbolPicture({ symbol }: { symbol: SymbolRow }) {
  const toast = useToast()
  const [file, setFile] = useState<File | null>(null)
  const change = useStaffChange(staffCalls.staffSymbolPicture, {
    onDone: () => {
      setFile(null)
      toast({ tone: 'success', text: t('markets.saved') })
    },
  })
  const send = (picture: File | null) => {
    const form = new FormData()
    form.set('version', String(symbol.version))
    if (picture !== null) form.set('picture', picture)
    if (!change.isPending) change.mutate({ params: { code: symbol.code }, form })
  }
  return (
    <Block title={t('markets.picture')}>
      <div className="flex flex-col gap-2.5">
        <UploadField
          label={t('markets.picture_add')}
          rules={t('markets.picture_rules')}
          accept="image/png,image/jpeg,image/webp"
          file={file}
          onChange={setFile}
          removeLabel={t('markets.picture_clear')}
          error={change.error ? failureText(change.error) : undefined}
        />
        {file !== null && (
          <Button size="m" variant="secondary" loading={change.isPending} onClick={() => send(file)}>
            {t('markets.picture_save')}
          </Button>
        )}
        {file === null && symbol.image !== '' && (
          <Button size="m" variant="secondary" loading={change.isPending} onClick={() => send(null)}>
            {t('markets.picture_remove')}
          </Button>
        )}
      </div>
    </Block>
  )
}
