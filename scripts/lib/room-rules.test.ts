import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourcesIn } from './import-graph.ts'
import { AREAS, ROOM_RULES_FILE, readRooms, roomRules } from './room-rules.ts'

it('the linter has the rules that `npm run rooms` writes', () => {
  expect(JSON.parse(readFileSync(ROOM_RULES_FILE, 'utf8'))).toEqual(roomRules())
})

describe.each(AREAS)('the order of $folder', (area) => {
  const { order, never } = readRooms(area)

  it('lists exactly the folders with sources', () => {
    const withSources = readdirSync(area.folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && sourcesIn([`${area.folder}/${entry.name}`]).length > 0)
      .map(({ name }) => name)
    expect(order.toSorted()).toEqual(withSources.toSorted())
  })

  it('forbids only imports that the order alone would allow', () => {
    for (const [room, others] of Object.entries(never)) {
      expect(order.slice(0, order.indexOf(room))).toEqual(expect.arrayContaining([...others]))
    }
  })
})

describe('the linter', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairwick-rooms-'))
    for (const file of ['.oxlintrc.json', ROOM_RULES_FILE]) cpSync(file, join(folder, file))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Returns the linter's problems of a file with this text, with their help texts. */
  function lint(file: string, text: string): string[] {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    const program = resolve('node_modules/oxlint/bin/oxlint')
    const { stdout } = spawnSync(process.execPath, [program, '--format=json', file], { cwd: folder, encoding: 'utf8' })
    rmSync(path)
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { message: string; help?: string }[] }
    return diagnostics.map(({ message, help = '' }) => `${message} ${help}`)
  }

  const HERE = 'src/server/trading/engine/here.ts'
  const WRONG = "'#server/users/accounts/users.queries.ts'"
  const HELP = 'trading (room 9) may import only platform, register, market-data, ledger.'

  it.each([
    ['an import', `import { hasUser } from ${WRONG}\nhasUser()`],
    ['a type', `import type { Account } from ${WRONG}\nexport type Own = Account`],
    ['an import for its effects', `import ${WRONG}`],
    ['what is handed on', `export { hasUser } from ${WRONG}`],
    ['all that is handed on', `export * from ${WRONG}`],
    ['a type that is handed on', `export type { Account } from ${WRONG}`],
    ['a dynamic import', `export const later = () => import(${WRONG})`],
  ])('refuses %s against the order and says where the code belongs', (_kind, text) => {
    const problems = lint(HERE, text)
    expect(problems.join('\n')).toContain(HELP)
    expect(problems).toHaveLength(1)
  })

  it('refuses an inline import type from any folder', () => {
    expect(lint(HERE, `export type Own = import(${WRONG}).Account`).join()).toContain('annotations are forbidden')
  })

  it('refuses a relative path to another folder, which would bypass the rule', () => {
    const problems = lint(HERE, "import { hasUser } from '../../users/accounts/users.queries.ts'\nhasUser()")
    expect(problems.join()).toContain('by its alias')
  })

  it('refuses imports of files that connect the rooms', () => {
    const problems = lint('src/web/chart/here.ts', "import { ROUTES } from '#web/routes.ts'\nexport const all = ROUTES")
    expect(problems.join()).toContain('The order is in src/web/rooms.json')
  })

  it('refuses the back office an import against its order', () => {
    const problems = lint('src/back-office/api/here.ts', "export * from '#back-office/shell/nav.tsx'")
    expect(problems.join()).toContain('The order is in src/back-office/rooms.json')
  })

  it('accepts imports that the order allows', () => {
    const text = "export type { Ctx } from '#server/platform/context/context.ts'\nexport { due } from './due-index.ts'"
    expect(lint(HERE, text)).toEqual([])
  })

  it('accepts all imports in tests', () => {
    expect(lint('src/server/trading/engine/here.test.ts', `export { hasUser } from ${WRONG}`)).toEqual([])
  })
})
