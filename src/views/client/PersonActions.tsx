import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { can } from '../../domain/session/permissions.ts'
import { selectUser } from '../../machines/session/session.ts'
import type { DialogRequest } from '../../machines/shell/dialog.ts'
import { mayOpen } from '../../machines/shell/dialog-access.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/client-on-demand.ts'
import { useSession } from '../actors.tsx'
import { Button } from '../components/Button.tsx'
import { useDialog } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

/** Opens the dialogs about a person. Shows only those that this user may open. */
export default function PersonActions({ conversation }: { conversation: Conversation }) {
  const user = useSelector(useSession(), selectUser)
  const dialog = useDialog()
  const open = (request: DialogRequest) => dialog.send({ type: 'dialog.requested', dialog: request })
  const conversationId = rowIdOf(conversation)
  if (!mayOpen(user, 'chats') && !mayOpen(user, 'comments') && !mayOpen(user, 'personalData')) return null
  return (
    <div className="flex flex-wrap gap-2">
      {mayOpen(user, 'chats') && (
        <Button onClick={() => open({ name: 'chats', input: { conversationId } })}>{t('client.chats')}</Button>
      )}
      {mayOpen(user, 'comments') && (
        <Button onClick={() => open({ name: 'comments', input: { conversationId } })}>{t('client.comments')}</Button>
      )}
      {mayOpen(user, 'personalData') && (
        <Button
          onClick={() => {
            const [mayExport, mayErase] = [can(user, 'persons.export'), can(user, 'persons.erase')]
            open({ name: 'personalData', input: { conversationId, name: nameOf(conversation), mayExport, mayErase } })
          }}
        >
          {t('client.personalData')}
        </Button>
      )}
    </div>
  )
}
