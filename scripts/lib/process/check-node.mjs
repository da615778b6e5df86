import { Stop } from './console-output.mjs'

const OLDEST = [20, 19]

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new Stop(`This is Node ${process.versions.node}; Fairwick needs ${OLDEST.join('.')} or newer (nodejs.org).`)
}
