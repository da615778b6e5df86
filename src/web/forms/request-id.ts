import { useRef } from 'react'
import { newId } from '#ui/new-id.ts'

/**
 * Returns a request id that stays the same while the content does. After a lost reply the server recognises the
 * repeated request and returns its first result. Different content gets a new id.
 */
export function useRequestId(): (content: string) => string {
  const last = useRef<{ content: string; id: string } | null>(null)
  return (content) => {
    if (last.current?.content !== content) last.current = { content, id: newId() }
    return last.current.id
  }
}
