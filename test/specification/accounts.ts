import { row, testsIn } from '#test/specification/row.ts'

const security = testsIn('src/server/users/security/security.test.ts')
const enumeration = testsIn('src/server/users/log-in/enumeration.test.ts')
const secrets = testsIn('src/server/platform/encryption/secrets.test.ts')
const auth = testsIn('src/server/users/log-in/auth.test.ts')
const payouts = testsIn('src/server/back-office/withdrawals/withdrawals.test.ts')
const reset = testsIn('src/server/users/password-reset/password-reset.test.ts')

/** Nobody gets into an account who does not belong there. */
export const ACCOUNTS = {
  title: 'Accounts, guarded',
  rows: [
    row(
      'second step',
      'a code of an app or a recovery code, each once, with a ticket that lives five minutes',
      security('a second step > is turned on with the password and a first code, and asked for from then on'),
      testsIn('e2e/journeys/second-step.spec.ts')('a second step is turned on, and asked for at the next log-in'),
      security('a second step > takes each code once, each ticket once, and both for five minutes'),
      security('a second step > is passed with a recovery code, each once'),
    ),
    row(
      'wrong codes',
      'five in all, even in parallel; the owner still enters from a known device',
      security('a second step > is locked after five wrong codes, even in parallel'),
    ),
    row(
      'passkeys',
      'sign in alone or as the second step, of their own site and account only',
      security('a passkey > is added, signs in alone, and counts as both steps'),
      security('a passkey > passes the second step of its own account only'),
      security('a passkey > of another site is refused'),
      security('a passkey > that recognised nobody is refused'),
      security('a passkey > cannot answer another challenge, nor be changed or taken away by others'),
    ),
    row(
      'confirmation',
      'before money goes out and before password, PIN, mobile, payout details or factors change',
      security('before money goes out and before the account changes > who has a second step proves it anew'),
      security('before money goes out and before the account changes > who has none needs PIN or current password'),
    ),
    row(
      'pause',
      'withdrawals wait after a change that a thief would make',
      security('before money goes out and before the account changes > withdrawals wait after a new password'),
      security('a second step > and its recovery codes go together, and withdrawals wait afterwards'),
    ),
    row(
      'payout details changed',
      'while a withdrawal waits: what was approved counts no more',
      payouts('a withdrawal > that is paid elsewhere by now, says its user, has to be looked at again'),
    ),
    row(
      'sessions',
      'listed in words, ended one by one or all others',
      security('sessions and devices > are listed in words, this one marked, and ended one by one or all others'),
    ),
    row(
      'new devices',
      'told by mail and in the app; who came in is kept for ninety days',
      security('sessions and devices > a new one is told by mail and in the app'),
      security('sessions and devices > who came in, and who tried to, is kept for ninety days'),
    ),
    row(
      'guessing',
      'counted by name, by address and in all, whatever is forwarded',
      auth('login > locks the name carol after ten wrong passwords, not its open sessions'),
      auth('login > throttles an address that tries many names, whatever it forwards'),
      security('guessing > from everywhere at once makes strangers wait, and known devices not'),
    ),
    row(
      'locking somebody out',
      'the owner still enters where they are known, and by a reset',
      auth('login > lets the owner in where a session is open, while a stranger has the name locked'),
      security('guessing > of a locked name goes on at a device its owner used before'),
      reset('sets a new password with the code, once, and ends every session'),
    ),
    row(
      'whether there is an account',
      'is told neither by the answer nor by what it costs',
      enumeration('S5: whether there is an account > is not told by a wrong sign-in, nor by what it costs'),
      enumeration('S5: whether there is an account > is not told by asking for a new password'),
      enumeration('S5: whether there is an account > is told by signing up, as it must be'),
    ),
    row(
      'common passwords',
      'are refused within the rule of 6 to 20',
      security('guessing > is of no use against a new password: password is refused'),
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
