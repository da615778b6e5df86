import { useEffect, useState } from 'react'
import { serverNow } from '#web/live/live-client.ts'

/** Returns the server's time, and re-renders at each full second of the server's clock. */
export function useServerSecond(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(
        () => {
          setNow(serverNow())
          wait()
        },
        1000 - (serverNow() % 1000),
      )
    }
    wait()
    return () => clearTimeout(timer)
  }, [])
  return now
}
