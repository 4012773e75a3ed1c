import { useSelector } from '@xstate/react'
import { MessageCircleWarning } from 'lucide-react'
import { useEffect } from 'react'
import { selectUnsent } from '../../machines/send/outbox.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { IconButton } from '../components/Button.tsx'
import { useDialog, useOutbox } from '../use-inbox.ts'

/**
 * Shows and announces how many messages were not sent; a press lists them. Nothing is shown while there are none. Loads
 * the dialog ahead: it is needed when the connection is lost, and code does not load then.
 */
export default function UnsentButton() {
  const { length: count } = useSelector(useOutbox(), selectUnsent)
  const dialog = useDialog()
  useEffect(() => dialog.send({ type: 'dialog.expected', name: 'unsent' }), [dialog])
  const name = t('send.unsentCount', { count })
  return (
    <>
      {/* A screen reader announces only changes, so the element is there before its text. */}
      <span aria-live="polite" className="sr-only">
        {count > 0 && name}
      </span>
      {count > 0 && (
        <IconButton
          label={name}
          className="shrink-0 text-bad"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'unsent' } })}
        >
          <span className="relative">
            <MessageCircleWarning size={16} aria-hidden="true" />
            <span aria-hidden="true" className="absolute -top-3 left-2">
              <Badge tone="bad">{count}</Badge>
            </span>
          </span>
        </IconButton>
      )}
    </>
  )
}
