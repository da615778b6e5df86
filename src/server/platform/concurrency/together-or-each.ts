/**
 * Handles items together. When that fails, handles each item by itself, so that one bad item does not stop the others.
 * Calls `failed` for each item that fails alone.
 */
export async function togetherOrEach<Item>(
  items: readonly Item[],
  handle: (items: readonly Item[]) => Promise<void>,
  failed: (item: Item, error: unknown) => void,
): Promise<void> {
  const [only, ...others] = items
  if (only === undefined) return
  try {
    await handle(items)
  } catch (error) {
    if (others.length === 0) failed(only, error)
    else for (const item of items) await togetherOrEach([item], handle, failed)
  }
}
