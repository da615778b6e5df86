/**
 * Copies a text and returns whether that worked. Pages over plain http have no clipboard API, so a hidden field with
 * the old copy command is the fallback.
 */
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
  // Read-only, so that phones do not open their keyboard.
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // While a modal dialog is open, text outside it cannot be selected.
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
