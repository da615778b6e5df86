import { row, testsIn } from '#test/specification/row.ts'

const tasks = testsIn('src/server/payments/rewards/tasks.test.ts')
const rules = testsIn('src/core/wallet/beginner-tasks.test.ts')
const ledger = testsIn('src/server/ledger/ledger.test.ts')
const walk = testsIn('test/invariants/no-outcome-control.test.ts')
const check = testsIn('src/web/screens/check/check-screen.test.tsx')
const page = testsIn('src/web/screens/no-control/no-control-screen.test.tsx')

/** The bonus payments, and the promise that results cannot be changed. */
export const PROMISES = {
  title: 'Promises that are kept',
  rows: [
    row(
      'credits for beginner tasks',
      'are paid from a ledger account, each task once, by the amounts in force',
      rules('a done task is paid once, with the reward in force, in any order of events'),
      rules('a task with a zero reward is not offered and never paid'),
      tasks('pays each task once under many concurrent requests'),
      tasks('pays bots nothing, refuses strangers, and pays unverified users only for completed tasks'),
    ),
    row(
      'amounts of the operator',
      'are what is promised in all, and change only what is paid from then on',
      tasks('amounts set by the operator > make up the promised total, and apply only to later payments'),
      tasks(
        'amounts set by the operator > remove a task at zero except for paid users, and pay the others once offered again',
      ),
      tasks('amounts set by the operator > promise nothing when all are zero'),
    ),
    row('credits', 'come from the bonus account and never become anything else', ledger('credits > never go from')),
    row(
      'POST /user/tasks/checked',
      'pays for checking an own result, once',
      tasks('checking a result > pays once for a settled order of the user, and returns the amount'),
      tasks('checking a result > pays nothing for an unknown order or an order of another user'),
      tasks('checking a result > pays once under many concurrent calls on two servers'),
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
      walk(
        'nothing lets anyone set a price, a result, one user’s payout or a delay > no operator command, no permission and no setting',
      ),
      walk('nothing lets anyone set a price, a result, one user’s payout or a delay > no column'),
      walk('tables that prove a result have one writer each > only reading statements take table names from variables'),
      walk(
        'the rights of the server in the database > allow no truncation and no change of tables that prove a result',
      ),
      walk('settling > gets the facts of an order without its user'),
      walk('matches the published report'),
    ),
    row(
      '/no-control',
      'shows that report to anyone',
      page('shows each part of the test report collapsed'),
      page('shows what the report omits'),
    ),
  ],
}
