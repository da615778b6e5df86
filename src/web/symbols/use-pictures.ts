import { useEffect } from 'react'
import type { MarketType } from '#core/markets/market.ts'
import { createStore, useStore } from '#ui/state/store.ts'

type Find = (code: string, marketType: MarketType) => readonly string[]

const NONE: readonly string[] = []
const store = createStore<Find>(() => NONE)
let isRequested = false

/** Loads the list of pictures once, after the first paint. Without a connection the letters stay. */
function load(): void {
  if (isRequested) return
  isRequested = true
  import('#web/symbols/built-in-pictures.ts').then(
    ({ picturesOf }) => store.set(picturesOf),
    () => {
      isRequested = false
    },
  )
}

/** Returns the addresses of a symbol's built-in pictures; none until their list has loaded. */
export function usePictures(code: string, marketType: MarketType): readonly string[] {
  const find = useStore(store)
  useEffect(load, [])
  return find(code, marketType)
}
