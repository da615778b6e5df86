import Search from 'lucide-react/icons/search'
import { useEffect, useRef, useState } from 'react'

const QUIET_MS = 250

interface SearchBoxProps {
  placeholder: string
  value: string
  onChange: (text: string) => void
}

/** The search box of a list. It searches when typing pauses, and `/` focuses it from anywhere on the page. */
export function SearchBox({ placeholder, value, onChange }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text === value) return undefined
    const { pathname } = globalThis.location
    const timer = setTimeout(() => {
      // If the staff member has left the page, applying the search would bring them back while the next page loads.
      if (globalThis.location.pathname === pathname) onChange(text.trim())
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <label className="flex h-11 w-full min-w-0 items-center gap-2 rounded-chip bg-surface-2 px-3 md:w-[240px] lg:h-9">
      <Search size={16} className="text-fg-3" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        value={text}
        placeholder={placeholder}
        aria-label={placeholder}
        onChange={(event) => setText(event.target.value)}
        className="w-full min-w-0 bg-transparent outline-none placeholder:text-fg-3"
      />
      <kbd className="hidden text-caption text-fg-3 lg:block">/</kbd>
    </label>
  )
}
