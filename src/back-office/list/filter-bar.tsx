import { type ReactNode, useEffect, useState } from 'react'
import { NativeSelect, type Option } from '#back-office/list/native-select.tsx'
import { t } from '#back-office/i18n/t.ts'

const BOX = 'flex h-11 min-w-0 items-center gap-2 rounded-chip bg-surface-2 px-3 lg:h-9'
const QUIET_MS = 250

/** A row of filters between a list's title and its rows. */
export function FilterBar({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-2 items-center gap-2 px-4 py-3 sm:flex sm:flex-wrap md:px-6">{children}</div>
}

interface FilterSelectProps {
  label: string
  /** The chosen value; empty for no filter. */
  value: string
  options: readonly Option[]
  onChange: (value: string) => void
}

export function FilterSelect({ label, value, options, onChange }: FilterSelectProps) {
  return (
    <label className={BOX}>
      <span className="text-caption text-fg-3">{label}</span>
      <NativeSelect
        value={value}
        options={[{ value: '', label: t('filters.all') }, ...options]}
        onChange={onChange}
        className="h-full w-full min-w-0 bg-transparent sm:w-auto sm:max-w-[14rem]"
        name={label}
      />
    </label>
  )
}

/** A text filter that applies when typing pauses. */
export function FilterText({ label, value, onChange }: Omit<FilterSelectProps, 'options'>) {
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text.trim() === value) return undefined
    const timer = setTimeout(() => onChange(text.trim()), QUIET_MS)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <label className={BOX}>
      <span className="text-caption text-fg-3">{label}</span>
      <input
        value={text}
        aria-label={label}
        onChange={(event) => setText(event.target.value)}
        autoCapitalize="none"
        spellCheck={false}
        className="w-full min-w-0 bg-transparent sm:w-28"
      />
    </label>
  )
}

interface FilterPeriodProps {
  from: string
  to: string
  onChange: (name: 'from' | 'to', day: string) => void
}

/** A filter from one day to another, both included, in UTC. */
export function FilterPeriod({ from, to, onChange }: FilterPeriodProps) {
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className={BOX}>
          <span className="text-caption text-fg-3">{t(`filters.${name}`)}</span>
          <input
            type="date"
            value={name === 'from' ? from : to}
            max="2100-12-31"
            onChange={(event) => onChange(name, event.target.value)}
            className="num w-full min-w-0 bg-transparent dark:scheme-dark"
          />
        </label>
      ))}
    </>
  )
}
