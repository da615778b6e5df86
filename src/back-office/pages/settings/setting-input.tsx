import { LANGUAGES, LANGUAGE_CODES } from '#messages/languages.ts'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { Switch } from '#ui/checkbox.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { CountriesInput } from '#back-office/pages/settings/countries-input.tsx'
import type { SettingField } from '#back-office/pages/settings/groups.ts'
import { PictureInput } from '#back-office/pages/settings/picture-input.tsx'
import { RatesInput } from '#back-office/pages/settings/rates-input.tsx'
import type { SettingsData, SettingValue } from '#back-office/pages/settings/settings-data.ts'
import { t } from '#back-office/i18n/t.ts'

interface SettingInputProps {
  field: SettingField
  value: SettingValue
  countries: SettingsData['countries']
  disabled: boolean
  error: string | undefined
  onChange: (value: SettingValue) => void
}

/** The input for one setting, chosen by its kind. */
export function SettingInput({ field, value, countries, disabled, error, onChange }: SettingInputProps) {
  const label = t(field.label)
  const hint = field.hint && t(field.hint)
  const text = typeof value === 'string' ? value : ''
  const list = Array.isArray(value) ? value.map(String) : []
  const common = { label, hint, error, disabled }
  switch (field.kind) {
    case 'switch':
      return (
        <div className="flex min-h-11 items-center justify-between gap-3">
          <span>
            {label}
            {error !== undefined && <span className="block text-caption font-medium text-danger">{error}</span>}
          </span>
          <Switch label={label} checked={value === true} onChange={onChange} disabled={disabled} />
        </div>
      )
    case 'language':
      return (
        <Select
          {...common}
          value={text}
          onChange={onChange}
          options={LANGUAGE_CODES.map((code) => ({ value: code, label: LANGUAGES[code].name }))}
        />
      )
    case 'words':
      return <TextArea {...common} value={text} maxLength={500} onChange={(event) => onChange(event.target.value)} />
    case 'lines':
      return (
        <TextArea
          {...common}
          value={list.join('\n')}
          onChange={(event) => onChange(event.target.value === '' ? [] : event.target.value.split('\n'))}
        />
      )
    case 'countries':
      return <CountriesInput {...common} countries={countries} chosen={list} onChange={onChange} />
    case 'rates':
      return <RatesInput {...common} value={value} onChange={onChange} />
    case 'picture':
      return <PictureInput {...common} address={text} onChange={onChange} />
    case 'link':
      return (
        <Field
          {...common}
          type="url"
          value={text}
          maxLength={500}
          ltr
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        />
      )
    case 'number':
      return (
        <Field
          {...common}
          inputMode="numeric"
          maxLength={40}
          ltr
          value={typeof value === 'number' ? String(value) : text}
          onChange={(event) => {
            const typed = event.target.value
            onChange(/^\d+$/.test(typed) ? Number(typed) : typed)
          }}
        />
      )
    case 'line':
    case 'date':
    case 'money':
      return (
        <Field
          {...common}
          type={field.kind === 'date' ? 'date' : 'text'}
          inputMode={field.kind === 'money' ? 'decimal' : undefined}
          value={text}
          maxLength={120}
          ltr={field.kind !== 'line'}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}
