import { row, testsIn } from '#test/specification/row.ts'

const tasks = testsIn('src/server/payments/rewards/tasks.test.ts')
const rules = testsIn('src/core/wallet/beginner-tasks.test.ts')
const ledger = testsIn('src/server/ledger/ledger.test.ts')
const walk = testsIn('test/invariants/no-outcome-control.test.ts')
const check = testsIn('src/web/screens/check/check-screen.test.tsx')
const page = testsIn('src/web/screens/no-control/no-control-screen.test.tsx')

/** A bonus that is paid as it is promised, and the promise that nobody can bend a result. */
export const PROMISES = {
  title: 'Promises that are kept',
  rows: [
    row(
      'credits for beginner tasks',
      'are paid from a ledger account, each task once, by the amounts in force',
      rules('a done task is paid once, with the reward in force, in any order of events'),
      rules('a task with a zero reward is not offered and never paid'),
      tasks('pays each task once when many ask at the same moment'),
      tasks('gives bots nothing, strangers nothing'),
    ),
    row(
      'amounts of the operator',
      'are what is promised in all, and change only what is paid from then on',
      tasks('amounts of the operator > are what is promised in all'),
      tasks('amounts of the operator > of nothing take a task away'),
      tasks('amounts of the operator > all of nothing promise nothing'),
    ),
    row('credits', 'come from the bonus account and never become anything else', ledger('credits > never go from')),
    row(
      'POST /user/tasks/checked',
      'pays for checking an own result, once',
      tasks('checking a result > pays for one of one’s own that has ended'),
      tasks('checking a result > pays nothing for an order that is not known'),
      tasks('checking a result > pays once when many say so at the same moment, on two servers'),
    ),
    row(
      '/check',
      'computes any result again in the browser; each thing that does not fit has words of its own, and is loud',
      check('a valid result > is confirmed for a buy that won'),
      check('a valid result > shows the known facts of an open order'),
      check('a mismatch > is shown as an alert'),
      check('a mismatch > shows what the result should have been'),
      check('an order that cannot be checked > has no verdict'),
      check('an order that cannot be checked > shows a network failure'),
      check('a file > that is cut off'),
      check('a file > of something else'),
      check('a file > from a server that never signed it'),
      check('the task of checking a result > is reported once'),
    ),
    row(
      'no outcome control',
      'is walked and published: calls, messages, commands, settings, columns, writers, rights',
      walk('nothing lets anyone set a price, a result, one user’s payout or a delay > no call'),
      walk('nothing lets anyone set a price, a result, one user’s payout or a delay > no command'),
      walk('nothing lets anyone set a price, a result, one user’s payout or a delay > no column'),
      walk('what proves a result has one writer each > and no statement'),
      walk('the rights of the server in the database > let it truncate nothing'),
      walk('settling > is told of an order what it needs'),
      walk('is published for anyone as it is in the code'),
    ),
    row(
      '/no-control',
      'shows that report to anyone',
      page('shows each part of the test report collapsed'),
      page('shows what the report omits'),
    ),
  ],
}
