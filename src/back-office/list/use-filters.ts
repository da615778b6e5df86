import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/**
 * Returns the filters of a list and a function that sets one. The filters are in the address, so that staff can share a
 * view and return to it by Back: `const [filters, setFilter] = useFilters(['state', 'search'])`.
 */
export function useFilters<const Name extends string>(
  names: readonly Name[],
): [Readonly<Record<Name, string>>, (name: Name, value: string) => void] {
  const [params, setParams] = useSearchParams()
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>
  const setFilter = useCallback(
    (name: Name, value: string) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          if (value === '') next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  return [filters, setFilter]
}
