const LOGS = new Set(['debug', 'info', 'warn', 'error'])

/** `log.warn(…)` and the like, on whatever `log` hangs. */
function isLog({ expression }) {
  const { type, callee } = expression
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression' || !LOGS.has(callee.property.name)) return false
  const { object } = callee
  return (object.property ?? object).name === 'log'
}

/** For Stryker: what is written to the log decides about nothing. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'logs',
    value: {
      shouldIgnore: (path) => (path.isExpressionStatement() && isLog(path.node) ? 'it only tells' : undefined),
    },
  },
]
