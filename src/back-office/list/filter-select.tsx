import { NativeSelect, type Option } from '#back-office/list/native-select.tsx'
import { cx } from '#ui/cx.ts'

interface FilterSelectProps {
  label: string
  value: string
  /** The first option means "all" and has an empty value. */
  options: readonly Option[]
  onChange: (value: string) => void
}

/** A filter of a list: a small native select, tinted while it narrows the list. */
export function FilterSelect({ label, value, options, onChange }: FilterSelectProps) {
  return (
    <label
      className={cx(
        'inline-flex h-11 items-center gap-1.5 rounded-chip ps-3 lg:h-9',
        value === '' ? 'bg-surface-2 text-fg-2' : 'bg-brand-tint text-brand',
      )}
    >
      <span className="text-caption whitespace-nowrap">{label}</span>
      <NativeSelect
        value={value}
        options={options}
        onChange={onChange}
        className="h-full cursor-pointer rounded-chip bg-transparent pe-2 font-semibold"
      />
    </label>
  )
}
