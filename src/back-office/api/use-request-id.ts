import { useRef } from 'react'
import { newId } from '#ui/new-id.ts'

/**
 * Returns a function that gives the request id for a content. A request that is sent again with the same content has
 * the same id, so that the server does nothing twice.
 */
export function useRequestId(): (content: unknown) => string {
  const last = useRef({ text: '', id: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (last.current.text !== text) last.current = { text, id: newId() }
    return last.current.id
  }
}
