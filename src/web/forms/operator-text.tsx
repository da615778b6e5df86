/** The operator's words, written as HTML. Only their text is shown, so nothing can come with it. */
export function OperatorText({ html }: { html: string }) {
  const text = new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
  return text === '' ? null : (
    <p dir="auto" className="px-0.5 text-small text-fg-2">
      {text}
    </p>
  )
}
