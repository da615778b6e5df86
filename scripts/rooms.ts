// `npm run rooms` writes the linter rules for each `rooms.json`.
import { writeFileSync } from 'node:fs'
import { ROOM_RULES_FILE, roomRules } from './lib/room-rules.ts'

writeFileSync(ROOM_RULES_FILE, `${JSON.stringify(roomRules(), null, 2)}\n`)
