export interface Option {
  readonly value: string
  readonly label: string
}

interface NativeSelectProps {
  value: string
  options: readonly Option[]
  onChange: (value: string) => void
  className: string
  /** The accessible name. Without it, the name is the text of the label around the select. */
  name?: string
}

/** A select of the browser inside a label. Its list has the colours of the theme. */
export function NativeSelect({ value, options, onChange, className, name }: NativeSelectProps) {
  return (
    <select value={value} aria-label={name} onChange={(event) => onChange(event.target.value)} className={className}>
      {options.map((option) => (
        <option key={option.value} value={option.value} className="bg-surface text-fg">
          {option.label}
        </option>
      ))}
    </select>
  )
}
