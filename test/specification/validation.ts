import { row, testsIn } from '#test/specification/row.ts'

const open = testsIn('e2e/screens/public.spec.ts')
const account = testsIn('e2e/screens/account.spec.ts')
const wallet = testsIn('e2e/screens/wallet.spec.ts')
const withdraw = testsIn('e2e/screens/withdraw.spec.ts')
const refused = testsIn('e2e/journeys/refused-orders.spec.ts')
const reset = testsIn('e2e/journeys/reset-password.spec.ts')
const signup = testsIn('src/web/screens/signup/signup-screen.test.tsx')
const auth = testsIn('src/server/users/log-in/auth.test.ts')
const profile = testsIn('src/server/users/profile/profile.test.ts')
const pins = testsIn('src/server/payments/withdrawals/pins.test.ts')
const deposits = testsIn('src/server/payments/deposits/deposits.test.ts')
const depositRules = testsIn('src/web/screens/deposit/deposit-rules.test.ts')
const withdrawals = testsIn('src/server/payments/withdrawals/withdrawals.test.ts')
const order = testsIn('src/web/screens/trade/order-form.test.ts')
const accounts = testsIn('src/core/accounts/accounts.test.ts')
const amountField = testsIn('src/ui/fields.test.tsx')

export const VALIDATION = {
  title: 'Validation rules',
  rows: [
    row(
      'login',
      'username and password',
      open('the log-in has name and password, reveals it on request, and links to the sign-up'),
    ),
    row(
      'signup: required',
      'username, mobile, password and confirmation',
      signup('names missing values and sends no request'),
      auth('register > names every missing field with the texts of the specification'),
    ),
    row(
      'signup: password',
      '6 to 20 characters',
      signup('passwords 12345 and 12345'),
      auth('register > refuses {"password":"12345"'),
      accounts('a password > "111111111111111111111": password_length'),
    ),
    row(
      'signup: passwords match',
      'to the letter',
      signup('passwords secret12 and secret21'),
      auth('register > refuses {"password_confirmation"'),
    ),
    row(
      'signup: invitation code',
      'required while the setting is on',
      signup('shows the access code field only when a code is required'),
      auth('register > requires an invitation code only while the setting is on'),
    ),
    row(
      'signup: agreement',
      'must be checked',
      signup('requires the agreement'),
      auth('register > refuses {"agree":false}'),
    ),
    row('forgot password', 'an address, then the code', reset('a password reset with a code logs out every device')),
    row(
      'reset password',
      'password and confirmation, equal',
      reset('a password reset with a code logs out every device'),
    ),
    row(
      'profile picture',
      'a photo',
      testsIn('e2e/journeys/profile.spec.ts')('a picture is chosen, cropped, saved, kept after a reload and removed'),
    ),
    row('verification', 'code', account('the verification accepts a code, sends another one, and is done once')),
    row(
      'edit profile',
      'username, country, mobile; of a mobile the part after the hyphen',
      account('editing the profile requires its mandatory fields and keeps all of them'),
      profile('saving the profile > refuses {"username":""}'),
      testsIn('src/core/accounts/mobile.test.ts')('F1: a phone number > F1: takes the part after a hyphen'),
    ),
    row(
      'change password',
      'current, new and confirmation',
      account('changing the password needs three fields and shows its success'),
      profile('changing the password > refuses {"current_password":""}'),
    ),
    row(
      'withdrawal PIN',
      'current only when set, exactly six digits, confirmed',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
      pins('setting the PIN > needs no current PIN the first time, and the account then reports that a PIN is set'),
      pins('setting the PIN > refuses "12345" confirmed'),
      pins('setting the PIN > refuses "123456" confirmed as "123457"'),
    ),
    row(
      'deposit',
      'amount and gateway, at least the minimum, required fields',
      wallet('the deposit has a gateway to choose, an amount, and a summary of rate and fee'),
      depositRules('the amount > "19.99"'),
      depositRules('the amount > requires the fields that are marked as required'),
      deposits('refuses {"amount":9.99'),
    ),
    row(
      'deposit: amount input',
      'digits and one point',
      wallet('the deposit has a gateway to choose, an amount, and a summary of rate and fee'),
      amountField('AmountField > accepts digits and separators of amounts, and no letters'),
    ),
    row(
      'withdraw',
      'amount within the limits, PIN of six',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
      withdrawals('requesting a withdrawal > refuses {"withdrawal_code":"12345"}'),
      withdrawals('requesting a withdrawal > cannot spend held money'),
    ),
    row(
      'order: submit',
      'disabled without expiry, below the minimum, while sending, without the money',
      order('no expiry'),
      order('a cent too little'),
      order('while sending'),
      order('more than there is'),
      refused('the form names the error of an amount and cannot be sent'),
    ),
    row(
      'order: amount',
      'flagged when empty or above the balance',
      refused('the form names the error of an amount and cannot be sent'),
      refused('without money every amount is too much'),
    ),
    row(
      'order: expiry',
      'choosing one sets the amount to its minimum',
      order('choosing an expiry sets the amount to its minimum'),
      refused('the form names the error of an amount and cannot be sent'),
    ),
    row(
      'register 422',
      'field errors beside their fields',
      signup("shows the server's error for a field until the field is changed"),
    ),
    row(
      'chart',
      'what is shown of it never ends before it begins',
      testsIn('src/web/chart/line-grid.test.ts')('the grid reaches from before the entry to after the expiry'),
    ),
  ],
}
