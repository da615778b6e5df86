import { row } from '#test/specification/row.ts'

/** The texts of messages in English. */
export const TEXTS = {
  title: 'Message texts',
  rows: [
    row('TX1', '{name} is Required', 'beside each required field'),
    row('TX2', 'Please enter a valid email', 'beside the email'),
    row('TX3', 'Password letters must be between 6 and 20 letters', 'beside the password'),
    row('TX4', 'Passwords does not match', 'beside the confirmation'),
    row('TX5', 'Minimum {name} is {value} {currency}', 'beside an amount'),
    row('TX6', 'Maximum {name} is {value} {currency}', 'beside an amount'),
    row('TX7', 'PIN must be {number} digits and numbers only', 'beside a PIN'),
    row('TX8', 'Please agree to the terms and conditions', 'beside the agreement'),
    row('TX9', 'Insufficient Balance', 'where the server refuses'),
    row('TX10', 'Photo uploaded successfully', 'after saving a picture'),
    row('TX11', 'Updated Successfully', 'after saving'),
    row('TX12', 'Code Sent Successfully', 'after requesting a code'),
    row('TX13', 'Registered Successfully!', 'after signing up'),
  ],
}
