import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { dateAndTime } from '../../../src/domain/moments.ts'
import { webhookFormMachine } from '../../../src/machines/session/webhook-form.ts'
import { webhookLogMachine } from '../../../src/machines/session/webhook-log.ts'
import { webhooksMachine } from '../../../src/machines/session/webhooks.ts'
import WebhooksDialog from '../../../src/views/session/WebhooksDialog.tsx'
import { createCoverage, follow } from '../../model/harness.ts'
import {
  deliveryOf,
  endpointOf,
  firstPage,
  shop,
  startWebhooks,
  till,
  webhookFormModel,
  webhookLogModel,
  webhooksModel,
} from '../../model/session/webhooks-fixture.ts'
import { button, dialogDriver, headings, inQuestion, isShown, leavesForm, press, submit } from '../driving.ts'
import { pressOutside } from '../press-outside.ts'
import { expectScreen } from '../screen.ts'
import { withNotifier } from '../with-notifier.tsx'

const dialogCoverage = createCoverage(webhooksMachine)
const formCoverage = createCoverage(webhookFormMachine)
const logCoverage = createCoverage(webhookLogMachine)

/** Renders the dialog on its real machines. The test controls the answers. */
function show() {
  const sut = startWebhooks((event) => {
    dialogCoverage.inspect(event)
    formCoverage.inspect(event)
    logCoverage.inspect(event)
  })
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = render(withNotifier(<WebhooksDialog actor={sut.actor} title="Webhooks" onDismiss={dismiss} />).element)
  return { ...sut, dismiss: () => act(async () => dismiss()), unmount: view.unmount }
}

const field = (name: string) => screen.queryByLabelText<HTMLInputElement>(new RegExp(`^${name}`))
const type = (name: string, value: string) =>
  act(async () => void fireEvent.change(screen.getByLabelText(new RegExp(`^${name}`)), { target: { value } }))

describe('The dialog of webhooks', () => {
  it('names each webhook with its state, its events and who made it', async () => {
    const sut = show()
    const off = endpointOf('old', { is_active: false, disabled_reason: 'gone', events: ['order.changed', 'later'] })
    await act(() => sut.load.resolve([shop, till, off]))
    const items = within(screen.getByRole('list', { name: 'Webhooks' })).getAllByRole('listitem')
    const end = `Made by Ana Reyes on ${dateAndTime(shop.created_at)}LogEditNew secretDelete`
    const since = dateAndTime('2026-01-06T12:00:00Z')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      `https://shop.example.com/hookOnOrder changed${end}`,
      `https://till.example.com/hookThe tillFailing since ${since}Order changed${end}`,
      `https://old.example.com/hookSwitched off: the receiver is goneOrder changedlater${end}`,
    ])
    await expectScreen()
    await press('Add webhook')
    expect(document.activeElement).toBe(field('Address'))
    await expectScreen()
  })

  it('says that there is no webhook, and shows no list', async () => {
    const sut = show()
    await act(() => sut.load.resolve([]))
    expect([isShown('No webhooks yet.'), screen.queryByRole('list')]).toEqual([true, null])
  })

  it('changes the events and switches a webhook off in its form', async () => {
    const sut = show()
    await act(() => sut.load.resolve([shop]))
    await press('Edit https://shop.example.com/hook')
    await act(async () => fireEvent.click(screen.getByLabelText('Message received')))
    await act(async () => fireEvent.click(screen.getByLabelText('Order changed')))
    await act(async () => fireEvent.click(screen.getByLabelText('On')))
    await type('Description', 'The shop')
    await submit()
    const body = { url: shop.url, description: 'The shop', events: ['message.received'], is_active: false }
    expect(sut.save.inputs()).toEqual([{ id: 'shop', body }])
  })

  it('shows what was sent; nothing can be sent to a webhook that is off', async () => {
    const sut = show()
    await act(() => sut.load.resolve([endpointOf('off', { is_active: false }), shop]))
    await press('Log of https://off.example.com/hook')
    await act(() => sut.deliveries.resolve({ deliveries: [], next: null }))
    expect([isShown('Nothing was sent yet.'), screen.queryByText('Send a test event')]).toEqual([true, null])
    await press('All webhooks')
    expect(document.activeElement).toBe(button('Add webhook'))
    await press('Log of https://shop.example.com/hook')
    const failed = deliveryOf(5, { state: 'failed', attempts: 10, status: null, error: 'timeout' })
    await act(() => sut.deliveries.resolve({ deliveries: [failed, ...firstPage.deliveries], next: null }))
    const items = within(screen.getByRole('list', { name: 'Log' })).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Order changed.*2026.*Failed10 attemptsNo answer within 10 secondsevt_5Send again$/),
      expect.stringMatching(/^Order changed.*Next try .*1 attemptAnswered 500evt_4Send again$/),
      expect.stringMatching(/^Order changed.*Delivered1 attemptAnswered 200evt_3Send again$/),
    ])
    await expectScreen()
    const again = screen.getAllByRole<HTMLButtonElement>('button', { name: /^Send again: Order changed, / })
    await act(async () => void (again[0] && fireEvent.click(again[0])))
    expect([sut.resend.inputs(), again.map(({ disabled }) => disabled)]).toEqual([
      [{ id: 'shop', delivery: 5 }],
      [true, true, true],
    ])
  })
})

describe('A press beside the dialog', () => {
  const save = async (sut: ReturnType<typeof show>) => {
    await press('Add webhook')
    await type('Address', 'https://new.example.com/')
    await submit()
    await act(() => sut.save.resolve('whsec_1'))
  }
  it.each<[string, (sut: ReturnType<typeof show>) => Promise<unknown>, boolean]>([
    ['closes the list', async () => {}, true],
    ['closes the log', () => press(`Log of ${shop.url}`), true],
    ['keeps the form of a new webhook', () => press('Add webhook'), false],
    ['keeps the form of a saved webhook', () => press(`Edit ${shop.url}`), false],
    ['keeps the secret, which is shown only once', save, false],
  ])('%s', async (_, prepare, closes) => {
    const sut = show()
    await act(() => sut.load.resolve([shop]))
    await prepare(sut)
    await pressOutside()
    expect(sut.actor.getSnapshot().status).toBe(closes ? 'done' : 'active')
    sut.actor.stop()
    sut.unmount()
  })
})

describe('The walk through the form', () => {
  const paths = [null, shop].flatMap((item) =>
    webhookFormModel(item)
      .everyTransitionInFewPaths()
      .map((path) => ({ item, path })),
  )

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const { item, path } of paths) {
      const sut = show()
      await act(() => sut.load.resolve([shop, till]))
      await press(item === null ? 'Add webhook' : 'Edit https://shop.example.com/hook')
      const title = item === null ? 'Add webhook' : 'Edit webhook'
      const drive = dialogDriver(
        sut,
        {
          ...leavesForm,
          'fields.typed': (event) => type('Address', event['change'].url),
          'form.submitted': () => submit(),
        },
        { saveWebhook: sut.save },
      )
      await follow(path, drive, ({ expected: { value, context, status, output } }) => {
        // The dialog ends with the form.
        if (output?.isDismissed) return expect(sut.snapshot().value).toBe('dismissed')
        const isOpen = status === 'active'
        const after = output?.secret == null ? [shop.url, till.url] : ['The secret of your webhook']
        return expect({
          headings: headings(),
          url: field('Address')?.value,
          error: isOpen ? (screen.queryByRole('alert', { hidden: true })?.textContent ?? null) : null,
          asks: screen.queryByRole('alertdialog') !== null,
          saving: isShown('Saving...'),
        }).toEqual({
          headings: isOpen ? [title] : after,
          url: isOpen ? context.fields.url : undefined,
          error: isOpen ? context.error : null,
          asks: value === 'leaving',
          saving: value === 'saving',
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })
  it('enters every state', () => expect(formCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(formCoverage.transitionsMissed()).toEqual([]))
})

describe('The walk through the log', () => {
  const paths = webhookLogModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      await act(() => sut.load.resolve([shop, till]))
      await press(`Log of ${till.url}`)
      const drive = dialogDriver(
        sut,
        {
          'refetch.requested': () => press('Refresh'),
          'more.requested': () => press('Show more'),
          'resend.requested': () =>
            act(async () => {
              const [first] = screen.getAllByRole('button', { name: /^Send again: Order changed/ })
              if (first) fireEvent.click(first)
            }),
          'test.requested': () => press('Send a test event'),
          'log.closed': () => press('All webhooks'),
        },
        {
          loadDeliveries: sut.deliveries,
          loadMore: sut.deliveries,
          resendDelivery: sut.resend,
          testWebhook: sut.test,
        },
        { refreshDelay: 3_000 },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') {
          if (expected.output?.isDismissed) return expect(sut.snapshot().value).toBe('dismissed')
          return expect(headings()).toEqual([shop.url, till.url])
        }
        const { deliveries, next } = expected.context
        const isBusy = !expected.matches({ open: { work: 'idle' } })
        const isMore = expected.matches({ open: { list: { showing: 'loadingMore' } } })
        return expect({
          headings: headings(),
          ids: screen.queryAllByText(/^evt_/).map(({ textContent }) => textContent),
          loading: isShown('Loading the log…'),
          failed: isShown('The log could not be loaded.'),
          more: screen.queryByRole('button', { name: /^(Show more|Loading…)$/ })?.ariaDisabled,
          test: button('Send a test event').disabled,
        }).toEqual({
          headings: [`Log of ${till.url}`],
          ids: (deliveries ?? []).map(({ event_id }) => event_id),
          loading: expected.matches({ open: { list: 'loading' } }) && deliveries === null,
          failed: expected.matches({ open: { list: 'failed' } }),
          more: !expected.matches({ open: { list: 'failed' } }) && next !== null ? `${isMore}` : undefined,
          test: isBusy,
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })
  it('enters every state', () => expect(logCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(logCoverage.transitionsMissed()).toEqual([]))
})

describe('The walk through the dialog', () => {
  const paths = webhooksModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const drive = dialogDriver(
        sut,
        {
          'xstate.done.actor.webhookForm': async ({ output }) => {
            if (output.isDismissed) return sut.dismiss()
            if (!output.mayHaveSaved) return press('Cancel')
            await type('Address', 'https://new.example.com/')
            await submit()
            return act(() => sut.save.resolve(output.secret))
          },
          'xstate.done.actor.webhookLog': ({ output }) => (output.isDismissed ? sut.dismiss() : press('All webhooks')),
          'item.added': () => press('Add webhook'),
          'item.edited': () => press(`Edit ${shop.url}`),
          'log.requested': () => press(`Log of ${till.url}`),
          'deletion.requested': () => press(`Delete ${shop.url}`),
          'deletion.confirmed': () => inQuestion('Delete'),
          'deletion.cancelled': () => inQuestion('Cancel'),
          'replacement.requested': () => press(`New secret for ${shop.url}`),
          'replacement.confirmed': () => inQuestion('Replace'),
          'replacement.cancelled': () => inQuestion('Cancel'),
          'secret.taken': () => press('Done'),
        },
        { loadWebhooks: sut.load, deleteWebhook: sut.remove, replaceWebhookSecret: sut.replace },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return
        const { endpoints, item, secret } = expected.context
        const at = (work: 'form' | 'log' | 'asking' | 'deleting' | 'askingToReplace' | 'replacing') =>
          expected.matches({ open: { work } })
        const isList = !at('form') && !at('log') && secret === null
        const own =
          secret !== null
            ? 'The secret of your webhook'
            : at('log')
              ? `Log of ${item?.url}`
              : item === null
                ? 'Add webhook'
                : 'Edit webhook'
        expect({
          headings: headings(),
          secret: field('Secret')?.value,
          failed: isShown('The webhooks could not be loaded.'),
          loading: isShown('Loading webhooks…'),
          asks: screen.queryByRole('alertdialog') !== null,
          busy: isShown('Deleting...') || isShown('Replacing…'),
        }).toEqual({
          headings: isList ? (endpoints ?? []).map(({ url }) => url) : [own],
          secret: secret ?? undefined,
          failed: isList && expected.matches({ open: { list: 'failed' } }),
          loading: isList && expected.matches({ open: { list: 'loading' } }) && endpoints === null,
          asks: at('asking') || at('deleting') || at('askingToReplace') || at('replacing'),
          busy: at('deleting') || at('replacing'),
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })
  it('enters every state', () => expect(dialogCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(dialogCoverage.transitionsMissed()).toEqual([]))
})
