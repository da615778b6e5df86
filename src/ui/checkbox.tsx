import Check from 'lucide-react/icons/check'
import type { InputHTMLAttributes, ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> {
  children: ReactNode
  className?: string | undefined
}

/** A 20 px box in a 48 px row. The whole row is the label, and links in it still work. */
export function Checkbox({ children, className, ...input }: CheckboxProps) {
  return (
    <label className={cx('flex min-h-12 cursor-pointer items-center gap-3 text-small text-fg-2', className)}>
      <span className="relative grid size-5 shrink-0 place-items-center">
        <input
          {...input}
          type="checkbox"
          className="peer size-5 cursor-pointer appearance-none rounded-pill bg-surface shadow-[inset_0_0_0_1.5px_var(--line-strong)] checked:bg-brand-solid checked:shadow-none"
        />
        <Check
          size={14}
          strokeWidth={3}
          className="pointer-events-none absolute hidden text-on-brand peer-checked:block"
          aria-hidden="true"
        />
      </span>
      <span>{children}</span>
    </label>
  )
}

interface SwitchProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean | undefined
}

/** A switch with immediate effect, for settings. It goes at the end of a row that has the label. */
export function Switch({ label, checked, onChange, disabled }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      className={cx(
        'hit inline-flex h-6 w-10 shrink-0 rounded-full p-0.5 transition-colors disabled:opacity-50',
        checked ? 'bg-brand-solid' : 'bg-line-strong',
      )}
    >
      <i
        className={cx(
          'size-5 rounded-full bg-white transition-transform duration-(--t-base)',
          checked && 'translate-x-4 rtl:-translate-x-4',
        )}
        aria-hidden="true"
      />
    </button>
  )
}
