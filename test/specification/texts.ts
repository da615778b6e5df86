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
      open('the log-in has name and password, reveals it on request, and links to the sign-up'),
      account('editing the profile requires its mandatory fields and keeps all of them'),
    ),
    row('Please enter a valid email', 'beside the email', signup('an invalid email: Please enter a valid email')),
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
      wallet('the deposit has a gateway to choose, an amount, and a summary of rate and fee'),
      depositRules('the amount > "19.99" has the error: Minimum Amount is 20.00 USDT'),
    ),
    row(
      'Maximum {name} is {value} {currency}',
      'beside an amount',
      depositRules('the amount > "5000.01" has the error: Maximum Amount is 5,000.00 USDT'),
    ),
    row(
      'PIN must be {number} digits and numbers only',
      'beside a PIN',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
    ),
    row('Please agree to the terms and conditions', 'beside the agreement', signup('requires the agreement')),
    row(
      'Insufficient Balance',
      'where the server refuses',
      refused('a refusal of the server appears in red above the form, and nothing is debited'),
    ),
    row(
      'Photo uploaded successfully',
      'after saving a picture',
      testsIn('e2e/journeys/profile.spec.ts')('a picture is chosen, cropped, saved, kept after a reload and removed'),
    ),
    row(
      'Updated Successfully',
      'after saving',
      account('editing the profile requires its mandatory fields and keeps all of them'),
      account('changing the password needs three fields and shows its success'),
    ),
    row(
      'Code Sent Successfully',
      'after asking for a code',
      testsIn('src/web/screens/verification/code-form.test.tsx')('another code is sent on request'),
    ),
    row(
      'Registered Successfully!',
      'after signing up',
      signup('opens the account, shows the success, and redirects two seconds later'),
    ),
  ],
}
