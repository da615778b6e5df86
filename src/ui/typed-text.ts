import type { ChangeEvent, CompositionEvent } from 'react'

/**
 * The handlers of an input whose text is read while it is typed: `read` answers what stays, null for what is not taken.
 * While an input method composes, the text is left alone until it is done: changed under its hands it would come twice.
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

/** Whether an input method is still composing what this event brings. */
export function isComposing(event: Event): boolean {
  return 'isComposing' in event && event.isComposing === true
}
