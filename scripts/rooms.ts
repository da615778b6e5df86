// `npm run rooms`: writes the rules of the linter that each `rooms.json` asks for.
import { writeFileSync } from 'node:fs'
import { ROOM_RULES_FILE, roomRules } from './lib/room-rules.ts'

writeFileSync(ROOM_RULES_FILE, `${JSON.stringify(roomRules(), null, 2)}\n`)
