import { row } from '#test/specification/row.ts'

export const VALIDATION = {
  title: 'Validation rules',
  rows: [
    row('VA1', 'login', 'username and password'),
    row('VA2', 'signup: required', 'username, mobile, password and confirmation'),
    row('VA3', 'signup: password', '6 to 20 characters'),
    row('VA4', 'signup: passwords match', 'to the letter'),
    row('VA5', 'signup: invitation code', 'required while the setting is on'),
    row('VA6', 'signup: agreement', 'must be checked'),
    row('VA7', 'forgot password', 'an address, then the code'),
    row('VA8', 'reset password', 'password and confirmation, equal'),
    row('VA9', 'profile picture', 'a photo'),
    row('VA10', 'verification', 'code'),
    row('VA11', 'edit profile', 'username, country, mobile; of a mobile the part after the hyphen'),
    row('VA12', 'change password', 'current, new and confirmation'),
    row('VA13', 'withdrawal PIN', 'current only when set, exactly six digits, confirmed'),
    row('VA14', 'deposit', 'amount and gateway, at least the minimum, required fields'),
    row('VA15', 'deposit: amount input', 'digits and one point'),
    row('VA16', 'withdraw', 'amount within the limits, PIN of six'),
    row('VA17', 'order: submit', 'disabled without expiry, below the minimum, while sending, without the money'),
    row('VA18', 'order: amount', 'flagged when empty or above the balance'),
    row('VA19', 'order: expiry', 'choosing one sets the amount to its minimum'),
    row('VA20', 'register 422', 'field errors beside their fields'),
    row('VA21', 'chart', 'what is shown of it never ends before it begins'),
  ],
}
