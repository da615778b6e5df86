import { createHash } from 'node:crypto'
import { formatDecimal } from '#core/money/decimal.ts'
import { VOLUME_DECIMALS } from '#core/money/price.ts'
import { instant, toIso } from '#core/time/instant.ts'

const BEGINNING = { seq: 0, hash: '0'.repeat(64) }

interface Day {
  readonly symbol: string
  readonly decimals: number
  /** The end of the log before the day. Without it, the day is the first of its log. */
  readonly previous?: { readonly seq: number; readonly hash: string }
}

/**
 * Formats a day of one symbol like `GET /api/ticks/{day}.csv`. Each payload is a batch in version 2 of the log's text
 * format.
 */
export function dayCsv(payloads: readonly string[], { symbol, decimals, previous = BEGINNING }: Day): string {
  let { seq, hash } = previous
  const rows = payloads.flatMap((payload) => {
    hash = createHash('sha256').update(Buffer.from(hash, 'hex')).update(payload).digest('hex')
    const lines = payload.trimEnd().split('\n')
    return lines.map((line, at) => {
      const words = line.split(' ')
      const end = at === lines.length - 1 ? hash : ''
      const [kind, second, third, ...rest] = words
      if (kind === '2') return `2,,,,,,,,${second},,${[third, ...rest].join(' ')},${end}`
      if (kind === 'x' || kind === 'u') return `${kind},,,,${second},${symbol},,,${third},,${rest.join(' ')},${end}`
      const [, place, symbolId, price = '', volume = '', time, received, source, ref] = words
      seq = Number(place)
      return [
        kind,
        place,
        time,
        toIso(instant(Number(time))),
        symbolId,
        symbol,
        decimal(price, decimals),
        decimal(volume, VOLUME_DECIMALS),
        source,
        received,
        ref === '-' ? '' : ref,
        end,
      ].join(',')
    })
  })
  return [
    '# format,2',
    'line,seq,time_ms,time,symbol_id,symbol,price,volume,source,received_ms,ref,batch_hash',
    ...rows,
    `# previous,${previous.seq},${previous.hash}`,
    `# head,${seq},${hash}`,
    '',
  ].join('\r\n')
}

function decimal(units: string, digits: number): string {
  return formatDecimal(BigInt(units), digits)
}
