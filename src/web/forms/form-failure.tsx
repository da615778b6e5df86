import { Alert } from '#ui/alert.tsx'

/** The reason above the fields why a form could not be sent. */
export function FormFailure({ messages }: { messages: readonly string[] }) {
  if (messages.length === 0) return null
  return (
    <Alert tone="danger">
      {messages.length === 1 ? (
        messages[0]
      ) : (
        <ul className="list-disc ps-4">
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
