import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  ALERT_RULE_NAMES,
  ALERT_RULES,
  type AlertRule,
  judgeAlerts,
  repeatPauseMs,
  type RuleInForce,
  type SiteState,
} from '#core/alerts/alert-rules.ts'

const QUIET: SiteState = {
  ledgerDiffers: false,
  reportDifferences: { count: 0, amount: 0 },
  takesOrders: true,
  faults: [],
  crashes: [],
  voids: 0,
  feeds: [],
  caps: [],
  withdrawals: { waiting: 0, oldestMinutes: 0, amount: 0 },
  deposits: { waiting: 0, oldestMinutes: 0, amount: 0 },
  tickets: { waiting: 0, oldestHours: 0 },
  areCountriesMissing: false,
  countryTableDays: null,
  errors: 0,
  failingMails: 0,
  newDevices: [],
  changes: [],
}

function rules(change: Partial<Record<AlertRule, Partial<RuleInForce>>> = {}): Record<AlertRule, RuleInForce> {
  const entries = ALERT_RULE_NAMES.map((name) => [name, { isOn: true, ...ALERT_RULES[name], ...change[name] }])
  return Object.fromEntries(entries) as Record<AlertRule, RuleInForce>
}

const found = (state: Partial<SiteState>, change?: Parameters<typeof rules>[0]) =>
  judgeAlerts({ ...QUIET, ...state }, rules(change)).map(({ rule, key, facts }) => ({ rule, key, ...facts }))

it('judgeAlerts reports nothing on a site without problems', () => {
  expect(found({})).toEqual([])
})

it.each([
  [{ ledgerDiffers: true }, [{ rule: 'ledger_differs', key: '' }]],
  [{ reportDifferences: { count: 1, amount: 25 } }, [{ rule: 'reports_differ', key: '', count: 1, amount: 25 }]],
  [{ takesOrders: false }, [{ rule: 'no_orders', key: '' }]],
  [{ faults: ['database_full'] }, [{ rule: 'server_fault', key: 'database_full', fault: 'database_full' }]],
  [
    { crashes: [{ run: 'r1', server: 'a', downSeconds: 12 }] },
    [{ rule: 'crash', key: 'r1', server: 'a', seconds: 12 }],
  ],
  [{ tickets: { waiting: 3, oldestHours: 23 } }, []],
  [{ tickets: { waiting: 3, oldestHours: 24 } }, [{ rule: 'tickets_wait', key: '', count: 3, hours: 24 }]],
  [{ voids: 10 }, []],
  [{ voids: 11 }, [{ rule: 'voids', key: '', count: 11 }]],
  [{ feeds: [{ code: 'BTC', minutes: 5 }] }, []],
  [
    {
      feeds: [
        { code: 'ETH', minutes: 6 },
        { code: 'BTC', minutes: 7 },
      ],
    },
    [{ rule: 'feeds', key: '', count: 2, symbols: 'BTC, ETH' }],
  ],
  [{ withdrawals: { waiting: 1, oldestMinutes: 120, amount: 1_000_000 } }, []],
  [
    { withdrawals: { waiting: 2, oldestMinutes: 121, amount: 500 } },
    [{ rule: 'withdrawals_wait', key: '', count: 2, amount: 500, minutes: 121 }],
  ],
  [
    { withdrawals: { waiting: 2, oldestMinutes: 1, amount: 1_000_001 } },
    [{ rule: 'withdrawals_sum', key: '', count: 2, amount: 1_000_001 }],
  ],
  [
    { deposits: { waiting: 1, oldestMinutes: 500, amount: 700 } },
    [{ rule: 'deposits_wait', key: '', count: 1, amount: 700, minutes: 500 }],
  ],
  [{ caps: [{ of: 'site_all', percent: 79.9, isFull: false }] }, []],
  [
    { caps: [{ of: 'site_all', percent: 80, isFull: false }] },
    [{ rule: 'cap_fills', key: 'site_all', cap: 'site_all', percent: 80 }],
  ],
  [
    { caps: [{ of: 'symbol_BTC', percent: 99, isFull: true }] },
    [{ rule: 'cap_full', key: 'symbol_BTC', cap: 'symbol_BTC' }],
  ],
  [{ areCountriesMissing: true }, [{ rule: 'countries_missing', key: '' }]],
  [{ countryTableDays: 120 }, []],
  [{ countryTableDays: 121 }, [{ rule: 'countries_old', key: '', days: 121 }]],
  [{ errors: 6 }, [{ rule: 'errors', key: '', count: 6 }]],
  [{ failingMails: 6 }, [{ rule: 'mail_fails', key: '', count: 6 }]],
  [{ newDevices: [{ id: 'd1', staff: 'sam' }] }, [{ rule: 'staff_device', key: 'd1', staff: 'sam' }]],
  [{ changes: [{ id: 'c1', kind: 'gateway' }] }, [{ rule: 'sensitive_change', key: 'c1', kind: 'gateway' }]],
] as const)('judges %j', (state, expected) => {
  expect(found(state)).toEqual(expected)
})

it('judgeAlerts reports nothing for a rule that is off, and compares with the threshold that an owner set', () => {
  expect(found({ voids: 3 }, { voids: { threshold: 2 } })).toHaveLength(1)
  expect(found({ voids: 30 }, { voids: { isOn: false } })).toEqual([])
})

it('judgeAlerts reports each pair of rule and key only once, so that one cause gives one alert', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 6 })
  fc.assert(
    fc.property(names, names, fc.nat(40), (faults, codes, minutes) => {
      const firings = found({ faults, feeds: codes.map((code) => ({ code, minutes })), voids: minutes })
      const keys = firings.map(({ rule, key }) => `${rule} ${key}`)
      expect(new Set(keys).size).toBe(keys.length)
    }),
  )
})

it('messages about an alert are repeated after 15 minutes, then after an hour, then every four hours', () => {
  expect([1, 2, 3, 4, 50].map((sent) => repeatPauseMs(sent) / 60_000)).toEqual([15, 60, 240, 240, 240])
})
