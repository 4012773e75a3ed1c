import { useState } from 'react'

const foldedLength = 4_000

/** The text of a bubble, as plain text; a very long one is folded until asked for. */
export function MessageText({ text }: { text: string }) {
  const [unfolded, setUnfolded] = useState(false)
  const folded = text.length > foldedLength && !unfolded
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {folded ? `${text.slice(0, foldedLength)}…` : text}
      </p>
      {folded && (
        <button
          type="button"
          className="mt-1 font-medium text-accent text-xs underline"
          onClick={() => setUnfolded(true)}
        >
          Show all
        </button>
      )}
    </>
  )
}
