import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { singleKeys } from '#web/options/options.ts'

interface TradeKeys {
  search: RefObject<HTMLInputElement | null>
  onDirection: (direction: Direction) => void
  /** The index is 0 for the first expiry. */
  onExpiry: (index: number) => void
  onHelp: () => void
}

/**
 * Keyboard shortcuts of the desktop: `/` for search, B and S for the direction, 1 to 5 for the expiry, `?` for the list
 * of shortcuts. Other letters press the button that carries the letter in `data-key`. Shortcuts are off while the user
 * types or a layer is open, and when the user turned them off.
 */
export function useTradeKeys(keys: TradeKeys, enabled: boolean): void {
  const current = useRef(keys)
  useLayoutEffect(() => {
    current.current = keys
  })
  const isOn = singleKeys.use() === 'on' && enabled
  useEffect(() => {
    if (!isOn) return undefined
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      const { search, onDirection, onExpiry, onHelp } = current.current
      const key = event.key.toLowerCase()
      const digit = digitOf(event)
      if (key === '/') search.current?.focus()
      else if (key === '?') onHelp()
      else if (key === 'b') onDirection(BUY)
      else if (key === 's') onDirection(SELL)
      else if (digit >= 1 && digit <= 5) onExpiry(digit - 1)
      else if (!pressButton(key)) return
      event.preventDefault()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [isOn])
}

/** Presses the button of a letter. Returns whether the screen has one: N has none while the newest bar is in view. */
function pressButton(key: string): boolean {
  const button = /^[a-z]$/.test(key) && document.querySelector<HTMLElement>(`[data-key=${key}]`)
  // The parts behind the large chart are inert.
  if (!button || button.closest('[inert]')) return false
  button.click()
  // Other buttons open a layer or disappear, so the focus stays where it was.
  if (button.role === 'tab') button.focus()
  return true
}

/**
 * The digit of a pressed key; NaN for other keys. French keyboards type digits with Shift only, so the position of a
 * key counts too.
 */
function digitOf({ key, code, shiftKey }: KeyboardEvent): number {
  if (/^\d$/.test(key)) return Number(key)
  return shiftKey ? NaN : Number(/^(?:Digit|Numpad)(\d)$/.exec(code)?.[1])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('dialog') !== null || target.isContentEditable) return true
  return target instanceof HTMLInputElement
    ? !['radio', 'checkbox', 'button'].includes(target.type)
    : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
