import { row, testsIn } from '#test/specification/row.ts'

const security = testsIn('src/server/users/security/security.test.ts')
const enumeration = testsIn('src/server/users/log-in/enumeration.test.ts')
const secrets = testsIn('src/server/platform/encryption/secrets.test.ts')
const auth = testsIn('src/server/users/log-in/auth.test.ts')
const payouts = testsIn('src/server/back-office/withdrawals/withdrawals.test.ts')
const reset = testsIn('src/server/users/password-reset/password-reset.test.ts')

/** Protection of accounts against other people. */
export const ACCOUNTS = {
  title: 'Accounts, guarded',
  rows: [
    row(
      'second step',
      'a code of an app or a recovery code, each once, with a ticket that lives five minutes',
      security('a second step > needs the password and a first code to be turned on, and then each log-in needs it'),
      testsIn('e2e/journeys/second-step.spec.ts')('a second step is turned on and required at the next log-in'),
      security('a second step > accepts each code and ticket once, and both for five minutes'),
      security('a second step > accepts each recovery code once, in any spelling, and stores only hashes'),
    ),
    row(
      'wrong codes',
      'five in all, even in parallel; the owner still enters from a known device',
      security('a second step > locks after five wrong codes, even concurrent ones, but not on known devices'),
    ),
    row(
      'passkeys',
      'sign in alone or as the second step, of their own site and account only',
      security('a passkey > logs in alone once added, and counts as both steps'),
      security('a passkey > passes the second step of its own account only'),
      security('a passkey > refuses one of another site'),
      security('a passkey > refuses one without user verification'),
      security('a passkey > rejects other challenges, and cannot be changed or removed by other users'),
    ),
    row(
      'confirmation',
      'before money goes out and before password, PIN, mobile, payout details or factors change',
      security(
        'confirmation before withdrawals and account changes > requires the second step again after ten minutes',
      ),
      security(
        'confirmation before withdrawals and account changes > requires PIN, current password or password from users without a second step',
      ),
    ),
    row(
      'pause',
      'withdrawals wait after a change that a thief would make',
      security(
        'confirmation before withdrawals and account changes > pauses withdrawals for a day after a new password, with a reason',
      ),
      security('a second step > loses its recovery codes when it is removed, which pauses withdrawals'),
    ),
    row(
      'payout details changed',
      'while a withdrawal waits: what was approved counts no more',
      payouts('a withdrawal > needs a new review, and two new approvals, after its user changed the payment details'),
    ),
    row(
      'sessions',
      'listed in words, ended one by one or all others',
      security('sessions and devices > lists sessions with the current one marked, and ends one or all others'),
    ),
    row(
      'new devices',
      'told by mail and in the app; who came in is kept for ninety days',
      security(
        'sessions and devices > reports a new device by email and in the app until the user confirms it, and no known device',
      ),
      security('sessions and devices > keeps log-ins and failed attempts for ninety days'),
    ),
    row(
      'guessing',
      'counted by name, by address and in all, whatever is forwarded',
      auth('login > locks the name carol after ten wrong passwords and keeps its open sessions'),
      auth('login > limits an address that tries many names, whatever header it forwards'),
      security('guessing passwords > from many addresses limits unknown devices, but not known ones'),
    ),
    row(
      'locking somebody out',
      'the owner still enters where they are known, and by a reset',
      auth('login > lets the user log in from the network of an open session while others have locked the name'),
      security('guessing passwords > locks a name without locking its known devices'),
      reset('sets a new password with the code, once, and ends every session'),
    ),
    row(
      'whether there is an account',
      'is told neither by the answer nor by what it costs',
      enumeration('S5: whether an account exists > stays hidden after a failed log-in, also in its cost'),
      enumeration('S5: whether an account exists > stays hidden after a password reset request, also in its cost'),
      enumeration(
        'S5: whether an account exists > becomes visible only by a sign-up with a taken name, which is limited',
      ),
    ),
    row(
      'common passwords',
      'are refused within the rule of 6 to 20',
      security('guessing passwords > is made harder: the new password password is refused as too common'),
    ),
    row(
      'sealed',
      'payout details and secrets of second steps, with a key that can be changed',
      secrets('the vault > decrypts what it encrypted, in its own place only'),
      secrets('encrypted data in the database > reveals neither payout details nor second-step secrets'),
      secrets(
        'encrypted data in the database > is re-encrypted with a new key by one command, which deletes the old key',
      ),
      secrets('the encryption key > is required in live mode, and must be valid'),
    ),
  ],
}
