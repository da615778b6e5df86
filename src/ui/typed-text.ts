import type { ChangeEvent, CompositionEvent } from 'react'

/**
 * Returns handlers for an input whose text is normalised while the user types. `read` returns the text to keep, or null
 * to reject it. While an input method composes, the text is not changed: a change would make the input method insert it
 * twice.
 */
export function typedText(read: (typed: string) => string | null, onChange: (text: string) => void) {
  const take = (text: string | null): void => {
    if (text !== null) onChange(text)
  }
  return {
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) =>
      take(isComposing(nativeEvent) ? target.value : read(target.value)),
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) =>
      take(read(currentTarget.value) ?? currentTarget.value),
  }
}

/** Whether an input method is composing the text of this event. */
export function isComposing(event: Event): boolean {
  return 'isComposing' in event && event.isComposing === true
}
