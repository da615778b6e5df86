import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText, StaffFailure, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block } from '#back-office/detail/facts.tsx'
import { fieldError, isAboutField } from '#back-office/editor/field-error.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface TextDetailProps {
  language: LanguageCode
  textKey: string
  onClose: () => void
}

/** One text in one language: the original and its override. */
export function TextDetail({ language, textKey, onClose }: TextDetailProps) {
  const text = useStaffQuery(staffCalls.staffTextEntry, { params: { language, key: textKey } })
  const [round, setRound] = useState(0)
  const loadAgain = () => void text.refetch().then(() => setRound((before) => before + 1))
  const { tag, dir, name } = LANGUAGES[language]
  const mayEdit = useMay('content.edit')
  const { data } = text
  return (
    <DetailPane title={<span className="mono">{textKey}</span>} subtitle={name} query={text} onClose={onClose}>
      {data && (
        <>
          <Block title={t('texts.original')}>
            <p className="rounded-field bg-surface-2 px-3 py-2 break-words whitespace-pre-wrap" lang={tag} dir={dir}>
              {data.shipped ?? t('texts.falls_in')}
            </p>
          </Block>
          {language !== 'en' && (
            <Block title={t('texts.english')}>
              <p className="rounded-field bg-surface-2 px-3 py-2 break-words whitespace-pre-wrap">{data.english}</p>
            </Block>
          )}
          {data.is_locked ? (
            <p className="text-small text-fg-2">{t('texts.locked')}</p>
          ) : mayEdit ? (
            <TextForm key={round} text={data} language={language} onSaved={loadAgain} onLoadAgain={loadAgain} />
          ) : (
            data.own !== null && (
              <Block title={t('texts.yours')}>
                <p className="break-words whitespace-pre-wrap" lang={tag} dir={dir}>
                  {data.own}
                </p>
              </Block>
            )
          )}
        </>
      )}
    </DetailPane>
  )
}

interface TextFormProps {
  text: StaffReply<typeof staffCalls.staffTextEntry>
  language: LanguageCode
  onSaved: () => void
  onLoadAgain: () => void
}

function TextForm({ text: stored, language, onSaved, onLoadAgain }: TextFormProps) {
  const toast = useToast()
  // The stored text when the edit begins. A refetch must not replace what the staff member is typing.
  const [begun] = useState(stored)
  const [text, setText] = useState(stored.own ?? stored.shipped ?? stored.english)
  const done = (words: string) => () => {
    toast({ tone: 'success', text: words })
    onSaved()
  }
  const save = useStaffChange(staffCalls.staffSaveText, { onDone: done(t('texts.saved')), alsoAreas: ['languages'] })
  const reset = useStaffChange(staffCalls.staffResetText, {
    onDone: done(t('texts.was_reset')),
    alsoAreas: ['languages'],
  })
  const isBusy = save.isPending || reset.isPending
  const failure = save.error ?? reset.error
  const isStale = failure instanceof StaffFailure && failure.code === 'changed_meanwhile'
  const params = { language, key: begun.key }
  const { tag, dir } = LANGUAGES[language]
  const places = begun.places.split(', ').filter((name) => name !== '')
  return (
    <div className="flex flex-col gap-3">
      <TextArea
        label={t('texts.own')}
        hint={
          places.length === 0 ? undefined : t('texts.own_hint', { places: places.map((name) => `{${name}}`).join(' ') })
        }
        error={fieldError(save.error, 'text')}
        lang={tag}
        dir={dir}
        rows={text.length > 200 ? 14 : 4}
        maxLength={2_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {failure && !isAboutField(failure, ['text']) && (
        <Alert
          tone="danger"
          action={
            isStale && (
              <Button variant="secondary" size="s" onClick={onLoadAgain}>
                {t('content.load_again')}
              </Button>
            )
          }
        >
          {failureText(failure)}
        </Alert>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="m"
          loading={save.isPending}
          disabled={reset.isPending}
          onClick={() => !isBusy && save.mutate({ params, body: { version: begun.version, text } })}
        >
          {t('texts.save')}
        </Button>
        {begun.own !== null && (
          <Button
            variant="secondary"
            size="m"
            loading={reset.isPending}
            disabled={save.isPending}
            onClick={() => !isBusy && reset.mutate({ params, body: { version: begun.version } })}
          >
            {t('texts.reset')}
          </Button>
        )}
      </div>
      <p className="text-caption text-fg-3">{t('common.on_record')}</p>
    </div>
  )
}
