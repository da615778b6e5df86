import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'

interface FaultText {
  /** The cause, and what to do. This is the fault's only log line at its beginning. */
  readonly begins: string
  readonly ends: string
  /** Whether the fault keeps the server from accepting orders. */
  readonly stopsTrading: boolean
}

/** Possible faults around a server, described for its operator. */
export const FAULTS = {
  database_silent: {
    begins:
      'the database does not answer: no orders are taken. Check its host, its network and whether it runs; the server connects again by itself',
    ends: 'the database answers again',
    stopsTrading: true,
  },
  database_full: {
    begins:
      'the database has no room left on its disk: nothing can be written and no orders are taken. Make room on that disk; the server goes on by itself',
    ends: 'the database has room again',
    stopsTrading: true,
  },
  database_read_only: {
    begins:
      'the database is read-only: nothing can be written and no orders are taken. Check whether it failed over, was set so or its disk was; the server goes on by itself',
    ends: 'the database can be written again',
    stopsTrading: true,
  },
  database_broken: {
    begins:
      'the disk or the files of the database fail: nothing can be written and no orders are taken. Check its disk, its limit of open files and its own log; the server goes on by itself',
    ends: 'the files of the database can be written again',
    stopsTrading: true,
  },
  files_used_up: {
    begins:
      'this server may open no more files and connections: nothing can be written and no orders are taken. Raise its limit of open files (ulimit -n, LimitNOFILE); the server goes on by itself',
    ends: 'this server may open files again',
    stopsTrading: true,
  },
  database_refuses: {
    begins:
      'the database turns this server away: no orders are taken. Put right what the line says under why (its max_connections, the user, the password or the name in DATABASE_URL); the server connects again by itself',
    ends: 'the database lets this server in again',
    stopsTrading: true,
  },
  database_crowded: {
    begins:
      'the database has no connection left for some calls, which fail; orders go on. Raise its max_connections, or lower DATABASE_POOL_SIZE',
    ends: 'the database has connections for all calls again',
    stopsTrading: false,
  },
  clock_jumped: {
    begins:
      'the clock of this machine jumped: no prices are written and no orders taken until it is put right. Check its time service (NTP). If the new time is the right one, the server goes on with it within ten minutes, or at once when it is started again',
    ends: 'the clock can be relied on again',
    stopsTrading: true,
  },
  clocks_apart: {
    begins:
      'the clocks of this server and of its database are more than 5 s apart: no prices are written and no orders taken. Put the wrong one right (NTP); the server goes on by itself',
    ends: 'the clocks of this server and of its database agree again',
    stopsTrading: true,
  },
  clock_drifts: {
    begins:
      'the clocks of this server and of its database drift apart: from 5 s on no orders are taken. Check the time service (NTP) of both machines',
    ends: 'the clocks of this server and of its database are close again',
    stopsTrading: false,
  },
  clock_off: {
    begins:
      'the clock of this server is more than 1 s off by the clocks of the price providers, it was set, or the providers have not agreed on a time for five minutes: no orders are taken. Check the time service (NTP) of this machine; the server goes on by itself',
    ends: 'the clock of this server agrees with the price providers',
    stopsTrading: true,
  },
  clock_deviates: {
    begins:
      'the clock of this server is more than 250 ms off by the clocks of the price providers: from 1 s on no orders are taken. Check the time service (NTP) of this machine',
    ends: 'the clock of this server is close to the price providers again',
    stopsTrading: false,
  },
  log_ahead: {
    begins:
      'the newest prices in the log are of a time to come: no orders are taken until the clock has passed them. Check the clock of this machine (NTP); if it is right, wait for as long as the line says',
    ends: 'the clock has passed the newest prices in the log',
    stopsTrading: true,
  },
  connections_full: {
    begins:
      'all connections that may be open are taken: new ones are turned away, orders on those that are open go on. Raise the limit of open files (ulimit -n, LimitNOFILE) if it is low, or run more servers',
    ends: 'there is room for connections again',
    stopsTrading: false,
  },
  register_behind: {
    begins:
      'the register is halted, because a larger state of it may have been published: no orders are taken. Check it with register show, then bring its lost entries back (register recover) or begin a new one (register begin-again)',
    ends: 'the register goes on',
    stopsTrading: true,
  },
  books_differ: {
    begins:
      'the statement of a user does not add up: no statement is given to this user. Check the ledger (npm run ledger:check); the line before this one names the user',
    ends: 'the statements that did not add up do so again',
    stopsTrading: false,
  },
} as const satisfies Readonly<Record<string, FaultText>>

export type FaultKind = keyof typeof FAULTS
export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[]

/** A fault from its beginning to its end. */
export interface FaultSpell {
  readonly kind: FaultKind
  readonly since: Instant
  /** When the fault ended. Null while it lasts. */
  readonly until: Instant | null
  /** The largest size in seconds; null for faults without a size. */
  readonly seconds: number | null
}

export interface FaultFacts {
  readonly seconds?: number
  /** The database connections that do not answer. */
  readonly ways?: readonly string[]
  /** The system's error text. */
  readonly why?: string
}

const MAX_SPELLS = 100

/** Keeps current faults and those of the last 24 hours. Logs each fault once, with its cause and what to do. */
export class FaultRegistry {
  readonly #ctx: Pick<Ctx, 'log' | 'now'>
  readonly #current = new Map<FaultKind, { since: Instant; seconds: number | null }>()
  #past: FaultSpell[] = []

  constructor(ctx: Pick<Ctx, 'log' | 'now'>) {
    this.#ctx = ctx
  }

  /** Sets or clears a fault. `facts` include the size in seconds, if the fault has a size. Null clears the fault. */
  set(kind: FaultKind, facts: FaultFacts | null): void {
    const spell = this.#current.get(kind)
    if (facts === null) {
      if (spell !== undefined) this.#end(kind, spell)
      return
    }
    const seconds = facts.seconds === undefined ? null : Math.round(facts.seconds * 10) / 10
    if (spell === undefined) {
      this.#current.set(kind, { since: this.#ctx.now(), seconds })
      this.#ctx.log.error({ fault: kind, ...facts, ...(seconds !== null && { seconds }) }, FAULTS[kind].begins)
    } else if (seconds !== null && Math.abs(seconds) > Math.abs(spell.seconds ?? 0)) {
      spell.seconds = seconds
    }
  }

  has(kind: FaultKind): boolean {
    return this.#current.has(kind)
  }

  /** The fault that keeps the server from accepting orders; null when there is none. */
  get stopping(): FaultKind | null {
    for (const kind of this.#current.keys()) if (FAULTS[kind].stopsTrading) return kind
    return null
  }

  /** Returns current faults, then faults that ended in the last 24 hours, latest first. */
  recent(): FaultSpell[] {
    const since = this.#ctx.now() - DAY_MS
    this.#past = this.#past.filter(({ until }) => until === null || until >= since)
    const lasting = [...this.#current].map(([kind, spell]) => ({ kind, ...spell, until: null }))
    return [...lasting.toReversed(), ...this.#past.toReversed()]
  }

  #end(kind: FaultKind, spell: { since: Instant; seconds: number | null }): void {
    const until = this.#ctx.now()
    this.#current.delete(kind)
    this.#past.push({ kind, ...spell, until })
    if (this.#past.length > MAX_SPELLS) this.#past.shift()
    this.#ctx.log.warn({ fault: kind, lastedMs: until - spell.since }, FAULTS[kind].ends)
  }
}
