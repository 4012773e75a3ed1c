import { ExternalLink, X } from 'lucide-react'
import { choicesOf } from '../../domain/send/reply-structure.ts'
import { safeName } from '../../domain/shown-text.ts'
import { structuredLimits } from '../../schemas/structured-limits.ts'
import type { ReplyStructure } from '../../schemas/structured-message.ts'
import { t } from '../../texts/send-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { focusAround } from '../components/focus-around.ts'

type SentChoicesProps = { structure: ReplyStructure; isTooLong: boolean; onRemove: () => void }

/** The quick replies or buttons that go out with the text, and what is in their way. */
export default function SentChoices({ structure, isTooLong, onRemove }: SentChoicesProps) {
  const name = t(structure.kind === 'buttons' ? 'send.choiceButtons' : 'send.choiceQuickReplies')
  return (
    <div className="grid gap-1 text-xs">
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="text-ink-2">{name}:</span>
        <Choices structure={structure} name={name} />
        <IconButton
          label={t('send.choicesRemove')}
          onClick={(event) => {
            focusAround(event)
            onRemove()
          }}
        >
          <X size={14} aria-hidden="true" />
        </IconButton>
      </div>
      <p role="status" className="font-medium text-bad empty:hidden">
        {isTooLong && t('send.choicesTooLong', { most: structuredLimits.buttonText })}
      </p>
    </div>
  )
}

/** Quick replies or buttons as the person sees them. */
function Choices({ structure, name }: { structure: ReplyStructure; name: string }) {
  return (
    <ul aria-label={name} className="flex flex-wrap gap-1.5">
      {choicesOf(structure).map(({ title, url }) => (
        <li
          key={title}
          title={url ?? undefined}
          className="inline-flex items-center gap-1 rounded-full border border-edge px-2.5 py-1 text-accent"
        >
          <bdi>{safeName(title)}</bdi>
          {url !== null && <ExternalLink size={12} aria-hidden="true" />}
        </li>
      ))}
    </ul>
  )
}
