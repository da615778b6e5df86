import { useEffect, useState } from 'react'
import { call } from '#web/api/call.ts'

/** Whether a single person makes all decisions of the site's staff. False until the server has replied. */
export function useSingleOperator(): boolean {
  const [isSingle, setIsSingle] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const load = async () => {
      try {
        const { data } = await call('GET /proof/people', { signal: controller.signal })
        setIsSingle(data.single_operator)
      } catch {
        // A failed request needs no message: the page of changes shows the same fact.
      }
    }
    void load()
    return () => controller.abort()
  }, [])
  return isSingle
}
