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
const judge = testsIn('src/core/markets/sources/source-arbiter.test.ts')
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

/** The attacks that the tests try on this product, by number, with these tests. */
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
      acceptor('the same client order id > returns the first reply and opens one order, also in parallel'),
    ),
    row('6', 'the same id with another stake', orders('attack 6:')),
    row('7', 'fifty orders of all there is', orders('attack 7:')),
    row(
      '8',
      'fifty withdrawals of all there is',
      withdrawals('requesting a withdrawal > accepts exactly one of fifty concurrent requests for the whole balance'),
      races('attack 8:'),
    ),
    row('9', 'order and withdrawal, order and stop at once', orders('attack 9:'), races('attack 9:')),
    row(
      '10',
      'bonus, deposit and reference claimed many times at once',
      tasks('pays each task once under many concurrent requests'),
      deposits('a repeated request >'),
      staffDeposits('a deposit > credits once under concurrent approvals'),
      races('attack 10:'),
    ),
    row(
      '11',
      'orders on prices that are old, alone or in doubt',
      acceptor(
        'a refused order changes no balance > refuses a price older than allowed, and accepts one exactly as old',
      ),
      acceptor('a refused order changes no balance > refuses while the price is suspect, and accepts afterwards'),
      judge(''),
    ),
    row(
      '12',
      'clocks of clients, frames replayed, prices that moved; people whose source is quicker than ours',
      orders('attack 12:'),
      informed('attack 12:'),
      heldOrders('an order on delayed prices >'),
      heldOrders('a user cannot cancel a delayed order >'),
    ),
    row('13', 'cancelling, changing and settling by users', orders('attack 13:')),
    row(
      '14',
      'two settlers, one killed, one that sleeps and comes back',
      settler('settling exactly once >'),
      settleGuard('a settler that lost its lease >'),
      crash('a server that is killed with open orders >'),
    ),
    row('15', 'ticks at the expiry, none, ties, gaps', settlementPrice('decideSettlementPrice >')),
    row('16', 'limits against two hundred orders at once', orders('attack 16:')),
    row(
      '17',
      'guessing passwords',
      accounts('attack 17:'),
      auth('login > limits an address that tries many names, whatever header it forwards'),
      security('guessing passwords > from many addresses limits unknown devices, but not known ones'),
    ),
    row(
      '18',
      'locking somebody out',
      auth('login > lets the user log in from the network of an open session while others have locked the name'),
      security('guessing passwords > locks a name without locking its known devices'),
      reset('lets a user log in after a reset, even when wrong passwords had locked the name'),
    ),
    row(
      '19',
      'finding out who has an account',
      enumeration('S5: whether an account exists >'),
      auth('login > gives the same reply to an unknown name and to a wrong password'),
      reset('requesting a code > gives the same reply for an unknown account, and sends nothing'),
    ),
    row(
      '20',
      'codes of a forgotten password',
      accounts('attack 20:'),
      reset('a reset code >'),
      reset('sets a new password with the code, once, and ends every session'),
    ),
    row(
      '21',
      'guessing codes and PINs',
      accounts('attack 21:'),
      verification('allows five attempts'),
      verification('accepts a code once'),
      verification('accepts only the newest'),
      verification('counts wrong attempts across newly sent codes'),
      security('a second step > accepts each code and ticket once, and both for five minutes'),
      security('a second step > locks after five wrong codes, even concurrent ones, but not on known devices'),
      pins('five wrong PINs in a row >'),
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
      abuse('limits the open sockets of one address'),
      abuse('drops a client without a sign of life for a minute, and keeps others'),
      abuse('conflates for a client that does not read, never sends it an old price, and delays no other client'),
    ),
    row('27', 'subscribing to other people, to all, to patterns', sockets('attack 27:')),
    row('28', 'things of others', owners('attack 28:'), access('S2:')),
    row(
      '29',
      'another bank account while a withdrawal waits',
      staffWithdrawals(
        'a withdrawal > needs a new review, and two new approvals, after its user changed the payment details',
      ),
      staffWithdrawals('a withdrawal > whose details changed'),
      security(
        'confirmation before withdrawals and account changes > requires the second step again after ten minutes',
      ),
    ),
    row('30', 'fields that a profile does not have', owners('attack 30:')),
    row(
      '31',
      'receipts that are none',
      files('attack 31:'),
      uploads('an uploaded picture >'),
      uploads('refuses'),
      uploads('uploads over HTTP >'),
    ),
    row('32', 'many uploads, slow ones', files('attack 32:'), picture(''), uploads('unused uploads >')),
    row(
      '33',
      'HTML of staff',
      cleanText('attack code is removed >'),
      markup(''),
      gateways('pasted HTML is stored as markup and displayed without executable parts'),
    ),
    row(
      '34',
      'formulas, line feeds and HTML in names',
      files('attack 34:'),
      staffDeposits('the queue > exports CSV without formulas for spreadsheets'),
      log('writes one line per event'),
    ),
    row('35', 'headers', edges('attack 35:')),
    row('36', 'foreign origins', edges('attack 36:')),
    row('37', 'forms, links, disguised methods', edges('attack 37:'), sockets('attack 24:')),
    row(
      '38',
      'SQL',
      edges('attack 38:'),
      fuzz('no call crashes on any input >'),
      fuzz('no socket message crashes the server >'),
    ),
    row('39', 'what keeps a server busy', edges('attack 39:')),
    row('40', 'addresses that the server would go to', outgoing('attack 40:')),
    row('41', 'the back office as a user, as another role', owners('attack 41:'), access('S2: routes × roles >')),
    row(
      '42',
      'approving one’s own, twice, changed or ended ones',
      staffWithdrawals('above the dual-approval limit >'),
      staffWithdrawals('a withdrawal > pays once under concurrent approvals'),
      staffWithdrawals('a withdrawal > ends in one way when approved, rejected and cancelled concurrently ('),
      staffWithdrawals('a withdrawal > whose'),
      staffWithdrawals('a withdrawal > returns the money after a rejection, shows the user the reason, and never pays'),
      corrections('the second approver >'),
      races('attack 42:'),
    ),
    row(
      '43',
      'corrections of one person alone, without a reason, by those who may not',
      corrections('needs one staff member to request and another to post it, as one transfer'),
      corrections('the second approver >'),
      corrections('refuses the request '),
      corrections('hides adjustments from support staff'),
    ),
    row(
      '44',
      'changing the audit log',
      chain("the server's database role > cannot change the ledger, nor the objects that protect it"),
      chain('the audit chain > detects a deleted entry, an inserted entry and a truncated end'),
    ),
    row(
      '45',
      'what a finished installation does not show',
      edges('attack 45:'),
      liveMode('live mode with a full configuration starts without users and content'),
      staff('logging in > allows the demo accounts'),
    ),
    row('46', 'secrets in logs', logs('attack 46:'), log('hides secrets'), auth('keeps secrets out of the log')),
    row(
      '47',
      'errors in the middle',
      faults('attack 47:'),
      http('reveals nothing of a fault but an id that leads to the log'),
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
    row('A5', 'strangers who spend the tries of an owner', strangers('A5: attackers who use up attempts >')),
    row('A6', 'an address that another account claims', strangers('A6: an address >')),
    row('A7', 'locking staff out, filling the log of actions', staff('logging in > A7:')),
    row(
      'A9',
      'the many addresses of one IPv6 network',
      strangers('A9: an IPv6 address counts by its /64 network >'),
      gate('A9:'),
      subnet('A9:'),
      abuse('A9:'),
    ),
    row('A10', 'wrong codes for many accounts', strangers('A10: wrong codes for many accounts >')),
    row('A11', 'messages without end', strangers('A11: messages >')),
    row('A12', 'neighbours behind one address', strangers('A12: neighbours behind one address >')),
  ],
}
