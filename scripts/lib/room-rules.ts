import { readFileSync } from 'node:fs'

export const ROOM_RULES_FILE = 'rooms.oxlintrc.json'

/** An application in `src` whose folders may import each other in one order only. */
export interface Area {
  readonly folder: string
  readonly alias: string
  /** The name of its folders in messages. */
  readonly noun: string
  /** The file that connects the folders and may import all of them. */
  readonly joinedBy: string
}

export const AREAS: readonly Area[] = [
  { folder: 'src/server', alias: '#server', noun: 'room', joinedBy: 'src/server/app' },
  { folder: 'src/web', alias: '#web', noun: 'folder', joinedBy: 'the files directly in src/web' },
  {
    folder: 'src/back-office',
    alias: '#back-office',
    noun: 'folder',
    joinedBy: 'the files directly in src/back-office',
  },
]

/**
 * The content of a `rooms.json`. A folder may import the folders before it in `order`, except the folders listed in
 * `never`.
 */
export interface Rooms {
  readonly order: readonly string[]
  readonly never: Readonly<Record<string, readonly string[]>>
}

export function readRooms({ folder }: Area): Rooms {
  return JSON.parse(readFileSync(`${folder}/rooms.json`, 'utf8')) as Rooms
}

/** Returns the linter configuration for all `rooms.json` files. `.oxlintrc.json` exempts tests. */
export function roomRules() {
  return {
    $schema: './node_modules/oxlint/configuration_schema.json',
    overrides: AREAS.flatMap((area) => rulesOf(area, readRooms(area))),
  }
}

function rulesOf(area: Area, rooms: Rooms) {
  const { folder, alias } = area
  return rooms.order.map((room, place) => {
    const allowed = rooms.order.slice(0, place).filter((other) => !rooms.never[room]?.includes(other))
    const refused = rooms.order.filter((other) => other !== room && !allowed.includes(other))
    const wrongWay = {
      // The second half of the pattern matches files directly in the folder of the area. Such a file connects the
      // rooms, so no room may import it.
      regex: `^${alias}/(?:(?:${refused.join('|')})/|[^/]+$)`,
      message: messageOf(area, { room, number: place + 1, allowed }),
    }
    const byPath = {
      regex: String.raw`^\.\./.*\.(?:ts|tsx|mjs)$`,
      message: `Name a file of another folder by its alias, ${alias}/...`,
    }
    return {
      files: [`${folder}/${room}/**`],
      rules: { 'eslint/no-restricted-imports': ['error', { patterns: [wrongWay, byPath] }] },
    }
  })
}

function messageOf(
  { folder, noun, joinedBy }: Area,
  { room, number, allowed }: { readonly room: string; readonly number: number; readonly allowed: readonly string[] },
): string {
  const may = allowed.length === 0 ? 'may import no other' : `may import only ${allowed.join(', ')}`
  return `${room} (${noun} ${number}) ${may}. Move what both need down to a ${noun} that both may import, or pass it in from ${joinedBy}. The order is in ${folder}/rooms.json.`
}
