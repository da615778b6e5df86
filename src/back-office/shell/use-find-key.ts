import { useEffect, useEffectEvent } from 'react'

/** Calls `onFind` when Ctrl+K or ⌘K is pressed anywhere on a page. */
export function useFindKey(onFind: () => void): void {
  const find = useEffectEvent(onFind)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      find()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
