import { isTableOld } from '#core/accounts/country-rules.ts'
import type { Role } from '#core/staff/permissions.ts'

/** `wake` asks for action at once, `today` within the day. */
export const ALERT_SEVERITIES = ['wake', 'today'] as const
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number]

/** The unit of a threshold. Money is in cents. */
type ThresholdUnit = 'minutes' | 'hours' | 'count' | 'money' | 'percent'

interface RuleKind {
  readonly severity: AlertSeverity
  /** The roles that are alerted unless an owner chooses others. */
  readonly roles: readonly Role[]
  readonly unit: ThresholdUnit | null
  readonly threshold: number
  /**
   * An alert about an event stays open until staff close it. Other alerts close by themselves when their cause has
   * ended.
   */
  readonly isEvent: boolean
}

/** The kinds of alerts, with the values that apply until an owner changes them. */
export const ALERT_RULES = {
  ledger_differs: { severity: 'wake', roles: ['owner', 'finance'], unit: null, threshold: 0, isEvent: false },
  reports_differ: { severity: 'wake', roles: ['owner', 'finance'], unit: null, threshold: 0, isEvent: false },
  no_orders: { severity: 'wake', roles: ['owner', 'markets'], unit: null, threshold: 0, isEvent: false },
  server_fault: { severity: 'wake', roles: ['owner'], unit: null, threshold: 0, isEvent: false },
  crash: { severity: 'wake', roles: ['owner', 'markets'], unit: null, threshold: 0, isEvent: true },
  voids: { severity: 'wake', roles: ['owner', 'markets'], unit: 'count', threshold: 10, isEvent: false },
  feeds: { severity: 'wake', roles: ['owner', 'markets'], unit: 'minutes', threshold: 5, isEvent: false },
  cap_full: { severity: 'wake', roles: ['owner', 'markets'], unit: null, threshold: 0, isEvent: false },
  cap_fills: { severity: 'today', roles: ['owner', 'markets'], unit: 'percent', threshold: 80, isEvent: false },
  withdrawals_wait: { severity: 'today', roles: ['owner', 'finance'], unit: 'minutes', threshold: 120, isEvent: false },
  withdrawals_sum: {
    severity: 'today',
    roles: ['owner', 'finance'],
    unit: 'money',
    threshold: 1_000_000,
    isEvent: false,
  },
  deposits_wait: { severity: 'today', roles: ['owner', 'finance'], unit: 'minutes', threshold: 120, isEvent: false },
  tickets_wait: {
    severity: 'today',
    roles: ['owner', 'support'],
    unit: 'hours',
    threshold: 24,
    isEvent: false,
  },
  countries_missing: { severity: 'today', roles: ['owner'], unit: null, threshold: 0, isEvent: false },
  countries_old: { severity: 'today', roles: ['owner'], unit: null, threshold: 0, isEvent: false },
  errors: { severity: 'today', roles: ['owner'], unit: 'count', threshold: 5, isEvent: false },
  mail_fails: { severity: 'today', roles: ['owner'], unit: 'count', threshold: 5, isEvent: false },
  staff_device: { severity: 'today', roles: ['owner'], unit: null, threshold: 0, isEvent: true },
  sensitive_change: { severity: 'today', roles: ['owner'], unit: null, threshold: 0, isEvent: false },
} as const satisfies Readonly<Record<string, RuleKind>>

export type AlertRule = keyof typeof ALERT_RULES
export const ALERT_RULE_NAMES = Object.keys(ALERT_RULES) as AlertRule[]

export function isAlertRule(name: string): name is AlertRule {
  return Object.hasOwn(ALERT_RULES, name)
}

/** The values of an alert rule that are in force. */
export interface RuleInForce {
  readonly isOn: boolean
  readonly severity: AlertSeverity
  readonly roles: readonly Role[]
  readonly threshold: number
}

/** Values for the text of an alert. Sums and counts only: no names of users and no single payments. */
export type AlertFacts = Readonly<Record<string, string | number>>

/** A finding of a rule. All findings with the same rule and key are one alert until it closes. */
export interface Firing {
  readonly rule: AlertRule
  readonly key: string
  readonly facts: AlertFacts
}

/** The facts about the site that the rules check. */
export interface SiteState {
  readonly ledgerDiffers: boolean
  /**
   * The number of comparisons of a report with the ledger that found a difference, and the largest difference in cents.
   */
  readonly reportDifferences: { readonly count: number; readonly amount: number }
  readonly takesOrders: boolean
  /** Faults of this server, its database and its clock. */
  readonly faults: readonly string[]
  /** Server runs that ended in a crash, with the seconds after the crash in which no server ran. */
  readonly crashes: readonly { readonly run: string; readonly server: string; readonly downSeconds: number }[]
  /** The number of orders that became void in the last hour. */
  readonly voids: number
  /** Symbols in an open session whose price is old or suspect, and for how many minutes. */
  readonly feeds: readonly { readonly code: string; readonly minutes: number }[]
  /** The caps in force, and how much of each cap its fuller side uses. */
  readonly caps: readonly CapState[]
  readonly withdrawals: Queue
  readonly deposits: Queue
  /** The number of tickets that wait for a reply, and how long the oldest has waited. */
  readonly tickets: { readonly waiting: number; readonly oldestHours: number }
  /** Whether country rules need the country of an address while the site has no source for countries. */
  readonly areCountriesMissing: boolean
  /** Days since the table of countries was built. Null without a table, or when no rule needs it. */
  readonly countryTableDays: number | null
  /** The number of different errors that this server logged in the last hour. */
  readonly errors: number
  /** Mails that failed at least three times and that the server still tries to send. */
  readonly failingMails: number
  /** Log-ins of staff with a new device, by their audit entry. */
  readonly newDevices: readonly { readonly id: string; readonly staff: string }[]
  /** Changes that wait for a second person's approval or for the time when they apply. */
  readonly changes: readonly { readonly id: string; readonly kind: string }[]
}

interface CapState {
  /** The subject of the cap, as text of the trade terms, such as `symbol_BTC`. */
  readonly of: string
  readonly percent: number
  /** Whether the cap refuses even an order with the smallest stake. */
  readonly isFull: boolean
}

interface Queue {
  readonly waiting: number
  readonly oldestMinutes: number
  /** In cents. */
  readonly amount: number
}

const SYMBOLS_NAMED = 5

/** Judges the state of the site by the rules that are on. */
export function judgeAlerts(state: SiteState, rules: Readonly<Record<AlertRule, RuleInForce>>): Firing[] {
  return ALERT_RULE_NAMES.filter((rule) => rules[rule].isOn).flatMap((rule) =>
    FINDERS[rule](state, rules[rule].threshold).map((found) => ({ rule, ...found })),
  )
}

type Found = Omit<Firing, 'rule'>
type Finder = (state: SiteState, threshold: number) => readonly Found[]

const FINDERS: Readonly<Record<AlertRule, Finder>> = {
  ledger_differs: ({ ledgerDiffers }) => (ledgerDiffers ? one({}) : []),
  reports_differ: ({ reportDifferences: { count, amount } }) => (count > 0 ? one({ count, amount }) : []),
  no_orders: ({ takesOrders }) => (takesOrders ? [] : one({})),
  server_fault: ({ faults }) => faults.map((fault) => ({ key: fault, facts: { fault } })),
  crash: ({ crashes }) =>
    crashes.map(({ run, server, downSeconds }) => ({ key: run, facts: { server, seconds: downSeconds } })),
  voids: ({ voids }, most) => (voids > most ? one({ count: voids }) : []),
  feeds: ({ feeds }, most) => {
    const late = feeds.filter(({ minutes }) => minutes > most).map(({ code }) => code)
    if (late.length === 0) return []
    return one({ count: late.length, symbols: late.toSorted().slice(0, SYMBOLS_NAMED).join(', ') })
  },
  cap_full: ({ caps }) => caps.filter(({ isFull }) => isFull).map(({ of }) => ({ key: of, facts: { cap: of } })),
  cap_fills: ({ caps }, least) =>
    caps
      .filter(({ percent, isFull }) => percent >= least && !isFull)
      .map(({ of, percent }) => ({ key: of, facts: { cap: of, percent: Math.floor(percent) } })),
  withdrawals_wait: ({ withdrawals }, most) => waitsTooLong(withdrawals, most),
  withdrawals_sum: ({ withdrawals: { amount, waiting } }, most) =>
    amount > most ? one({ count: waiting, amount }) : [],
  deposits_wait: ({ deposits }, most) => waitsTooLong(deposits, most),
  tickets_wait: ({ tickets: { waiting, oldestHours } }, most) =>
    oldestHours >= most ? one({ count: waiting, hours: oldestHours }) : [],
  countries_missing: ({ areCountriesMissing }) => (areCountriesMissing ? one({}) : []),
  countries_old: ({ countryTableDays: days }) => (days !== null && isTableOld(days) ? one({ days }) : []),
  errors: ({ errors }, most) => (errors > most ? one({ count: errors }) : []),
  mail_fails: ({ failingMails }, most) => (failingMails > most ? one({ count: failingMails }) : []),
  staff_device: ({ newDevices }) => newDevices.map(({ id, staff }) => ({ key: id, facts: { staff } })),
  sensitive_change: ({ changes }) => changes.map(({ id, kind }) => ({ key: id, facts: { kind } })),
}

function one(facts: AlertFacts): readonly Found[] {
  return [{ key: '', facts }]
}

function waitsTooLong({ oldestMinutes, waiting, amount }: Queue, most: number): readonly Found[] {
  return oldestMinutes > most ? one({ count: waiting, amount, minutes: oldestMinutes }) : []
}

const MINUTE_MS = 60_000
/** The pauses between the messages about an open alert that no staff member has taken. The last pause repeats. */
const REPEAT_AFTER_MS = [15 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS] as const

/** Returns the pause until the messages about an alert are repeated, after they were sent `sent` times. */
export function repeatPauseMs(sent: number): number {
  return REPEAT_AFTER_MS[Math.min(Math.max(sent, 1), REPEAT_AFTER_MS.length) - 1] ?? REPEAT_AFTER_MS[2]
}
