import { expect, it } from 'vitest'
import { NOTES } from '#test/security/notes.ts'
import { ATTACKS } from '#test/security/table.ts'

it('lists all fifty attacks in order, then those of the second round', () => {
  const listed = ATTACKS.rows.map(({ about }) => about)
  expect(listed.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, place) => String(place + 1)))
  const later = listed.slice(50)
  expect(later.filter((about) => !/^A\d+$/.test(about))).toEqual([])
  expect(later).toEqual([...new Set(later)].toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))))
  expect(Object.keys(NOTES).filter((number) => !listed.includes(number))).toEqual([])
})

it('is written down for people as it is in the code', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/generated/attacks.md')
})

function page(): string {
  const rows = ATTACKS.rows.map(({ about, says, proofs }) => {
    const files = [...new Set(proofs.map(({ file }) => `\`${file}\``))]
    return `|${about}|${says}|${files.join('<br>')}|`
  })
  return [
    '<!-- Written by: npx vitest run test/security/table.test.ts -u -->',
    '',
    '# Attacks and bad input',
    '',
    'For reviewers: every attack that `npm test` tries, and the tests that try it. `npm test` fails when one of them did not run',
    'and pass. Rows with an A came later than the numbered ones.',
    '',
    '|#|attack|tests|',
    '|---|---|---|',
    ...rows,
    '',
    '`npm run drill -- races` repeats 8, 9, 10 and 42 two hundred times on PostgreSQL. Each request has its own connection, and',
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
