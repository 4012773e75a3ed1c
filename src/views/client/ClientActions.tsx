import type { DialogRequest } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { useDialog, useMayOpen } from '../use-inbox.ts'

/** Opens the dialogs that edit, merge and delete a client. Shows only those that this user may open. */
export default function ClientActions({ clientId }: { clientId: string }) {
  const dialog = useDialog()
  const open = (request: DialogRequest) => dialog.send({ type: 'dialog.requested', dialog: request })
  const mayEdit = useMayOpen('editClient')
  const mayRemove = useMayOpen('removeClient')
  if (!mayEdit && !mayRemove) return null
  const input = { clientId }
  return (
    <div className="flex flex-wrap gap-2">
      {mayEdit && <Button onClick={() => open({ name: 'editClient', input })}>{t('client.edit')}</Button>}
      {mayRemove && (
        <Button variant="ghost" onClick={() => open({ name: 'mergeClients', input })}>
          {t('client.merge')}
        </Button>
      )}
      {mayRemove && (
        <Button variant="ghost" onClick={() => open({ name: 'removeClient', input })}>
          {t('client.remove')}
        </Button>
      )}
    </div>
  )
}
