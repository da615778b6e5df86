const GOAL = /^p(\d+)$/i
const FILE_OF_GOAL = /^p(\d+)-/

/**
 * Selects measurements by file name or by goal id (`P1` is `p01-orders-per-second`).
 * Returns each once, or all when none is named. An unknown name is returned as `unknown`.
 *
 * @param {readonly string[]} asked
 * @param {readonly string[]} known
 * @returns {{ names: string[], unknown: string | undefined }}
 */
export function chooseBenches(selection, known) {
  if (selection.length === 0) return { names: [...known], unknown: undefined }
  const found = selection.map((name) => known.filter((file) => file === name.toLowerCase() || isOfGoal(file, name)))
  return { names: [...new Set(found.flat())], unknown: selection.find((_, at) => found[at]?.length === 0) }
}

/** @param {string} file @param {string} name */
function isOfGoal(file, name) {
  const [goal, own] = [GOAL.exec(name), FILE_OF_GOAL.exec(file)]
  return goal !== null && own !== null && Number(goal[1]) === Number(own[1])
}
