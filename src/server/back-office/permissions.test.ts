import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StaffCall } from '#contract/admin/staff-call.ts'
import { staffCalls } from '#contract/admin/staff-calls.ts'
import { isAllowed, ROLES } from '#core/staff/permissions.ts'
import { openTestDatabase, type TestDatabase } from '#testing/database.ts'
import { type StaffSession, staffSession } from '#testing/staff-session.ts'
import { createTestApp, type TestApp } from '#testing/test-app.ts'

let database: TestDatabase
let app: TestApp
const people = new Map<string, StaffSession>()
beforeAll(async () => {
  database = await openTestDatabase()
  app = await createTestApp(database)
  for (const role of ROLES) people.set(role, await app.staff(role))
})
afterAll(async () => {
  await app.stop()
  await database.close()
})

const everyCall = Object.values<StaffCall>(staffCalls)
const isList = (call: StaffCall) => 'row' in call
const addressOf = (call: StaffCall) => `/admin${call.path.slice('/admin'.length).replace(/:\w+/g, 'none')}`

describe('calls × roles', () => {
  it('names every address of the back office there is', () => {
    const listed = everyCall.flatMap((call) => {
      const address = `${call.method} /api${call.path}`
      return isList(call) ? [address, `${address}.csv`] : [address]
    })
    const files = ['GET /api/admin/uploads/:name']
    const found = app.routes.filter((route) => route.includes('/api/admin'))
    expect(found.toSorted()).toEqual([...listed, ...files].toSorted())
  })

  it('is written down for people as it is in the code', async () => {
    await expect(permissionTable()).toMatchFileSnapshot('../../../docs/permissions.md')
  })

  for (const call of everyCall.filter(({ may }) => may !== 'anyone')) {
    it(`${call.method} ${call.path}`, async () => {
      for (const role of ROLES) {
        const person = people.get(role)
        const may = call.may === 'anyone' || call.may === 'staff' || isAllowed(role, call.may)
        // Signing out would end the session that the next calls need.
        if (call === staffCalls.staffSignOut) continue
        const reply = await person?.call(call, { params: { id: 'none' }, body: {} })
        expect(reply?.body.code === 'not_allowed', `${role}: ${reply?.status}`).toBe(!may)
        if (!may) expect(reply?.status).toBe(403)
        if (!isList(call)) continue
        const csv = await person?.read(`${addressOf(call)}.csv`)
        expect(csv?.status === 403, `${role}: csv ${csv?.status}`).toBe(!may)
      }
      const stranger = staffSession((sent) => app.http.inject(sent), 'nobody', '')
      const refused = await stranger.call(call, { body: {} })
      expect([refused.status, refused.body.code]).toEqual([401, 'staff_sign_in_needed'])
      const user = await app.inject({
        method: call.method,
        url: `/api${addressOf(call)}`,
        headers: await userHeaders(),
      })
      expect(user.status, 'a token of the trading app opens nothing here').toBe(401)
    })
  }
})

let token: string | undefined
async function userHeaders() {
  token ??= (await app.verifiedUser()).token
  return { authorization: `Bearer ${token}`, cookie: `fairwick_staff=${token}` }
}

/** The table of `docs/permissions.md`. */
function permissionTable(): string {
  const rows = everyCall.map((call) => {
    const cells = ROLES.map((role) =>
      call.may === 'anyone' ? 'anyone' : call.may === 'staff' || isAllowed(role, call.may) ? 'yes' : '–',
    )
    return `| \`${call.method} ${call.path}\` | ${call.may} | ${cells.join(' | ')} |`
  })
  return [
    '# Who may do what in the back office',
    '',
    'Written from the code (`src/core/staff/permissions.ts`, `src/contract/admin`); a test compares the two and tries every cell.',
    'Every list can also be read as CSV, at its address with `.csv` after it, by the same roles.',
    '',
    `| call | permission | ${ROLES.join(' | ')} |`,
    `|---|---|${ROLES.map(() => '---|').join('')}`,
    ...rows,
    '',
  ].join('\n')
}
