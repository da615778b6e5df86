/**
 * Returns the weights by which the rows of `features` fit `targets` with the least squared error. Null when the rows do
 * not determine the weights.
 */
export function fitLinear(features: readonly (readonly number[])[], targets: readonly number[]): number[] | null {
  const size = features[0]?.length ?? 0
  const matrix = Array.from({ length: size }, () => Array.from({ length: size + 1 }, () => 0))
  for (const [at, row] of features.entries())
    for (let i = 0; i < size; i += 1) {
      const line = matrix[i] as number[]
      for (let j = 0; j < size; j += 1) line[j] = (line[j] as number) + (row[i] as number) * (row[j] as number)
      line[size] = (line[size] as number) + (row[i] as number) * (targets[at] as number)
    }
  return size === 0 ? null : solve(matrix)
}

const SINGULAR = 1e-12

/** Gauss-Jordan elimination with the largest pivot of each column. The last column is the right side. */
function solve(matrix: number[][]): number[] | null {
  const size = matrix.length
  for (let column = 0; column < size; column += 1) {
    const below = matrix.slice(column).map((row) => Math.abs(row[column] as number))
    const maxPivot = Math.max(...below)
    if (maxPivot < SINGULAR) return null
    const at = column + below.indexOf(maxPivot)
    const pivot = matrix[at] as number[]
    matrix[at] = matrix[column] as number[]
    matrix[column] = pivot
    for (const [other, row] of matrix.entries()) {
      if (other === column) continue
      const factor = (row[column] as number) / (pivot[column] as number)
      for (let i = column; i <= size; i += 1) row[i] = (row[i] as number) - factor * (pivot[i] as number)
    }
  }
  return matrix.map((row, at) => (row[size] as number) / (row[at] as number))
}
