import { type SeenRow, textIn } from './seen-row.ts'
import type { BreakAudit } from './break-audit.ts'

export type AlertKind = 'above' | 'below' | 'move'

/** An alert as its user has set it. */
export interface SetAlert {
  readonly id: string
  readonly userId: string
  /** `move` is in hundredths of a percent. */
  readonly rule:
    | { readonly kind: 'above' | 'below'; readonly level: number }
    | { readonly kind: 'move'; readonly move: number }
  readonly repeats: boolean
  readonly coolMs: number
  readonly expiresAt: number
  readonly fromSeq: number
  readonly basis: { readonly seq: number; readonly price: number }
  readonly from: number
  readonly until: number
}

interface Tick {
  readonly seq: number
  readonly price: number
  readonly time: number
  /** When the batch of the tick was written. */
  readonly at: number
}

interface Firing {
  readonly seq: number
  readonly at: number
}

interface Known {
  readonly set: SetAlert
  readonly fired: Firing[]
  readonly notices: Firing[]
  /** From this time on, the alert may have ended because its user requested it. */
  endsFrom: number
}

const SYMBOL = 1

/**
 * Checks price alerts with its own evaluation of the tick log. Each alert must fire once at each tick at which its rule
 * requires it. Its user must get one notice of each firing.
 */
export class AlertAudit {
  readonly #complain: (what: string) => void
  readonly #breaks: (userId: string) => BreakAudit
  readonly #alerts = new Map<string, Known>()
  readonly #strays = new Map<string, { readonly fired: Firing[]; readonly notices: Firing[] }>()
  readonly #published = new Set<string>()
  readonly #ticks: Tick[] = []

  constructor(complain: (what: string) => void, breaks: (userId: string) => BreakAudit) {
    this.#complain = complain
    this.#breaks = breaks
  }

  set(set: SetAlert): void {
    const { fired, notices } = this.#strays.get(set.id) ?? { fired: [], notices: [] }
    this.#alerts.set(set.id, { set, fired, notices, endsFrom: Infinity })
  }

  endRequested(id: string, from: number): void {
    const known = this.#alerts.get(id)
    if (known !== undefined) known.endsFrom = Math.min(known.endsFrom, from)
  }

  /** Notes that the server announced a firing, and reports a second announcement of the same firing. */
  published(id: string, seq: number): void {
    const key = `${id} ${seq}`
    if (this.#published.has(key)) this.#complain(`the alert ${id} was announced twice at tick ${seq}`)
    this.#published.add(key)
  }

  see({ table, at, before, after }: SeenRow): void {
    if (after === null) return
    if (table === 'tick_batch') this.#readBatch(textIn(after, 'payload'), at)
    if (table === 'price_alert' && before !== null && after['round'] !== before['round'])
      this.#find(textIn(after, 'id')).fired.push({ seq: Number(after['fired_seq']), at })
    if (table === 'notice' && before === null && after['kind'] === 'price_alert') {
      const id = textIn(after, 'subject').split(' ')[0] ?? ''
      const { tick } = after['data'] as { readonly tick: number }
      this.#find(id).notices.push({ seq: tick, at })
      if (this.#breaks(textIn(after, 'user_id')).isOn(at)) this.#complain(`an alert had its notice during a break`)
    }
  }

  /**
   * Checks all alerts. Call it when the server, since `calmSince`, has had the time to read all ticks for alerts and to
   * write all waiting notices.
   */
  check(calmSince: number): void {
    for (const known of this.#alerts.values()) this.#check(known, calmSince)
  }

  #check({ set, fired, notices, endsFrom }: Known, calmSince: number): void {
    const { id, userId } = set
    const breaks = this.#breaks(userId)
    const due = dueFirings(set, this.#ticks)
    for (const [at, { seq }] of fired.entries()) {
      if (fired.findIndex((one) => one.seq === seq) !== at) this.#complain(`the alert ${id} fired twice at tick ${seq}`)
      else if (due[at]?.seq !== seq)
        this.#complain(`the alert ${id} fired at tick ${seq}, not at ${due[at]?.seq ?? 'none'}`)
    }
    const missed = due[fired.length]
    if (missed !== undefined && missed.at < endsFrom && !breaks.mayBeExcluded(set.from, Infinity))
      this.#complain(`the alert ${id} did not fire at tick ${missed.seq}`)
    for (const { seq, at } of fired) {
      const times = notices.filter((one) => one.seq === seq).length
      if (times > 1) this.#complain(`the alert ${id} has ${times} notices of tick ${seq}`)
      if (times === 0 && !breaks.mayBeExcluded(at, Infinity) && !breaks.mayBeOn(calmSince, Infinity))
        this.#complain(`the alert ${id} has no notice of tick ${seq}`)
    }
    if (notices.some(({ seq }) => fired.every((one) => one.seq !== seq)))
      this.#complain(`the alert ${id} has a notice without a firing`)
  }

  #readBatch(payload: string, at: number): void {
    for (const line of payload.split('\n')) {
      const [what, seq, symbolId, price, , time] = line.split(' ')
      if (what !== 't' || Number(symbolId) !== SYMBOL) continue
      this.#ticks.push({ seq: Number(seq), price: Number(price), time: Number(time), at })
    }
  }

  #find(id: string): { readonly fired: Firing[]; readonly notices: Firing[] } {
    const known = this.#alerts.get(id) ?? this.#strays.get(id)
    if (known !== undefined) return known
    const stray = { fired: [], notices: [] }
    this.#strays.set(id, stray)
    return stray
  }
}

/** The ticks at which an alert has to fire, by its rule alone. */
function dueFirings(set: SetAlert, ticks: readonly Tick[]): Tick[] {
  const due: Tick[] = []
  let { price: basis } = set.basis
  let isOnOtherSide = true
  let quietUntil = 0
  for (const tick of ticks) {
    if (tick.seq <= set.fromSeq) continue
    if (tick.time > set.expiresAt) break
    const isHit = hits(set.rule, basis, tick.price)
    const fires = isHit && isOnOtherSide && tick.time >= quietUntil
    if (set.rule.kind !== 'move') isOnOtherSide = !isHit
    if (!fires) continue
    due.push(tick)
    if (!set.repeats) break
    basis = tick.price
    quietUntil = tick.time + set.coolMs
  }
  return due
}

function hits(rule: SetAlert['rule'], basis: number, price: number): boolean {
  if (rule.kind === 'move') return Math.abs(price - basis) * 10_000 >= basis * rule.move
  return rule.kind === 'above' ? price >= rule.level : price <= rule.level
}
