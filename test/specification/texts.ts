import { row, testsIn } from '#test/specification/row.ts'

const open = testsIn('e2e/screens/public.spec.ts')
const account = testsIn('e2e/screens/account.spec.ts')
const wallet = testsIn('e2e/screens/wallet.spec.ts')
const withdraw = testsIn('e2e/screens/withdraw.spec.ts')
const refused = testsIn('e2e/journeys/refused-orders.spec.ts')
const signup = testsIn('src/web/screens/signup/signup-screen.test.tsx')
const depositRules = testsIn('src/web/screens/deposit/deposit-rules.test.ts')

/** The texts of messages in English. */
export const TEXTS = {
  title: 'Message texts',
  rows: [
    row(
      '{name} is Required',
      'beside each required field',
      open('the log-in asks for name and password'),
      account('editing the profile asks for what it needs'),
    ),
    row('Please enter a valid email', 'beside the email', signup('an email that is none: Please enter a valid email')),
    row(
      'Password letters must be between 6 and 20 letters',
      'beside the password',
      signup('passwords 12345 and 12345: Password letters must be between 6 and 20 letters'),
    ),
    row(
      'Passwords does not match',
      'beside the confirmation',
      signup('passwords secret12 and secret21: Passwords does not match'),
    ),
    row(
      'Minimum {name} is {value} {currency}',
      'beside an amount',
      wallet('the deposit has a gateway to pick'),
      depositRules('the amount > "19.99" is told: Minimum Amount is 20.00 USDT'),
    ),
    row(
      'Maximum {name} is {value} {currency}',
      'beside an amount',
      depositRules('the amount > "5000.01" is told: Maximum Amount is 5,000.00 USDT'),
    ),
    row('PIN must be {number} digits and numbers only', 'beside a PIN', withdraw('withdrawing asks for a PIN')),
    row('Please agree to the terms and conditions', 'beside the agreement', signup('needs the agreement')),
    row(
      'Insufficient Balance',
      'where the server refuses',
      refused('what the server refuses stands above the form in red'),
    ),
    row(
      'Photo uploaded successfully',
      'after saving a picture',
      testsIn('e2e/journeys/profile.spec.ts')('a picture is chosen, cut, saved'),
    ),
    row(
      'Updated Successfully',
      'after saving',
      account('editing the profile asks for what it needs'),
      account('changing the password asks for three'),
    ),
    row(
      'Code Sent Successfully',
      'after asking for a code',
      testsIn('src/web/screens/verification/code-form.test.tsx')('another code is sent on request'),
    ),
    row(
      'Registered Successfully!',
      'after signing up',
      signup('opens the account, says so, and goes on two seconds later'),
    ),
  ],
}
