import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { can } from '../../domain/session/permissions.ts'
import { selectUser } from '../../machines/session/session.ts'
import { mayOpen } from '../../machines/shell/dialog-access.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/client-on-demand.ts'
import { useSession } from '../actors.tsx'
import { Button } from '../components/Button.tsx'
import { useDialog } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

/** Opens the dialog about a person's data. Renders nothing without one of its permissions, which an API without the feature never grants. */
export default function PersonalDataButton({ conversation }: { conversation: Conversation }) {
  const user = useSelector(useSession(), selectUser)
  const dialog = useDialog()
  const [mayExport, mayErase] = [can(user, 'persons.export'), can(user, 'persons.erase')]
  if (!mayOpen(user, 'personalData')) return null
  const input = { conversationId: rowIdOf(conversation), name: nameOf(conversation), mayExport, mayErase }
  return (
    <Button
      className="justify-self-start"
      onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'personalData', input } })}
    >
      {t('client.personalData')}
    </Button>
  )
}
