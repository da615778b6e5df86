import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { BANNER_ICONS } from '#ui/banner.tsx'
import { fieldError } from '#back-office/editor/field-error.ts'
import type { Draft } from '#back-office/pages/content/draft.ts'
import type { Kind } from '#back-office/pages/content/kinds.ts'
import { t } from '#back-office/i18n/t.ts'

const ICON_NAMES = ['receipt', 'odds', 'funds', 'rules', 'gift'] as const

interface ContentDetailsProps {
  kind: Kind
  draft: Draft
  failure: unknown
  onChange: (part: Partial<Draft>) => void
}

/** The fields of an entry other than its texts. Each kind has different fields. */
export function ContentDetails({ kind, draft, failure, onChange }: ContentDetailsProps) {
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      {(kind === 'page' || kind === 'banner') && (
        <Field
          label={t('content.link')}
          hint={t(kind === 'page' ? 'content.page_link_hint' : 'content.link_hint')}
          error={fieldError(failure, 'link')}
          value={draft.link}
          maxLength={500}
          ltr
          autoComplete="off"
          className="md:col-span-2"
          onChange={(event) => onChange({ link: event.target.value })}
        />
      )}
      {kind === 'banner' && (
        <Select
          label={t('content.icon')}
          value={draft.icon in BANNER_ICONS ? draft.icon : ''}
          options={[
            { value: '', label: t('content.icon_none') },
            ...ICON_NAMES.map((value) => ({ value, label: t(`content.icon_${value}`) })),
          ]}
          onChange={(icon) => onChange({ icon })}
        />
      )}
      {kind === 'page' && (
        <Field
          label={t('content.icon')}
          hint={t('content.page_icon_hint')}
          error={fieldError(failure, 'icon')}
          value={draft.icon}
          maxLength={60}
          ltr
          autoComplete="off"
          onChange={(event) => onChange({ icon: event.target.value })}
        />
      )}
      {kind === 'post' ? (
        <Field
          type="datetime-local"
          label={t('content.since')}
          hint={t('content.since_hint')}
          error={fieldError(failure, 'published_at')}
          value={draft.since}
          onChange={(event) => onChange({ since: event.target.value })}
        />
      ) : (
        <Field
          label={t('content.place')}
          hint={t('content.place_hint')}
          error={fieldError(failure, 'place')}
          value={draft.place}
          inputMode="numeric"
          maxLength={4}
          ltr
          onChange={(event) => onChange({ place: event.target.value.replace(/\D/g, '') })}
        />
      )}
    </div>
  )
}
