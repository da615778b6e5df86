import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

interface RadioBoxProps {
  /** Name of the radio group. */
  name: string
  checked: boolean
  disabled?: boolean | undefined
  spoken?: string | undefined
  onChoose: () => void
  children: ReactNode
  className?: string | undefined
}

/**
 * A radio button that looks like a box. The real input covers the whole box invisibly, so keys, names and presses are
 * native. The input extends to 44 px where the box is smaller.
 */
export function RadioBox({ name, checked, disabled, spoken, onChoose, children, className }: RadioBoxProps) {
  return (
    <label
      className={cx(
        'relative flex cursor-pointer items-center justify-center select-none transition-colors duration-(--t-base)',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
        'has-disabled:cursor-not-allowed has-disabled:opacity-50',
        className,
      )}
    >
      <input
        type="radio"
        name={name}
        checked={checked}
        disabled={disabled}
        aria-label={spoken}
        onChange={onChoose}
        className="absolute top-1/2 left-1/2 m-0 h-[max(100%,44px)] w-[max(100%,44px)] -translate-1/2 cursor-[inherit] appearance-none outline-none"
      />
      {children}
    </label>
  )
}
