import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeApi, type FakeAnswer } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { SignupScreen } from '#web/screens/signup/signup-screen.tsx'
import { getSession, signOut } from '#web/session/session.ts'
import { loadSettings } from '#web/site/settings.ts'

const SETTINGS = {
  default_language: 'en',
  invitation_code_status: 0,
  site_name: 'Fairwick',
  deposit_feature: 1,
  deposit_reason: '',
  logo_url: '',
  favicon_url: '',
  mode: 'demo',
  server_time: 1_795_000_000_000,
  operating_since: '2026-11-21',
  minimum_ages: { GB: 21 },
  outbox: true,
}

const TERMS = {
  current: {
    version: 3,
    title: 'Our terms',
    text: 'Be **kind**.',
    summary: '',
    sha256: '',
    from: '2026-01-01T00:00:00.000Z',
    needs_consent: false,
  },
  upcoming: null,
  agreed: null,
  needed: false,
  versions: [],
}

async function open(answer: FakeAnswer, settings: Partial<typeof SETTINGS> = {}) {
  signOut()
  const api = fakeApi({
    'GET /user/general-setting': { body: { data: { ...SETTINGS, ...settings } } },
    'GET /user/countries': {
      body: { data: { countries: [{ countryCode: 'GB', country: 'United Kingdom', dialCode: '+44' }] } },
    },
    'POST /user/auth/register': answer,
    'GET /user/terms': { body: { data: TERMS } },
  })
  await loadSettings()
  render(<SignupScreen />)
  await screen.findByRole('option', { name: 'United Kingdom (+44)' })
  return { ...api, user: userEvent.setup() }
}

async function fill(user: ReturnType<typeof userEvent.setup>, password = 'secret12', again = password) {
  await user.type(screen.getByLabelText('Username'), 'ada love')
  await user.selectOptions(screen.getByLabelText('Country'), 'GB')
  await user.type(screen.getByLabelText('Phone number'), '7700 900142')
  await user.type(screen.getByLabelText('Password'), password)
  await user.type(screen.getByLabelText('Confirm password'), again)
}

const press = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: 'Create account' }))

const REGISTERED = { body: { data: { token: 'T1', user: aUser({ ev: false }), image_path: '' } } }

test('SC18, TX13: the screen opens the account, shows the success, and redirects two seconds later', async () => {
  const { seen, user } = await open(REGISTERED)
  await fill(user)
  await press(user)
  await screen.findByText('Registered Successfully!')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create account' }).disabled).toBe(true)
  expect(getSession()).toBeNull()
  const sent = seen.find((request) => request.route === 'POST /user/auth/register')
  // The username field blocks the space key.
  expect(sent?.body).toEqual({
    username: 'adalove',
    mobile: '7700 900142',
    mobile_code: '+44',
    country_code: 'GB',
    password: 'secret12',
    password_confirmation: 'secret12',
    agree: true,
    terms_version: 3,
  })
  await waitFor(() => expect(getSession()?.token).toBe('T1'))
})

test('VA2: the screen names missing values and sends no request', async () => {
  const { seen, user } = await open(REGISTERED)
  await press(user)
  expect(screen.getByText('Username is Required')).toBeTruthy()
  expect(screen.getByText('Phone number is Required')).toBeTruthy()
  expect(seen.some((request) => request.route === 'POST /user/auth/register')).toBe(false)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Username')))
})

test('TX2: an invalid email: Please enter a valid email', async () => {
  const { seen, user } = await open(REGISTERED)
  await fill(user)
  await user.type(screen.getByLabelText('Email (optional)'), 'nobody')
  await press(user)
  expect(screen.getByText('Please enter a valid email')).toBeTruthy()
  expect(seen.some((request) => request.route === 'POST /user/auth/register')).toBe(false)
})

test.each([
  ['12345', '12345', 'Password letters must be between 6 and 20 letters'],
  ['secret12', 'secret21', 'Passwords does not match'],
])('VA3, VA4, TX3, TX4: passwords %s and %s: %s', async (password, again, error) => {
  const { user } = await open(REGISTERED)
  await fill(user, password, again)
  await press(user)
  expect(screen.getByText(error)).toBeTruthy()
})

test("VA20: the screen shows the server's error for a field until the field is changed", async () => {
  const errors = { username: ['This username is taken'] }
  const { user } = await open({
    status: 422,
    body: { message: 'This username is taken', code: 'username_taken', errors },
  })
  await fill(user)
  await press(user)
  const field = screen.getByLabelText('Username')
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByRole('alert').textContent).toContain('This username is taken')
  await user.type(field, '9')
  expect(field.getAttribute('aria-invalid')).toBeNull()
})

test('the screen shows the terms over the form', async () => {
  const { user } = await open({ status: 422, body: {} })
  await user.type(screen.getByLabelText('Username'), 'ada')
  await user.click(screen.getByRole('button', { name: 'Read the terms' }))
  expect(await screen.findByText('Our terms')).toBeTruthy()
  expect(screen.getByText('kind')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ada')
})

test('VA6, TX8: the screen requires the agreement', async () => {
  const { seen, user } = await open(REGISTERED)
  await fill(user)
  await user.click(screen.getByRole('checkbox'))
  await press(user)
  expect(screen.getByText('Please agree to the terms and conditions')).toBeTruthy()
  expect(seen.some((request) => request.route === 'POST /user/auth/register')).toBe(false)
})

test('SC19, VA5: the screen shows the access code field only when a code is required', async () => {
  const { user } = await open(REGISTERED, { invitation_code_status: 1 })
  await fill(user)
  await press(user)
  expect(screen.getByText('Access code is Required')).toBeTruthy()
})

test('SC18, F56: the placeholder of the password states its length', async () => {
  await open(REGISTERED)
  expect(screen.getByLabelText<HTMLInputElement>('Password').placeholder).toBe('6 - 20 characters')
})

test('with real money, the screen asks for consent to the terms and for the age of the country, with neither box ticked', async () => {
  const { seen, user } = await open(REGISTERED, { mode: 'live' })
  await fill(user)
  expect(screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)).toEqual([false, false])
  await press(user)
  expect(screen.getByText('Confirm that you are at least 21.')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'I agree to the terms and conditions' }))
  await press(user)
  expect(seen.some(({ route }) => route === 'POST /user/auth/register')).toBe(false)
  await user.click(screen.getByRole('checkbox', { name: 'I am at least 21 years old' }))
  await press(user)
  await screen.findByText('Registered Successfully!')
  const sent = seen.find(({ route }) => route === 'POST /user/auth/register')
  expect(sent?.body).toMatchObject({ agree: true, age: true, terms_version: 3 })
})

test('the terms are loaded again when they changed between their display and the sign-up', async () => {
  const changed = { status: 409, body: { code: 'terms_changed', message: 'The terms have changed.' } }
  const { seen, user } = await open(changed)
  await fill(user)
  await press(user)
  await screen.findByText('The terms have changed.')
  await waitFor(() => expect(seen.filter(({ route }) => route === 'GET /user/terms')).toHaveLength(2))
})
