import { type ReactNode, useId } from 'react'
import type { Choice } from '#ui/choices.ts'
import { cx } from '#ui/cx.ts'
import { fadeEnds } from '#ui/fade-ends.ts'
import { RadioBox } from '#ui/radio-box.tsx'

export interface ChipChoice<V extends string | number> extends Choice<V> {
  /** A second line: the payout below a duration, or "closes first". */
  detail?: ReactNode
}

/**
 * `plain`: intervals of the chart. `tall`: durations with a second line. `filled`: quick amounts. Tall and filled chips
 * share the width in equal columns.
 */
export type ChipLook = 'plain' | 'tall' | 'filled'

interface ChipsProps<V extends string | number> {
  label: string
  options: readonly ChipChoice<V>[]
  /** Null when no option is chosen: a typed stake matches no quick amount. */
  value: V | null
  onChange: (value: V) => void
  look?: ChipLook | undefined
  className?: string | undefined
}

const CHOSEN = 'bg-brand-tint text-brand shadow-[inset_0_0_0_2px_var(--brand)]'

const LOOKS: Record<ChipLook, { group: string; chip: string; on: string; off: string }> = {
  plain: {
    group: 'scroll-x flex gap-0.5 -my-1.5 py-1.5',
    chip: 'h-8 min-w-11 rounded-small px-2.5 text-label',
    on: 'bg-surface-2 font-semibold text-fg',
    off: 'font-list text-fg-3 hover:text-fg',
  },
  tall: {
    // In low windows, five chips (the usual number of durations) fit in one row of the narrow pane.
    group:
      'grid grid-cols-[repeat(auto-fit,minmax(3.4rem,1fr))] gap-1.5 short:grid-cols-[repeat(auto-fit,minmax(3rem,1fr))] short:gap-1',
    chip: 'min-h-13 short:min-h-11 min-w-0 flex-col rounded-chip px-0.5 text-[0.875rem]/[1.125rem] font-semibold',
    on: CHOSEN,
    off: 'bg-surface text-fg shadow-[inset_0_0_0_1px_var(--line)] hover:bg-surface-2',
  },
  filled: {
    group: 'grid grid-cols-[repeat(auto-fit,minmax(3.4rem,1fr))] gap-1.5',
    chip: 'h-10 min-w-0 rounded-chip text-small font-semibold',
    on: CHOSEN,
    off: 'bg-surface-2 text-fg hover:bg-surface-3',
  },
}

/** A radio group that looks like chips. */
export function Chips<V extends string | number>(props: ChipsProps<V>) {
  const { label, options, value, onChange, look = 'plain', className } = props
  const { group, chip, on, off } = LOOKS[look]
  const name = useId()
  return (
    <div
      ref={look === 'plain' ? fadeEnds : undefined}
      role="radiogroup"
      aria-label={label}
      className={cx(group, className)}
    >
      {options.map((option) => (
        <RadioBox
          key={option.value}
          name={name}
          checked={option.value === value}
          disabled={option.disabled}
          spoken={option.spoken}
          onChoose={() => onChange(option.value)}
          className={cx('shrink-0 whitespace-nowrap', chip, option.value === value ? on : off)}
        >
          <span>{option.label}</span>
          {option.detail !== undefined && (
            <span
              className={cx(
                'max-w-full text-center text-caption font-medium whitespace-normal',
                option.value === value ? 'text-fg-2' : 'text-fg-3',
              )}
            >
              {option.detail}
            </span>
          )}
        </RadioBox>
      ))}
    </div>
  )
}
