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

it('the published page matches the code', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/attacks.md')
})

function page(): string {
  const rows = ATTACKS.rows.map(({ about, says, proofs }) => {
    const files = [...new Set(proofs.map(({ file }) => `\`${file}\``))]
    return `| ${about} | ${says} | ${files.join(', ')} |`
  })
  return [
    '# Attacks and bad input',
    '',
    'Written from the code (`test/security`); `npm test` compares it with the tests that ran and passed. The tests in',
    '`test/security` are called by the number of their attack, and run on both databases. Rows with an A came later.',
    '',
    '| # | attack | where it is tried |',
    '|---|---|---|',
    ...rows,
    '',
    '`npm run drill -- races` repeats 8, 9, 10 and 42 two hundred times on PostgreSQL, over connections of their own whose last bytes are',
    'sent in one go: what frames in one packet are to HTTP/2, which is spoken by the proxy in front and not by the server itself.',
    '',
    '## Where the product differs from what one would expect',
    '',
    ...Object.entries(NOTES).map(([number, note]) => `- **${number}** ${note}`),
    '',
  ].join('\n')
}
