import { expect, it } from 'vitest'
import { NOTES } from '#test/security/notes.ts'
import { ATTACKS } from '#test/security/table.ts'

it('lists all fifty attacks in order, then those of the second round', () => {
  const listed = ATTACKS.rows.map(({ id }) => id)
  expect(listed.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, place) => `AT${place + 1}`))
  const later = listed.slice(50)
  expect(later.filter((id) => !/^A\d+$/.test(id))).toEqual([])
  expect(later).toEqual([...new Set(later)].toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))))
  expect(Object.keys(NOTES).filter((id) => !listed.includes(id))).toEqual([])
})

it('the generated page lists the attacks of the table', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/generated/attacks.md')
})

const OPERATOR = 'operator: '

function page(): string {
  const ofOperator = ATTACKS.rows.filter(({ about }) => about.startsWith(OPERATOR))
  const others = ATTACKS.rows.filter((row) => !ofOperator.includes(row))
  const list = (rows: typeof ATTACKS.rows) => rows.map(({ id, about }) => `- \`${id}\` ${about.replace(OPERATOR, '')}`)
  return [
    '<!-- Written by: npx vitest run test/security/table.test.ts -u -->',
    '',
    '# Attacks and bad input',
    '',
    'For reviewers: every attack that `npm test` tries. It fails when the tests of one did not run and pass. Their titles begin',
    'with its id.',
    '',
    '## By users and strangers',
    '',
    ...list(others),
    '',
    '## By the operator',
    '',
    ...list(ofOperator),
    '',
    '## Notes',
    '',
    'Where the product differs from what a reader of the list may expect:',
    '',
    ...Object.entries(NOTES).map(([number, note]) => `- \`${number}\` ${note}`),
    '',
  ].join('\n')
}
