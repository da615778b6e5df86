import { useId } from 'react'
import type { Choice } from '#ui/choices.ts'
import { cx } from '#ui/cx.ts'
import { RadioBox } from '#ui/radio-box.tsx'

interface SegmentedProps<V extends string | number> {
  /** Name of the group for screen readers. */
  label: string
  options: readonly Choice<V>[]
  value: V
  onChange: (value: V) => void
  /** 34 px high, for panes on desktop. */
  compact?: boolean | undefined
  className?: string | undefined
}

/** A radio group of two to four options side by side. */
export function Segmented<V extends string | number>(props: SegmentedProps<V>) {
  const { label, options, value, onChange, compact = false, className } = props
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx(
        'flex flex-wrap gap-0.5 bg-surface-2',
        compact ? 'rounded-small p-0.5' : 'rounded-field p-[3px]',
        className,
      )}
    >
      {options.map((option) => (
        <RadioBox
          key={option.value}
          name={name}
          checked={option.value === value}
          disabled={option.disabled}
          spoken={option.spoken}
          onChoose={() => onChange(option.value)}
          className={cx(
            'max-w-full flex-1 gap-1.5 px-1 text-center',
            compact ? 'min-h-7.5 rounded-pill text-label' : 'min-h-9.5 rounded-[9px] text-small',
            option.value === value
              ? 'bg-surface font-semibold text-fg shadow-[var(--e1),0_0_0_1px_var(--line)] dark:bg-surface-3 dark:shadow-none'
              : 'font-list text-fg-2 hover:text-fg',
          )}
        >
          {option.label}
        </RadioBox>
      ))}
    </div>
  )
}
