import { Check, Inbox } from 'lucide-react'
import { can, mayTry } from '../../domain/session/permissions.ts'
import { safeName } from '../../domain/shown-text.ts'
import { pagesIn } from '../../machines/pages/pages.ts'
import { mayOpen } from '../../machines/shell/dialog-access.ts'
import { t } from '../../texts/list-on-demand.ts'
import { useSession } from '../actors.tsx'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { EmptyState } from '../components/EmptyState.tsx'
import { useDialog, useTeam, useUser } from '../use-inbox.ts'
import { usePageList } from '../use-pages.ts'

type Step = {
  name: string
  advice: string
  isDone: boolean
  /** Absent until an earlier step is done. */
  button?: { text: string; open: () => void }
}

/** The steps that this person may do, in order. What is done follows from data that the client already has. */
function useSteps(): Step[] {
  const user = useUser()
  const dialog = useDialog()
  const { pages } = usePageList()
  const staffCount = useTeam().filter(({ is_active }) => is_active).length
  const [page] = pages
  const steps: (Step & { isOffered: boolean })[] = [
    {
      isOffered: mayTry(user, 'pages.manage'),
      name: t('list.connectPage'),
      advice:
        page === undefined
          ? t('list.connectPageAdvice')
          : pages.length === 1
            ? t('list.connectedPage', { name: safeName(page.page_name) })
            : t('list.connectedPages', { count: pages.length }),
      isDone: page !== undefined,
      button: {
        text: t('list.addPage'),
        open: () => dialog.send({ type: 'dialog.requested', dialog: { name: 'pageManager' } }),
      },
    },
    {
      isOffered: mayOpen(user, 'historySync'),
      name: t('list.syncHistory'),
      advice: page === undefined ? t('list.syncHistoryLater') : t('list.syncHistoryAdvice'),
      // A sync that brings a conversation ends the empty inbox.
      isDone: false,
      ...(page !== undefined && {
        button: {
          text: t('list.startSync'),
          open: () => {
            const input = { pageId: pages.length === 1 ? page.page_id : null }
            dialog.send({ type: 'dialog.requested', dialog: { name: 'historySync', input } })
          },
        },
      }),
    },
    {
      // The dialog also opens for people who may only export, and this step is an import.
      isOffered: mayOpen(user, 'dataTransfer') && can(user, 'imports.manage'),
      name: t('list.importClients'),
      advice: t('list.importClientsAdvice'),
      // This view does not know whether there are clients.
      isDone: false,
      button: {
        text: t('list.import'),
        open: () =>
          dialog.send({ type: 'dialog.requested', dialog: { name: 'dataTransfer', input: { mayImport: true } } }),
      },
    },
    {
      isOffered: mayOpen(user, 'staff'),
      name: t('list.inviteStaff'),
      advice: staffCount > 1 ? t('list.invitedStaff', { count: staffCount }) : t('list.inviteStaffAdvice'),
      isDone: staffCount > 1,
      button: {
        text: t('list.invite'),
        open: () => dialog.send({ type: 'dialog.requested', dialog: { name: 'staff' } }),
      },
    },
  ]
  return steps.filter(({ isOffered }) => isOffered)
}

/** The empty inbox: the first steps for those who may do them, and whom to ask for everybody else. */
export default function FirstRun() {
  const user = useUser()
  const { system } = useSession()
  const { pages } = usePageList()
  const steps = useSteps()
  // Which steps are done is not known yet.
  if (pagesIn(system) === null) return <EmptyState title={t('list.noConversationsYet')} />
  const mustAsk = pages.length === 0 && !mayTry(user, 'pages.manage')
  if (mustAsk || steps.length === 0) {
    return (
      <EmptyState icon={<Inbox size={30} strokeWidth={1.5} />} title={t('list.noConversationsYet')}>
        <p className="max-w-80 text-balance text-xs">{mustAsk ? t('list.askForPage') : t('list.awaitMessages')}</p>
      </EmptyState>
    )
  }
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.findIndex(({ isDone, button }) => !isDone && button !== undefined)
  return (
    <section
      aria-label={t('list.setUp')}
      className="scroller grid size-full grid-cols-[minmax(0,28.75rem)] place-content-center p-6 max-md:p-0"
    >
      <div>
        <h2 className="font-semibold text-ink text-xl">{t('list.setUp')}</h2>
        <p className="mb-4 text-ink-2">{t('list.setUpAdvice')}</p>
        <ol className="overflow-hidden rounded-ui border border-line">
          {steps.map(({ name, advice, isDone, button }, index) => (
            <li
              key={name}
              className={classNames(
                'flex items-center gap-3 border-line px-4 py-3 not-first:border-t',
                index === next && 'bg-accent-soft',
              )}
            >
              <span
                aria-hidden="true"
                className={classNames(
                  'grid size-6 shrink-0 place-items-center rounded-full font-semibold text-xs',
                  isDone
                    ? 'bg-ok text-panel'
                    : index === next
                      ? 'bg-accent text-accent-ink'
                      : 'border border-edge text-ink-2',
                )}
              >
                {isDone ? <Check size={14} strokeWidth={3} /> : index + 1}
              </span>
              <div className="min-w-0 flex-1">
                <h3 className={classNames('font-semibold', isDone ? 'text-ink-2' : 'text-ink')}>
                  {isDone && <span className="sr-only">{t('list.setUpStepDone')} </span>}
                  {name}
                </h3>
                <p dir="auto" className="text-ink-2 text-xs">
                  {advice}
                </p>
              </div>
              {button && (
                <Button variant={index === next ? 'primary' : 'outline'} className="shrink-0" onClick={button.open}>
                  {button.text}
                </Button>
              )}
            </li>
          ))}
        </ol>
        <p role="status" className="mt-3 text-ink-2 text-xs">
          {t('list.setUpDone', { done, total: steps.length })}
        </p>
      </div>
    </section>
  )
}
