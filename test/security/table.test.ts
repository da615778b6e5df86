import { expect, it } from 'vitest'
import { NOTES } from '#test/security/notes.ts'
import { ATTACKS } from '#test/security/table.ts'
import { findNamedTests } from '#test/specification/find-named-tests.ts'

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

function page(): string {
  const tests = findNamedTests()
  const rows = ATTACKS.rows.map(({ id, about }) => {
    const files = (tests.get(id) ?? []).map((file) => `\`${file}\``)
    return `|${id}|${about}|${files.join('<br>')}|`
  })
  return [
    '<!-- Written by: npx vitest run test/security/table.test.ts -u -->',
    '',
    '# Attacks and bad input',
    '',
    'For reviewers: every attack that `npm test` tries, and the files of its tests, whose titles begin with its id. `npm test` fails',
    'when one of them did not run and pass.',
    '',
    '|#|attack|tests|',
    '|---|---|---|',
    ...rows,
    '',
    '`npm run drill -- race-conditions` repeats AT8, AT9, AT10 and AT42 two hundred times on PostgreSQL. Each request has its own connection, and',
    'their last bytes are sent in one go.',
    '',
    '## Notes',
    '',
    'Where the product differs from what a reader of the list may expect:',
    '',
    ...Object.entries(NOTES).map(([number, note]) => `- **${number}** ${note}`),
    '',
  ].join('\n')
}
