import { useRef } from 'react'
import { newId } from '#ui/new-id.ts'

/** Returns the id of a call. It stays the same while the same content is sent again, so that nothing is done twice. */
export function useRequestId(): (content: unknown) => string {
  const last = useRef({ text: '', id: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (last.current.text !== text) last.current = { text, id: newId() }
    return last.current.id
  }
}
