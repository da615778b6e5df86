// `npm run client:types` writes the types of `clients/js` from the contract.
import { writeFileSync } from 'node:fs'
import { CLIENT_TYPES_FILE, clientTypes } from './lib/client-types.ts'

writeFileSync(CLIENT_TYPES_FILE, clientTypes())
