import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'

/** The sustained rate limit for one network (`FAIRWICK_CALLS_PER_ADDRESS`). */
const CALLS_PER_SECOND = 100
const TOKEN = 'A'.repeat(43)
const PASSWORD = { password: 'violet-1799', password_confirmation: 'violet-1799' }
const PASSKEY = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
}

/** Bodies that the flood sends to calls with parameters. */
const BODIES: ReadonlyMap<Call | StaffCall, (nth: number) => object> = new Map<
  Call | StaffCall,
  (nth: number) => object
>([
  [
    calls.register,
    (nth) => ({
      username: `flood${nth}`,
      email: `flood${nth}@example.com`,
      mobile: '5550001111',
      agree: true,
      ...PASSWORD,
    }),
  ],
  [calls.login, (nth) => ({ username: `flood${nth}`, password: 'wrong-one' })],
  [calls.secondStep, () => ({ ticket: TOKEN, code: '123456' })],
  [calls.passkeyTask, () => ({})],
  [calls.passkeySignIn, () => ({ ticket: TOKEN, response: PASSKEY })],
  [calls.forgetPassword, (nth) => ({ value: `flood${nth}@example.com` })],
  [calls.checkResetCode, (nth) => ({ email: `flood${nth}@example.com`, code: '123456' })],
  [calls.resetPassword, (nth) => ({ email: `flood${nth}@example.com`, token: '123456', ...PASSWORD })],
  [calls.klineHistorical, () => ({ symbol: 'BTC', interval: '1m' })],
  [calls.latestTrades, () => ({ currency: 'BTC' })],
  [staffCalls.staffSignIn, (nth) => ({ name: `flood${nth}`, password: 'wrong-one' })],
  [staffCalls.staffSignInCode, () => ({ ticket: TOKEN, code: '123456' })],
  [staffCalls.staffJoin, () => ({ token: TOKEN, password: 'a few plain words' })],
])

const OPEN: readonly (Call | StaffCall)[] = [
  ...Object.values<Call>(calls).filter(({ who }) => who === 'anyone'),
  ...Object.values<StaffCall>(staffCalls).filter(({ may }) => may === 'anyone'),
]

/** Repeats all public calls from one network, at its allowed rate, while `work` runs. */
export async function duringFlood<T>(
  { address, network }: { readonly address: string; readonly network: string },
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly answers: ReadonlyMap<number, number> }> {
  const answers = new Map<number, number>()
  const underWay = new Set<Promise<void>>()
  let sent = 0
  const one = async (): Promise<void> => {
    sent += 1
    const call = OPEN[sent % OPEN.length]
    if (call === undefined) return
    const response = await fetch(`${address}/api${call.path.replace(/:\w+/g, '1')}`, {
      method: call.method,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
      ...(call.method === 'POST' && { body: JSON.stringify(BODIES.get(call)?.(sent) ?? {}) }),
    })
    await response.arrayBuffer()
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
  }
  const timer = setInterval(() => {
    const job = one().finally(() => underWay.delete(job))
    underWay.add(job)
  }, 1_000 / CALLS_PER_SECOND)
  try {
    return { value: await work(), answers }
  } finally {
    clearInterval(timer)
    await Promise.all(underWay)
  }
}
