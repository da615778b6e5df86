import Check from 'lucide-react/icons/check'
import { type ReactNode, useId } from 'react'
import { cx } from '#ui/cx.ts'

interface Option<V extends string | number> {
  value: V
  label: ReactNode
  /** Limits and fees below the name. */
  detail?: ReactNode
  mark?: ReactNode
  disabled?: boolean | undefined
  /** Language of the label, if it differs from the page's. */
  lang?: string | undefined
}

interface OptionListProps<V extends string | number> {
  label: string
  options: readonly Option<V>[]
  value: V | null
  onChange: (value: V) => void
  className?: string | undefined
}

/**
 * A radio list with 60 px rows, for gateways in a sheet and for languages. The chosen row is tinted and has a check
 * mark.
 */
export function OptionList<V extends string | number>(props: OptionListProps<V>) {
  const { label, options, value, onChange, className } = props
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={cx('flex flex-col', className)}>
      {options.map((option) => {
        const chosen = option.value === value
        return (
          <label
            key={option.value}
            lang={option.lang}
            className={cx(
              'relative flex min-h-15 cursor-pointer items-center gap-3 rounded-field px-3 py-2 transition-colors',
              'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-brand',
              'has-disabled:cursor-not-allowed has-disabled:opacity-50',
              chosen ? 'bg-brand-tint' : 'hover:bg-surface-2',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={chosen}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
              // Pressing the chosen row keeps it and closes the sheet. Radio inputs report only changes, so `onClick`
              // is needed.
              onClick={() => chosen && onChange(option.value)}
              className="absolute inset-0 m-0 cursor-[inherit] appearance-none outline-none"
            />
            {option.mark}
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{option.label}</span>
              {option.detail !== undefined && <span className="block text-label text-fg-2">{option.detail}</span>}
            </span>
            {chosen && <Check size={20} className="text-brand" aria-hidden="true" />}
          </label>
        )
      })}
    </div>
  )
}
