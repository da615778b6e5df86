import { fileURLToPath } from 'node:url'

/** The root folder of the project, independent of the working directory. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
