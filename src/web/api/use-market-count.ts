import { useEffect, useState } from 'react'
import { call } from '#web/api/call.ts'

let known: number | null = null

/** Returns the number of listed symbols; null until known. The app loads the number once per page load. */
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
        // A failure is ignored, because the text is complete without the count.
      }
    }
    void ask()
    return () => controller.abort()
  }, [])
  return count
}
