import { useMemo, useState } from 'react'
import { isEmojiOnly, partsOf } from '../../domain/thread/message-parts.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { classNames } from '../components/class-names.ts'

const foldedLength = 4_000

/** The text of a bubble: plain text with clickable links. A very long text is collapsed. */
export function MessageText({ text }: { text: string }) {
  const [unfolded, setUnfolded] = useState(false)
  const folded = text.length > foldedLength && !unfolded
  const shown = folded ? `${text.slice(0, foldedLength)}…` : text
  const parts = useMemo(() => partsOf(shown), [shown])
  const enlarged = useMemo(() => isEmojiOnly(shown), [shown])
  return (
    <>
      <p
        dir="auto"
        className={classNames(
          'whitespace-pre-wrap [overflow-wrap:anywhere]',
          enlarged && 'text-[2.25rem] leading-tight',
        )}
      >
        {parts.map(({ text: part, href }, index) => {
          if (href === null) return part
          return (
            <a
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
              key={index}
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              className="underline decoration-ink-3 underline-offset-2 hover:decoration-ink"
            >
              {part}
            </a>
          )
        })}
      </p>
      {folded && (
        <button
          type="button"
          className="mt-1 font-medium text-accent text-xs underline"
          onClick={() => setUnfolded(true)}
        >
          {t('thread.showAll')}
        </button>
      )}
    </>
  )
}
