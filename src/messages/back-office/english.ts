import staff from '#messages/back-office/en/staff.json' with { type: 'json' }
import sessions from '#messages/back-office/en/sessions.json' with { type: 'json' }
import orders from '#messages/back-office/en/orders.json' with { type: 'json' }
import ledger from '#messages/back-office/en/ledger.json' with { type: 'json' }
import find from '#messages/back-office/en/find.json' with { type: 'json' }
import filters from '#messages/back-office/en/filters.json' with { type: 'json' }
import arrivals from '#messages/back-office/en/arrivals.json' with { type: 'json' }
import audit from '#messages/back-office/en/audit.json' with { type: 'json' }
import age from '#messages/back-office/en/age.json' with { type: 'json' }
import staffAlerts from '#messages/back-office/en/staff-alerts.json' with { type: 'json' }
import announcements from '#messages/back-office/en/announcements.json' with { type: 'json' }
import waiting from '#messages/back-office/en/waiting.json' with { type: 'json' }
import common from '#messages/back-office/en/common.json' with { type: 'json' }
import codes from '#messages/back-office/en/codes.json' with { type: 'json' }
import content from '#messages/back-office/en/content.json' with { type: 'json' }
import corrections from '#messages/back-office/en/corrections.json' with { type: 'json' }
import dashboard from '#messages/back-office/en/dashboard.json' with { type: 'json' }
import deposits from '#messages/back-office/en/deposits.json' with { type: 'json' }
import account from '#messages/back-office/en/account.json' with { type: 'json' }
import action from '#messages/back-office/en/action.json' with { type: 'json' }
import area from '#messages/back-office/en/area.json' with { type: 'json' }
import conflict from '#messages/back-office/en/conflict.json' with { type: 'json' }
import transfer from '#messages/back-office/en/transfer.json' with { type: 'json' }
import field from '#messages/back-office/en/field.json' with { type: 'json' }
import gateways from '#messages/back-office/en/gateways.json' with { type: 'json' }
import join from '#messages/back-office/en/join.json' with { type: 'json' }
import live from '#messages/back-office/en/live.json' with { type: 'json' }
import countries from '#messages/back-office/en/countries.json' with { type: 'json' }
import exposure from '#messages/back-office/en/exposure.json' with { type: 'json' }
import maintenance from '#messages/back-office/en/maintenance.json' with { type: 'json' }
import markets from '#messages/back-office/en/markets.json' with { type: 'json' }
import nav from '#messages/back-office/en/nav.json' with { type: 'json' }
import problem from '#messages/back-office/en/problem.json' with { type: 'json' }
import queue from '#messages/back-office/en/queue.json' with { type: 'json' }
import tickets from '#messages/back-office/en/tickets.json' with { type: 'json' }
import recoveries from '#messages/back-office/en/recoveries.json' with { type: 'json' }
import reports from '#messages/back-office/en/reports.json' with { type: 'json' }
import refusal from '#messages/back-office/en/refusal.json' with { type: 'json' }
import role from '#messages/back-office/en/role.json' with { type: 'json' }
import settings from '#messages/back-office/en/settings.json' with { type: 'json' }
import signIn from '#messages/back-office/en/sign-in.json' with { type: 'json' }
import texts from '#messages/back-office/en/texts.json' with { type: 'json' }
import twoPeople from '#messages/back-office/en/two-people.json' with { type: 'json' }
import paymentFiles from '#messages/back-office/en/payment-files.json' with { type: 'json' }
import withdrawals from '#messages/back-office/en/withdrawals.json' with { type: 'json' }
import users from '#messages/back-office/en/users.json' with { type: 'json' }

/** Texts of the back office, one file per section. The back office exists only in English. */
export const backOfficeTexts: BackOfficeTexts = {
  age,
  staff_alerts: staffAlerts,
  announcements,
  waiting,
  common,
  content,
  corrections,
  dashboard,
  deposits,
  account,
  action,
  area,
  conflict,
  transfer,
  field,
  gateways,
  join,
  live,
  codes,
  countries,
  exposure,
  maintenance,
  markets,
  nav,
  problem,
  queue,
  recoveries,
  tickets,
  refusal,
  reports,
  role,
  audit,
  filters,
  find,
  ledger,
  orders,
  sessions,
  staff,
  settings,
  sign_in: signIn,
  texts,
  two_people: twoPeople,
  arrivals,
  payment_files: paymentFiles,
  withdrawals,
  users,
}

/** The type is written out because the compiler does not reuse an inferred type when texts change. */
type BackOfficeTexts = {
  readonly age: typeof age
  readonly staff_alerts: typeof staffAlerts
  readonly announcements: typeof announcements
  readonly waiting: typeof waiting
  readonly common: typeof common
  readonly content: typeof content
  readonly corrections: typeof corrections
  readonly dashboard: typeof dashboard
  readonly deposits: typeof deposits
  readonly account: typeof account
  readonly action: typeof action
  readonly area: typeof area
  readonly conflict: typeof conflict
  readonly transfer: typeof transfer
  readonly field: typeof field
  readonly gateways: typeof gateways
  readonly join: typeof join
  readonly live: typeof live
  readonly codes: typeof codes
  readonly countries: typeof countries
  readonly exposure: typeof exposure
  readonly maintenance: typeof maintenance
  readonly markets: typeof markets
  readonly nav: typeof nav
  readonly problem: typeof problem
  readonly queue: typeof queue
  readonly recoveries: typeof recoveries
  readonly tickets: typeof tickets
  readonly refusal: typeof refusal
  readonly reports: typeof reports
  readonly role: typeof role
  readonly audit: typeof audit
  readonly filters: typeof filters
  readonly find: typeof find
  readonly ledger: typeof ledger
  readonly orders: typeof orders
  readonly sessions: typeof sessions
  readonly staff: typeof staff
  readonly settings: typeof settings
  readonly sign_in: typeof signIn
  readonly texts: typeof texts
  readonly two_people: typeof twoPeople
  readonly arrivals: typeof arrivals
  readonly payment_files: typeof paymentFiles
  readonly withdrawals: typeof withdrawals
  readonly users: typeof users
}
