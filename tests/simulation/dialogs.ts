import { clientById } from '../../src/domain/client/clients.ts'
import { rowIdOf } from '../../src/domain/list/conversation-row.ts'
import { clientsIn } from '../../src/machines/client/clients.ts'
import { selectFound } from '../../src/machines/client/link-client.ts'
import { selectEntries, selectForm as selectFaqForm } from '../../src/machines/faq/faq.ts'
import { selectRow } from '../../src/machines/list/records.ts'
import { selectPageForm } from '../../src/machines/pages/page-manager.ts'
import { selectPages } from '../../src/machines/pages/pages.ts'
import { type OpenDialog, selectOpened } from '../../src/machines/shell/dialog.ts'
import { selectConversationId } from '../../src/machines/thread/thread.ts'
import type { Session } from './people.ts'
import { pages, removablePage, tokenOf } from './sandbox.ts'

const nth = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % Math.max(items.length, 1)]

/** Opens one of the dialogs. */
export function openDialog({ dialog, thread, records }: Session, which: number): void {
  const request = (wanted: Parameters<typeof dialog.send>[0]) => dialog.send(wanted)
  const open = thread ? selectConversationId(thread.getSnapshot()) : null
  const row = selectRow(open)(records.getSnapshot())
  const names = ['faq', 'pageManager', 'historySync', 'autoSyncControl', 'linkClient', 'shortcuts'] as const
  const name = nth(names, which) ?? 'faq'
  if (name === 'linkClient') {
    if (!row) return
    const prefilled = { firstName: `Client${which}`, lastName: 'Santos', email: '', phone: '', company: '' }
    request({ type: 'dialog.requested', dialog: { name, input: { conversationId: rowIdOf(row), prefilled } } })
  } else if (name === 'historySync') {
    request({ type: 'dialog.requested', dialog: { name, input: { pageId: nth(pages, which)?.page_id ?? null } } })
  } else request({ type: 'dialog.requested', dialog: { name } })
}

/** The next thing that a person does in the open dialog. */
export function workInDialog({ dialog, pages: pagesActor }: Session, which: number): void {
  const opened = selectOpened(dialog.getSnapshot())
  if (opened?.name === 'faq') workOnFaq(opened, which)
  if (opened?.name === 'pageManager') {
    const listed = selectPages(pagesActor.getSnapshot()).find(({ page_id }) => page_id === removablePage.page_id)
    const form = selectPageForm(opened.actor.getSnapshot())
    if (form) {
      nth(
        [
          () => form.send({ type: 'token.edited', token: tokenOf(removablePage.page_id) }),
          () => form.send({ type: 'verification.requested' }),
          () => form.send({ type: 'form.submitted' }),
          () => form.send({ type: 'name.edited', name: `Bakery ${which}` }),
          () => form.send({ type: 'form.cancelled' }),
          () => form.send({ type: 'discard.confirmed' }),
        ],
        which,
      )?.()
    } else {
      nth(
        [
          () => (listed ? opened.actor.send({ type: 'item.edited', item: listed }) : undefined),
          () => opened.actor.send({ type: 'item.added' }),
          () => (listed ? opened.actor.send({ type: 'deletion.requested', item: listed }) : undefined),
          () => opened.actor.send({ type: 'deletion.confirmed' }),
          () => opened.actor.send({ type: 'deletion.cancelled' }),
        ],
        which,
      )?.()
    }
  }
  if (opened?.name === 'historySync') {
    nth(
      [
        () => opened.actor.send({ type: 'sync.requested' }),
        () => opened.actor.send({ type: 'page.chosen', pageId: nth(pages, which)?.page_id ?? null }),
        () => opened.actor.send({ type: 'platform.chosen', platform: which % 2 === 0 ? 'instagram' : 'messenger' }),
        () => opened.actor.send({ type: 'limit.typed', limit: nth(['50', '1', ''], which) ?? '' }),
        () => opened.actor.send({ type: 'cancel.requested' }),
      ],
      which,
    )?.()
  }
  if (opened?.name === 'linkClient') {
    const found = selectFound(opened.actor.getSnapshot())?.clientIds ?? []
    nth(
      [
        () => opened.actor.send({ type: 'search.typed', term: 'Client' }),
        () => {
          const client = clientById(clientsIn(opened.actor.system), nth(found, which) ?? '')
          if (client) opened.actor.send({ type: 'client.chosen', client })
        },
        () => opened.actor.send({ type: 'link.requested' }),
        () => opened.actor.send({ type: 'form.opened' }),
        () => opened.actor.send({ type: 'form.submitted' }),
        () => opened.actor.send({ type: 'form.cancelled' }),
      ],
      which,
    )?.()
  }
}

function workOnFaq({ actor }: Extract<OpenDialog, { name: 'faq' }>, which: number): void {
  const form = selectFaqForm(actor.getSnapshot())
  const entry = nth(selectEntries(actor.getSnapshot()) ?? [], which)
  const isActive = which % 3 !== 0
  const change = {
    title: `Entry ${which}`,
    categoryId: 'general',
    keywords: ['magkano'],
    response: 'It is {userName}.',
    isActive,
  }
  if (form) {
    nth(
      [
        () => form.send({ type: 'fields.typed', change }),
        () => form.send({ type: 'form.submitted' }),
        () => form.send({ type: 'form.cancelled' }),
        () => form.send({ type: 'discard.confirmed' }),
      ],
      which,
    )?.()
    return
  }
  nth(
    [
      () => actor.send({ type: 'item.added' }),
      () => (entry ? actor.send({ type: 'item.edited', item: entry }) : undefined),
      () => (entry ? actor.send({ type: 'deletion.requested', item: entry }) : undefined),
      () => actor.send({ type: 'deletion.confirmed' }),
      () => actor.send({ type: 'refetch.requested' }),
    ],
    which,
  )?.()
}

/** Closes the open dialog. Where it asks whether to discard what was typed, the next call confirms. */
export function closeDialog({ dialog }: Session): void {
  const opened = selectOpened(dialog.getSnapshot())
  if (opened?.name === 'linkClient') opened.actor.send({ type: 'discard.confirmed' })
  if (opened?.name === 'faq') selectFaqForm(opened.actor.getSnapshot())?.send({ type: 'discard.confirmed' })
  if (opened?.name === 'pageManager') selectPageForm(opened.actor.getSnapshot())?.send({ type: 'discard.confirmed' })
  dialog.send({ type: 'dialog.dismissed' })
}
