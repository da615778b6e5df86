// Clients in a separate process that count received messages: the messages of all clients together, and each price of
// one of them.
import { openMany, openRawClient } from './raw-client.ts'

/** The server to connect to, and the number of messages between two reports. */
export interface ToCountingSink {
  readonly side: string
  readonly port: number
  readonly path: string | null
  readonly say?: string
  readonly clients: number
  readonly every: number
}
/**
 * Totals since the start. `messages` counts those of all clients, `ticks` the ticks of one client. `wrong`: a tick was
 * missing or out of order.
 */
export type FromCountingSink =
  | { readonly open: string }
  | { readonly side: string; readonly messages: number; readonly ticks: number }
  | { readonly wrong: string }

process.on('message', (wanted: ToCountingSink) => void listen(wanted))
process.on('disconnect', () => process.exit(0))

async function listen({ side, port, path, say, clients, every }: ToCountingSink): Promise<void> {
  let messages = 0
  let due = every
  let ticks = 0
  let newest = 0
  const count = (more: number): void => {
    messages += more
    if (messages < due) return
    due = (Math.floor(messages / every) + 1) * every
    tell({ side, messages, ticks })
  }
  const read = (text: string): void => {
    const payload = JSON.parse(text) as { E: number } | { E: number }[]
    for (const { E } of Array.isArray(payload) ? payload : [payload]) {
      ticks += 1
      if (E < newest) tell({ wrong: `${side}: an older price after a newer one` })
      newest = E
    }
  }
  await openMany(clients, (nth) =>
    openRawClient({
      port,
      path,
      ...(say !== undefined && { say }),
      ...(nth === 0 && { onText: read }),
      onTexts: count,
      onClose: () => tell({ wrong: `${side} has closed a connection` }),
    }),
  )
  tell({ open: side })
}

function tell(message: FromCountingSink): void {
  process.send?.(message)
}
