import { MessageCircleWarning } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../texts/send-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { IconButton } from '../components/Button.tsx'
import { useDialog } from '../use-inbox.ts'
import { useUnsent } from './use-unsent.ts'

/**
 * Shows and announces how many messages and answers to comments were not sent; a press lists them. Nothing is shown while there are none. Loads
 * the dialog ahead: it is needed when the connection is lost, and code does not load then.
 */
export default function UnsentButton() {
  const { length: count } = useUnsent()
  const dialog = useDialog()
  useEffect(() => dialog.send({ type: 'dialog.expected', name: 'unsent' }), [dialog])
  return count === 0 ? null : <Count count={count} />
}

function Count({ count }: { count: number }) {
  const dialog = useDialog()
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  const name = t('send.unsentCount', { count })
  return (
    <>
      {/* A screen reader announces only changes, so the text follows after the element. */}
      <span role="status" className="sr-only">
        {isMounted && name}
      </span>
      <IconButton
        label={name}
        className="shrink-0 text-bad"
        onClick={() =>
          dialog.send({ type: 'dialog.requested', dialog: { name: 'unsent', input: { asksAbout: null } } })
        }
      >
        <span className="relative">
          <MessageCircleWarning size={16} aria-hidden="true" />
          <span aria-hidden="true" className="absolute -top-3 left-2">
            <Badge tone="bad">{count}</Badge>
          </span>
        </span>
      </IconButton>
    </>
  )
}
