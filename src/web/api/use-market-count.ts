import { useEffect, useState } from 'react'
import { call } from '#web/api/call.ts'

let known: number | null = null

/** How many instruments this installation lists; null until known. Asked once per page load. */
export function useMarketCount(): number | null {
  const [count, setCount] = useState(known)
  useEffect(() => {
    if (known !== null) return undefined
    const controller = new AbortController()
    const ask = async () => {
      try {
        const { data } = await call('GET /user/home', { signal: controller.signal })
        known = data.figures.markets
        setCount(known)
      } catch {
        // The sentence reads well without the figure.
      }
    }
    void ask()
    return () => controller.abort()
  }, [])
  return count
}
