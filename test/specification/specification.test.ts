import { expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { SCREEN_PATHS } from '#core/navigation/screens.ts'
import english from '#messages/en.json' with { type: 'json' }
import { ATTACKS } from '#test/security/table.ts'
import { CALLS } from '#test/specification/calls.ts'
import { ERROR_TEXTS } from '#test/specification/errors.ts'
import { findNamedTests } from '#test/specification/find-named-tests.ts'
import { ROUTES } from '#test/specification/routes.ts'
import { SPECIFICATION } from '#test/specification/table.ts'
import { TEXTS } from '#test/specification/texts.ts'

it('the table names every requirement once', () => {
  for (const { title, rows } of SPECIFICATION) {
    const names = rows.map(({ about }) => about)
    expect(names, title).toEqual([...new Set(names)])
  }
})

it('every id occurs once and has a test file', () => {
  const ids = [...SPECIFICATION, ATTACKS].flatMap(({ rows }) => rows.map(({ id }) => id))
  expect(ids).toEqual([...new Set(ids)])
  const tests = findNamedTests()
  expect(ids.filter((id) => !tests.has(id))).toEqual([])
})

it('the table contains a row with its path for each specified screen', () => {
  const added = [
    'outbox',
    'liabilities',
    'fairness',
    'check',
    'no_control',
    'incidents',
    'register',
    'prices',
    'security',
    'changes',
    'limits',
    'statement',
    'figures',
    'inbox',
    'notice',
    'leave',
    'unsubscribe',
    'recover',
    'stop_recovery',
    'terms_of_use',
    'data',
    'keys',
    'alerts',
    'close',
    'tickets',
    'new_ticket',
    'ticket',
  ]
  const specified = Object.fromEntries(Object.entries(SCREEN_PATHS).filter(([name]) => !added.includes(name)))
  const listed = Object.fromEntries(ROUTES.rows.map(({ about, says }) => [about, says]))
  expect(listed).toEqual({ ...specified, not_found: 'any other path' })
})

it('the table contains a row for each specified call', () => {
  const added = new Set<string>([
    'GET /outbox',
    'POST /user/auth/logout',
    'GET /user/trade/{id}',
    'GET /user/trade/{id}/sale',
    'POST /user/trade/{id}/sell',
    'GET /user/trade/{id}/ticks',
    'POST /user/deposits/{trx}/requote',
    'POST /user/deposits/{trx}/close',
    'POST /user/withdrawals/{trx}/cancel',
    'POST /user/profile/image/remove',
    'GET /user/posts',
    'GET /user/posts/{slug}',
    'GET /user/home',
    'GET /user/tasks',
    'POST /user/tasks/checked',
    'GET /user/display-rates',
    'GET /user/texts/{language}',
    'GET /user/announcements',
    'GET /user/desk',
    'POST /user/desk',
    'GET /user/drawings/{product}',
    'POST /user/drawings/{product}',
    'GET /user/terms',
    'GET /user/terms/{version}',
    'POST /user/terms/agree',
    'GET /user/keys',
    'POST /user/keys',
    'POST /user/keys/{id}/end',
    'POST /user/keys/end-all',
    'GET /user/key',
    'GET /user/alerts',
    'POST /user/alerts',
    'POST /user/alerts/{id}',
    'POST /user/alerts/{id}/end',
    'POST /user/alerts/{id}/again',
    'GET /user/data/export',
    'POST /user/data/export',
    'GET /user/data/export/{id}',
    'GET /proof/receipts/{trx}/register',
    'GET /proof/money/{trx}',
    'GET /proof/register',
    'GET /proof/sources',
    'GET /proof/sources/{number}',
    'GET /proof/register/batches/{index}',
    'GET /proof/register/consistency',
    'POST /proof/cosignatures',
    'GET /proof/liabilities',
    'GET /user/proof/liabilities',
    'GET /candles/{product}/{interval}/{page}',
    'POST /user/recent-ticks',
    'GET /proof/receipts/{trx}',
    'GET /proof/evidence/{trx}',
    'GET /proof/keys',
    'GET /proof/heads',
    'GET /proof/incidents',
    'GET /proof/terms',
    'GET /proof/caps',
    'GET /proof/measures',
    'GET /proof/service-levels',
    'GET /proof/people',
    'GET /proof/acts',
    'GET /proof/texts',
    'GET /user/adjustments',
    'GET /user/figures',
    'GET /user/statement',
    'GET /user/statement.csv',
    'GET /user/statement/signed',
    'POST /user/adjustments/{trx}/dispute',
    'GET /proof/fairness',
    'GET /proof/voids',
    'GET /proof/audit',
    'POST /user/auth/second-step',
    'POST /user/auth/passkey/options',
    'POST /user/auth/passkey',
    'GET /user/measures',
    'GET /user/security',
    'POST /user/security/confirm',
    'POST /user/security/passkey/options',
    'POST /user/security/passkeys',
    'POST /user/security/passkeys/{id}/rename',
    'POST /user/security/passkeys/{id}/remove',
    'POST /user/security/authenticator',
    'POST /user/security/authenticator/on',
    'POST /user/security/authenticator/off',
    'POST /user/security/recovery-codes',
    'POST /user/security/sessions/{id}/end',
    'POST /user/security/sessions/end-others',
    'POST /user/security/sign-ins/noticed',
    'GET /user/notices',
    'POST /user/notices/read',
    'GET /user/notices/mail',
    'POST /user/notices/mail',
    'GET /user/push',
    'POST /user/push/subscriptions',
    'POST /user/push/subscriptions/{id}',
    'POST /user/push/subscriptions/{id}/remove',
    'POST /user/push/subscriptions/{id}/test',
    'POST /user/push/topics',
    'GET /user/limits',
    'POST /user/limits',
    'POST /user/limits/confirm',
    'POST /user/limits/drop',
    'POST /user/limits/prompt',
    'POST /user/reality/seen',
    'GET /notices/unsubscribe/{token}',
    'POST /notices/unsubscribe/{token}',
    'POST /user/breaks/time-out',
    'POST /user/breaks/exclusion',
    'POST /user/breaks/return',
    'POST /user/breaks/return/confirm',
    'POST /user/recovery/stop',
    'POST /recovery/stop/{token}',
    'GET /recovery/{token}',
    'POST /recovery/{token}',
    'POST /user/leave/code',
    'GET /user/leave',
    'POST /user/leave',
    'GET /user/close',
    'POST /user/close',
    'POST /user/close/cancel',
    'GET /user/practice',
    'POST /user/practice/open',
    'POST /user/practice/reset',
    'GET /user/tickets',
    'POST /user/tickets',
    'GET /user/tickets/{no}',
    'POST /user/tickets/{no}/messages',
    'POST /user/tickets/{no}/close',
    'GET /proof/goodwill',
  ])
  const offered = Object.values(calls).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  const listed = CALLS.rows.map(({ about }) => about).filter((about) => /^(GET|POST) /.test(about))
  expect(listed.toSorted()).toEqual(offered.filter((call) => !added.has(call)).toSorted())
})

it('the table quotes texts as they are in the English language file', () => {
  const texts = new Set(Object.values<Record<string, string>>(english).flatMap((section) => Object.values(section)))
  const quoted = [...TEXTS.rows, ...ERROR_TEXTS.rows].map(({ about }) => about)
  expect(quoted.filter((text) => !texts.has(text))).toEqual([])
})
