import { type Chapter, row, testsIn } from '#test/specification/row.ts'

const orders = testsIn('test/security/orders.test.ts')
const sockets = testsIn('test/security/sockets.test.ts')
const owners = testsIn('test/security/owners.test.ts')
const edges = testsIn('test/security/edges.test.ts')
const outgoing = testsIn('test/security/outgoing.test.ts')
const files = testsIn('test/security/files-and-texts.test.ts')
const faults = testsIn('test/security/faults.test.ts')
const fuzz = testsIn('test/security/fuzz.test.ts')
const accounts = testsIn('test/security/accounts.test.ts')
const sessions = testsIn('test/security/sessions.test.ts')
const logs = testsIn('test/security/logs.test.ts')
const migrations = testsIn('test/security/migrations.test.ts')
const enumeration = testsIn('src/server/users/log-in/enumeration.test.ts')
const security = testsIn('src/server/users/security/security.test.ts')
const liveMode = testsIn('e2e/live-mode.spec.ts')
const packages = testsIn('scripts/lib/find-bad-packages.test.ts')
const acceptor = testsIn('src/server/trading/engine/acceptor.test.ts')
const settler = testsIn('src/server/trading/engine/settler.test.ts')
const settleGuard = testsIn('src/server/trading/engine/settle-guard.test.ts')
const settlementPrice = testsIn('src/core/orders/settlement-price.test.ts')
const withdrawals = testsIn('src/server/payments/withdrawals/withdrawals.test.ts')
const staffWithdrawals = testsIn('src/server/back-office/withdrawals/withdrawals.test.ts')
const deposits = testsIn('src/server/payments/deposits/deposits.test.ts')
const staffDeposits = testsIn('src/server/back-office/deposits/deposits.test.ts')
const tasks = testsIn('src/server/payments/rewards/tasks.test.ts')
const corrections = testsIn('src/server/back-office/adjustments/adjustments.test.ts')
const informed = testsIn('sim/strategies/latency-arbitrage.test.ts')
const heldOrders = testsIn('src/server/trading/engine/delayed-orders.test.ts')
const judge = testsIn('src/core/markets/sources/source-judge.test.ts')
const auth = testsIn('src/server/users/log-in/auth.test.ts')
const reset = testsIn('src/server/users/password-reset/password-reset.test.ts')
const verification = testsIn('src/server/users/verification/verification.test.ts')
const pins = testsIn('src/server/payments/withdrawals/pins.test.ts')
const uploads = testsIn('src/server/platform/uploads/uploads.test.ts')
const picture = testsIn('src/server/users/profile/picture.test.ts')
const cleanText = testsIn('src/server/platform/html/sanitize-markup.test.ts')
const markup = testsIn('src/core/content/markup-html.test.ts')
const gateways = testsIn('src/server/back-office/gateways/gateways.test.ts')
const log = testsIn('src/server/platform/runtime/log.test.ts')
const access = testsIn('test/security/access.test.ts')
const staff = testsIn('src/server/back-office/staff/staff.test.ts')
const chain = testsIn('src/server/audit/audit-chain.test.ts')
const http = testsIn('src/server/platform/http/http.test.ts')
const races = testsIn('test/security/races.test.ts')
const backup = testsIn('test/security/backup.test.ts')
const strangers = testsIn('test/security/strangers.test.ts')
const stolen = testsIn('test/security/stolen-session.test.ts')
const queue = testsIn('src/server/platform/limits/fair-queue.test.ts')
const gate = testsIn('src/server/platform/http/stranger-gate.test.ts')
const subnet = testsIn('src/server/platform/limits/subnet.test.ts')
const abuse = testsIn('src/server/sockets/socket-abuse.test.ts')
const crash = testsIn('src/server/app/crash.test.ts')
const database = testsIn('src/server/platform/database/database.test.ts')

/** The attacks that this product is tried with, by number, and the tests that try them. */
export const ATTACKS: Chapter = {
  title: 'Attacks',
  rows: [
    row('1', 'stakes that are none', orders('attack 1:')),
    row('2', 'durations and expiries of the client', orders('attack 2:')),
    row('3', 'directions, symbols and markets that are not offered', orders('attack 3:')),
    row('4', 'prices, payouts, balances and people said by the client; __proto__', orders('attack 4:')),
    row(
      '5',
      'one order a hundred times at once, on several sockets and servers',
      orders('attack 5:'),
      acceptor('the same client order id > gives the first answer, also in parallel'),
    ),
    row('6', 'the same id with another stake', orders('attack 6:')),
    row('7', 'fifty orders of all there is', orders('attack 7:')),
    row(
      '8',
      'fifty withdrawals of all there is',
      withdrawals('asking > of fifty at once for all there is takes'),
      races('attack 8:'),
    ),
    row('9', 'order and withdrawal, order and stop at once', orders('attack 9:'), races('attack 9:')),
    row(
      '10',
      'bonus, deposit and reference claimed many times at once',
      tasks('pays each task once when many ask at the same moment'),
      deposits('a request sent twice >'),
      staffDeposits('a deposit > is credited once, whoever approves it'),
      races('attack 10:'),
    ),
    row(
      '11',
      'orders on prices that are old, alone or in doubt',
      acceptor('an order that is refused takes nothing > when the price is too old'),
      acceptor('an order that is refused takes nothing > while the price is in doubt'),
      judge(''),
    ),
    row(
      '12',
      'clocks of clients, frames replayed, prices that moved; people whose source is quicker than ours',
      orders('attack 12:'),
      informed('attack 12:'),
      heldOrders('an order on prices that are late >'),
      heldOrders('nobody gets out of an order that is held >'),
    ),
    row('13', 'cancelling, changing and settling by users', orders('attack 13:')),
    row(
      '14',
      'two settlers, one killed, one that sleeps and comes back',
      settler('exactly once >'),
      settleGuard('a settler whose right has passed to another >'),
      crash('a server that is killed with open orders >'),
    ),
    row('15', 'ticks at the expiry, none, ties, gaps', settlementPrice('decideSettlementPrice >')),
    row('16', 'limits against two hundred orders at once', orders('attack 16:')),
    row(
      '17',
      'guessing passwords',
      accounts('attack 17:'),
      auth('login > throttles an address that tries many names, whatever it forwards'),
      security('guessing > from everywhere at once makes strangers wait'),
    ),
    row(
      '18',
      'locking somebody out',
      auth('login > lets the owner in'),
      security('guessing > of a locked name goes on at a device its owner used before'),
      reset('lets in whoever had locked the name'),
    ),
    row(
      '19',
      'finding out who has an account',
      enumeration('S5: whether there is an account >'),
      auth('login > answers the same for a wrong name and a wrong password'),
      reset('asking for a code > is answered alike'),
    ),
    row(
      '20',
      'codes of a forgotten password',
      accounts('attack 20:'),
      reset('a code >'),
      reset('sets a new password with the code, once'),
    ),
    row(
      '21',
      'guessing codes and PINs',
      accounts('attack 21:'),
      verification('takes'),
      verification('counts wrong tries on'),
      security('a second step > takes each code once'),
      security('a second step > is locked after five wrong codes, even in parallel'),
      pins('five wrong ones in a row >'),
    ),
    row('22', 'passwords that are none', accounts('attack 22:'), auth('register >')),
    row(
      '23',
      'sessions after logout, a new password, a block, another role; tokens that somebody else chose',
      sessions('attack 23:'),
      auth('sessions >'),
    ),
    row('24', 'handshakes of foreign pages, tokens in addresses', sockets('attack 24:')),
    row('25', 'frames and text that no browser sends', sockets('attack 25:')),
    row(
      '26',
      'floods, idle sockets, slow readers',
      sockets('attack 26:'),
      abuse('holds at most so many sockets of one address'),
      abuse('drops a client that shows no sign of life'),
      abuse('conflates for a client that does not read'),
    ),
    row('27', 'subscribing to other people, to all, to patterns', sockets('attack 27:')),
    row('28', 'things of others', owners('attack 28:'), access('S2:')),
    row(
      '29',
      'another bank account while a withdrawal waits',
      staffWithdrawals('a withdrawal > that is paid elsewhere by now'),
      staffWithdrawals('a withdrawal > whose details changed'),
      security('before money goes out and before the account changes > who has a second step proves it anew'),
    ),
    row('30', 'fields that a profile does not have', owners('attack 30:')),
    row(
      '31',
      'receipts that are none',
      files('attack 31:'),
      uploads('a picture >'),
      uploads('refuses'),
      uploads('over HTTP >'),
    ),
    row('32', 'many uploads, slow ones', files('attack 32:'), picture(''), uploads('what nothing uses >')),
    row(
      '33',
      'HTML of staff',
      cleanText('what attacks comes to nothing >'),
      markup(''),
      gateways('HTML that was pasted'),
    ),
    row(
      '34',
      'formulas, line feeds and HTML in names',
      files('attack 34:'),
      staffDeposits('the queue > can be taken out as CSV that a spreadsheet does not run'),
      log('writes one line per event'),
    ),
    row('35', 'headers', edges('attack 35:')),
    row('36', 'foreign origins', edges('attack 36:')),
    row('37', 'forms, links, disguised methods', edges('attack 37:'), sockets('attack 24:')),
    row(
      '38',
      'SQL',
      edges('attack 38:'),
      fuzz('no call falls over, whatever is sent >'),
      fuzz('no socket message brings anything down >'),
    ),
    row('39', 'what keeps a server busy', edges('attack 39:')),
    row('40', 'addresses that the server would go to', outgoing('attack 40:')),
    row('41', 'the back office as a user, as another role', owners('attack 41:'), access('S2: routes × roles >')),
    row(
      '42',
      'approving one’s own, twice, changed or ended ones',
      staffWithdrawals('above the limit >'),
      staffWithdrawals('a withdrawal > is paid once'),
      staffWithdrawals('a withdrawal > ends one way'),
      staffWithdrawals('a withdrawal > whose'),
      staffWithdrawals('a withdrawal > that was rejected'),
      corrections('the second person >'),
      races('attack 42:'),
    ),
    row(
      '43',
      'corrections of one person alone, without a reason, by those who may not',
      corrections('is asked for by one person and posted by another'),
      corrections('the second person >'),
      corrections('is not asked for with'),
      corrections('is nothing for those who only help users'),
    ),
    row(
      '44',
      'changing the audit log',
      chain('the server > may not change the books'),
      chain('the chain > finds a line that is gone'),
    ),
    row(
      '45',
      'what a finished installation does not show',
      edges('attack 45:'),
      liveMode('live mode starts when it is whole'),
      staff('signing in > opens the demo'),
    ),
    row('46', 'secrets in logs', logs('attack 46:'), log('hides secrets'), auth('keeps secrets out of the log')),
    row(
      '47',
      'errors in the middle',
      faults('attack 47:'),
      http('tells nothing of a fault but an id'),
      database('transactions > leave nothing'),
    ),
    row('48', 'packages', packages('attack 48:')),
    row(
      '49',
      'migrations that break in the middle, and several servers that migrate',
      migrations('attack 49:'),
      database('migrations >'),
    ),
    row('50', 'an old backup brought back', backup('attack 50:')),
    row(
      'A3',
      'one network that floods slow calls',
      strangers('A3: a flood from one network >'),
      queue('A3: the queue of slow hashes >'),
      gate('A3:'),
    ),
    row('A4', 'a stolen session that changes what protects the account', stolen('A4: a stolen session >')),
    row('A5', 'strangers who spend the tries of an owner', strangers('A5: strangers who spend tries >')),
    row('A6', 'an address that another account claims', strangers('A6: an address >')),
    row('A7', 'locking staff out, filling the log of actions', staff('signing in > A7:')),
    row(
      'A9',
      'the many addresses of one IPv6 network',
      strangers('A9: an IPv6 address counts by its /64 >'),
      gate('A9:'),
      subnet('A9:'),
      abuse('A9:'),
    ),
    row('A10', 'wrong codes for many accounts', strangers('A10: wrong codes for many accounts >')),
    row('A11', 'messages without end', strangers('A11: messages >')),
    row('A12', 'neighbours behind one address', strangers('A12: neighbours behind one address >')),
  ],
}
