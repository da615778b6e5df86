import { useId, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { t } from '#back-office/i18n/t.ts'

interface CountriesInputProps {
  label: string
  hint: string | undefined
  countries: readonly { readonly code: string; readonly name: string }[]
  chosen: readonly string[]
  disabled: boolean
  error: string | undefined
  onChange: (codes: string[]) => void
}

/** A field for the allowed countries, listed by name. Typing filters the list. */
export function CountriesInput({ label, hint, countries, chosen, disabled, error, onChange }: CountriesInputProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = countries.filter(
    ({ code, name }) => name.toLowerCase().includes(wanted) || code.toLowerCase() === wanted,
  )
  const isChosen = new Set(chosen)
  const toggle = (code: string, isOn: boolean) =>
    onChange((isOn ? [...chosen, code] : chosen.filter((one) => one !== code)).toSorted())
  return (
    <fieldset aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <div className="flex min-h-9 items-center justify-between gap-3">
        <span id={`${id}-label`} className="text-caption font-medium text-fg-3">
          {label}
        </span>
        <output className="text-caption font-semibold">
          {chosen.length === 0 ? t('settings.countries_all') : t('settings.countries_some', { count: chosen.length })}
        </output>
      </div>
      <div className="rounded-field shadow-[inset_0_0_0_1px_var(--line-strong)]">
        <input
          type="search"
          value={search}
          aria-label={t('settings.countries_search')}
          placeholder={t('settings.countries_search')}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            // Enter only searches; it must not send the form.
            if (event.key === 'Enter') event.preventDefault()
          }}
          className="h-11 w-full border-b border-line bg-transparent px-3.5 outline-none placeholder:text-fg-3 focus-visible:rounded-t-field"
        />
        <div className="h-56 overflow-y-auto px-3.5 py-1">
          {found.length === 0 && <p className="py-3 text-fg-3">{t('settings.countries_none_found')}</p>}
          {found.map(({ code, name }) => (
            <Checkbox
              key={code}
              checked={isChosen.has(code)}
              disabled={disabled}
              onChange={(event) => toggle(code, event.target.checked)}
              className="min-h-11!"
            >
              {name} <span className="mono text-fg-3">{code}</span>
            </Checkbox>
          ))}
        </div>
      </div>
      {error !== undefined && (
        <p role="alert" className="pt-1 text-caption font-medium text-danger">
          {error}
        </p>
      )}
      <div className="flex items-start justify-between gap-3 pt-1">
        <p id={`${id}-hint`} className="text-caption text-fg-3">
          {hint}
        </p>
        {chosen.length > 0 && !disabled && (
          <Button variant="secondary" size="s" onClick={() => onChange([])}>
            {t('settings.countries_clear')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
