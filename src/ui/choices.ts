import type { KeyboardEvent, ReactNode } from 'react'

/** One option of a segmented control, a row of tabs or of chips. */
export interface Choice<V extends string | number> {
  value: V
  label: ReactNode
  disabled?: boolean | undefined
  /** Text for screen readers, when the label is only a symbol or an abbreviation. */
  spoken?: string | undefined
}

/**
 * Handles arrow keys, Home and End among tabs; moving also selects. Mark the group with `data-choices` and each option
 * with `data-choice`. Left and right are swapped in right-to-left pages.
 */
export function moveAmongChoices(event: KeyboardEvent<HTMLElement>): void {
  const group = event.currentTarget.closest('[data-choices]')
  if (!group) return
  const options = [...group.querySelectorAll<HTMLElement>('[data-choice]:not(:disabled)')]
  const at = options.indexOf(event.currentTarget)
  const rightToLeft = getComputedStyle(group).direction === 'rtl'
  const target = options[targetIndex(event.key, { at, count: options.length, rightToLeft })]
  if (!target) return
  event.preventDefault()
  target.focus()
  target.click()
}

/** Returns the index that a key moves to from `at`, wrapping around. Returns -1 for other keys. */
function targetIndex(key: string, { at, count, rightToLeft }: { at: number; count: number; rightToLeft: boolean }) {
  const step = rightToLeft ? -1 : 1
  switch (key) {
    case 'ArrowRight':
      return (at + step + count) % count
    case 'ArrowLeft':
      return (at - step + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return -1
  }
}

/** Returns the option that the Tab key reaches: the chosen one, or the first when none is chosen. */
export function tabStop<V extends string | number>(options: readonly Choice<V>[], chosen: V | null): V | undefined {
  const usable = options.filter((option) => option.disabled !== true)
  return (usable.find((option) => option.value === chosen) ?? usable[0])?.value
}
