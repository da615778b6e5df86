import { useEffect, useState } from 'react'
import { copyText } from '#ui/copy-text.ts'

const SAID_FOR_MS = 2_000

/** Copies a text and reports the outcome for 2 s. */
export function useCopy(text: string): { state: 'idle' | 'copied' | 'failed'; copy: () => void } {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [state])
  return { state, copy: () => void copyText(text).then((worked) => setState(worked ? 'copied' : 'failed')) }
}
