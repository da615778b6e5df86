import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { LANGUAGE_CODES, type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { AnnouncementStrip } from '#ui/announcement-strip.tsx'
import { Field } from '#ui/field.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { useToast } from '#ui/toast.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { EditorColumns } from '#back-office/editor/editor-page.tsx'
import { fieldError, isAboutField } from '#back-office/editor/field-error.ts'
import { LanguageChips } from '#back-office/editor/language-chips.tsx'
import { RemoveButton, SaveBar } from '#back-office/editor/save-bar.tsx'
import { fromUtcField, toUtcField } from '#back-office/editor/utc-field.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

type Announcement = StaffReply<typeof staffCalls.staffAnnouncement>

const FIELDS = ['text', 'link', 'from', 'until']
const DAY_MS = 86_400_000

interface AnnouncementFormProps {
  id: string
  /** The stored announcement; null for a new one. */
  announcement: Announcement | null
  onSaved: () => void
  onLoadAgain: () => void
  /** Called with true when the removal starts, and with false when it fails. */
  onGoing: (isGoing: boolean) => void
  onGone: () => void
}

export function AnnouncementForm({
  id,
  announcement: stored,
  onSaved,
  onLoadAgain,
  onGoing,
  onGone,
}: AnnouncementFormProps) {
  const toast = useToast()
  // The announcement when the edit begins. A refetch must not change the version that is sent with the typed values.
  const [announcement] = useState(stored)
  const mayEdit = useMay('content.edit')
  const [language, setLanguage] = useState<LanguageCode>('en')
  const [draft, setDraft] = useState(() => draftOf(announcement))
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const withToast = (text: string, then: () => void) => () => {
    toast({ tone: 'success', text })
    then()
  }
  const save = useStaffChange(staffCalls.staffSaveAnnouncement, {
    onDone: withToast(t('announcements.saved'), onSaved),
  })
  const remove = useStaffChange(staffCalls.staffRemoveAnnouncement, {
    onStart: () => onGoing(true),
    onFailed: () => onGoing(false),
    onDone: withToast(t('announcements.removed'), onGone),
  })
  const written = LANGUAGE_CODES.filter((code) => (draft.texts[code] ?? '').trim() !== '')
  const order = [language, announcement?.site_language, 'en', written[0]]
  const shown = written.find((code) => code === order.find((wanted) => written.some((one) => one === wanted)))
  const failure = save.error ?? remove.error
  const { tag, dir } = LANGUAGES[language]
  const send = () =>
    save.mutate({
      params: { id },
      body: {
        version: announcement?.version ?? 0,
        tone: draft.tone,
        link: draft.link.trim(),
        from: fromUtcField(draft.from) ?? '',
        until: fromUtcField(draft.until) ?? '',
        texts: Object.fromEntries(written.map((code) => [code, draft.texts[code] ?? ''])),
      },
    })
  return (
    <EditorColumns
      form={
        <fieldset disabled={!mayEdit} className="contents">
          {!mayEdit && <p className="text-fg-2">{t('content.read_only')}</p>}
          <LanguageChips value={language} written={new Set(written)} onChange={setLanguage} />
          <TextArea
            label={t('announcements.text')}
            hint={t('announcements.text_hint')}
            error={fieldError(save.error, 'text')}
            lang={tag}
            dir={dir}
            rows={3}
            maxLength={300}
            value={draft.texts[language] ?? ''}
            onChange={(event) => change({ texts: { ...draft.texts, [language]: event.target.value } })}
          />
          <Segmented
            label={t('announcements.tone')}
            options={(['info', 'warn'] as const).map((value) => ({ value, label: t(`announcements.${value}`) }))}
            value={draft.tone}
            onChange={(tone) => change({ tone })}
          />
          <div className="grid items-start gap-4 md:grid-cols-2">
            <Field
              type="datetime-local"
              label={t('announcements.from')}
              error={fieldError(save.error, 'from')}
              value={draft.from}
              onChange={(event) => change({ from: event.target.value })}
            />
            <Field
              type="datetime-local"
              label={t('announcements.until')}
              error={fieldError(save.error, 'until')}
              value={draft.until}
              onChange={(event) => change({ until: event.target.value })}
            />
          </div>
          <Field
            label={t('content.link')}
            hint={t('announcements.link_hint')}
            error={fieldError(save.error, 'link')}
            value={draft.link}
            maxLength={500}
            ltr
            autoComplete="off"
            onChange={(event) => change({ link: event.target.value })}
          />
          {mayEdit && (
            <SaveBar
              isSaving={save.isPending}
              onSave={send}
              failure={isAboutField(failure, FIELDS) ? null : failure}
              onLoadAgain={onLoadAgain}
              remove={
                announcement !== null && (
                  <RemoveButton
                    label={t('content.remove')}
                    isRemoving={remove.isPending}
                    onRemove={() => remove.mutate({ params: { id }, body: { version: announcement.version } })}
                  />
                )
              }
            />
          )}
        </fieldset>
      }
      aside={
        <section aria-label={t('content.preview')}>
          <h2 className="pb-2 text-caption font-medium text-fg-3">{t('content.preview')}</h2>
          <div lang={tag} dir={dir} className="overflow-hidden rounded-card bg-bg pb-16">
            <AnnouncementStrip
              announcement={{
                tone: draft.tone,
                text: shown === undefined ? '…' : (draft.texts[shown] ?? ''),
                link: draft.link.trim(),
              }}
              readMore={t('content.read_more')}
              closeLabel={t('common.dismiss')}
            />
          </div>
        </section>
      }
    />
  )
}

function draftOf(announcement: Announcement | null) {
  const now = Date.now()
  return {
    tone: announcement?.tone ?? 'info',
    link: announcement?.link ?? '',
    from: toUtcField(announcement?.from ?? new Date(now).toISOString()),
    until: toUtcField(announcement?.until ?? new Date(now + DAY_MS).toISOString()),
    texts: announcement?.texts ?? {},
  }
}
