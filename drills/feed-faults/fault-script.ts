/**
 * The messages of two scripted sources of one symbol, second by second, with their faults.
 * All times are in ms since the start of the run. The fault lasts from `FROM` to `TO`.
 */
export const FROM = 20_000
export const TO = 50_000
export const END = 150_000
const WAY = 30
const LAG = 10_000

export interface Word {
  readonly source: 0 | 1
  readonly kind: 'quote' | 'alive'
  /** When the message arrives at the feed. `time`: the time that the message names. */
  readonly at: number
  readonly time: number
  /** The price in hundredths. Zero for `alive`. */
  readonly units: number
}

export type FaultName =
  | 'none'
  | 'dies'
  | 'freezes'
  | 'lags'
  | 'lies'
  | 'lies once'
  | 'flaps'
  | 'drops out'
  | 'second lies'

/** Returns all messages of the sources in the order of their arrival. */
export function script(fault: FaultName, sources: 1 | 2): Word[] {
  const words: Word[] = []
  for (let second = 0; second < END; second += 500) {
    words.push(...said(fault, 0, 'quote', second + 70))
    if (second % 1_000 === 0) words.push(...said(fault, 0, 'alive', second + 250))
    if (sources === 1) continue
    words.push(...said(fault, 1, 'quote', second + 320))
    if (second % 1_000 === 0) words.push(...said(fault, 1, 'alive', second + 450))
  }
  return words.toSorted((a, b) => a.at - b.at || a.time - b.time)
}

/** Consecutive prices differ, and the sources differ by less than 0.01 %. */
function priceAt(source: 0 | 1, time: number): number {
  return 6_000_000 + (((time / 10) * 7_919) % 4_001) + source * 500
}

function said(fault: FaultName, source: 0 | 1, kind: Word['kind'], time: number): Word[] {
  const word = { source, kind, at: time + WAY, time, units: kind === 'quote' ? priceAt(source, time) : 0 }
  const isOurs = (source === 1) === (fault === 'second lies')
  if (!isOurs || time < FROM) return [word]
  const isDuring = time < TO
  const lie = { ...word, units: Math.round(word.units * 1.05) }
  switch (fault) {
    case 'none':
      return [word]
    case 'dies':
      return []
    case 'freezes':
      return isDuring ? [] : [word]
    // During the fault each message is late by `LAG`. A later message does not overtake the late ones.
    case 'lags':
      return [{ ...word, at: isDuring ? word.at + LAG : Math.max(word.at, TO + LAG + WAY) }]
    case 'lies':
    case 'second lies':
      return [isDuring ? lie : word]
    case 'lies once':
      return [time < FROM + 500 ? lie : word]
    case 'flaps':
      return isDuring && (time - FROM + 700) % 2_000 >= 1_000 ? [] : [word]
    case 'drops out':
      return isDuring && (time - FROM) % 3_000 < 2_000 ? [] : [word]
  }
}
