/** Copies a text; answers whether it worked. Pages over plain http have no clipboard, so an unseen field is the second way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  // Or phones would bring up their keyboard.
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Outside of an open dialog nothing can be selected.
  const dialogs = [...document.querySelectorAll('dialog[open]')]
  ;(dialogs.at(-1) ?? document.body).append(field)
  field.select()
  field.setSelectionRange(0, text.length)
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
