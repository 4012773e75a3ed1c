import { describe, expect, it } from 'vitest'
import { webhookBlockedReason, webhookFieldsOf } from '../../../src/domain/session/webhook-fields.ts'
import {
  deliveryErrorText,
  deliveryStateText,
  webhookEventText,
  webhookStateText,
} from '../../../src/domain/session/webhook-text.ts'
import { selectError } from '../../../src/machines/item-forms.ts'
import { webhookFormMachine } from '../../../src/machines/session/webhook-form.ts'
import {
  selectDeliveries,
  selectLogHasMore,
  selectLogIsSending,
  webhookLogMachine,
} from '../../../src/machines/session/webhook-log.ts'
import {
  selectAskedToDelete,
  selectAskedToReplace,
  selectEndpoints,
  selectEndpointsHaveFailed,
  selectWebhookForm,
  selectWebhookLog,
  selectWebhookSecret,
  webhooksMachine,
} from '../../../src/machines/session/webhooks.ts'
import type { WebhookEndpoint } from '../../../src/schemas/webhook.ts'
import { createCoverage, driverOf, error, follow, inspectAll, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { staffFaults } from './staff-fixture.ts'
import {
  deliveryOf,
  endpointOf,
  firstPage,
  secondPage,
  shop,
  startWebhooks,
  till,
  webhookFormModel,
  webhookLogModel,
  webhooksModel,
} from './webhooks-fixture.ts'

const dialogCoverage = createCoverage(webhooksMachine)
const formCoverage = createCoverage(webhookFormMachine)
const logCoverage = createCoverage(webhookLogMachine)
const start = () => startWebhooks(inspectAll(dialogCoverage.inspect, formCoverage.inspect, logCoverage.inspect))
const network = 'Network error. Please check your connection.'

async function openForm(item: WebhookEndpoint | null) {
  const sut = start()
  await sut.load.resolve([shop, till])
  sut.actor.send(item === null ? { type: 'item.added' } : { type: 'item.edited', item })
  const form = selectWebhookForm(sut.snapshot())
  if (form === undefined) throw new Error('the form is not shown')
  return { ...sut, form }
}

async function openLog() {
  const sut = start()
  await sut.load.resolve([shop, till])
  sut.actor.send({ type: 'log.requested', item: till })
  const log = selectWebhookLog(sut.snapshot())
  if (log === undefined) throw new Error('the log is not shown')
  return { ...sut, log }
}

describe('The form', () => {
  it.each([
    [{ url: ' ' }, 'Enter the address.'],
    [{ url: 'shop.example.com' }, 'Enter an address that begins with https://.'],
    [{ url: 'https://' }, 'Enter an address that begins with https://.'],
    [{ url: `https://shop.example.com/${'x'.repeat(2_000)}` }, 'Use at most 2000 characters.'],
    [{ description: 'x'.repeat(201) }, 'Use at most 200 characters.'],
    [{ events: [] }, 'Choose at least one event.'],
    [{}, null],
  ])('cannot be saved with %j: %s', (change, reason) => {
    expect(webhookBlockedReason({ ...webhookFieldsOf(shop), ...change })).toBe(reason)
  })

  it('gives a new webhook every event, and shows its secret until the person has it', async () => {
    const sut = await openForm(null)
    sut.form.send({ type: 'form.submitted' })
    expect(sut.save.calls).toEqual([])
    sut.form.send({ type: 'fields.typed', change: { url: ' https://new.example.com/hook ', description: ' New ' } })
    sut.form.send({ type: 'form.submitted' })
    expect(sut.save.inputs()).toEqual([
      {
        id: null,
        body: {
          url: 'https://new.example.com/hook',
          description: 'New',
          events: ['order.changed', 'message.received', 'conversation.waiting'],
          is_active: true,
        },
      },
    ])
    await sut.save.resolve('whsec_new')
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([selectWebhookSecret(sut.snapshot()), sut.toasts]).toEqual(['whsec_new', []])
    sut.actor.send({ type: 'secret.taken' })
    expect(JSON.stringify(sut.actor.getPersistedSnapshot())).not.toContain('whsec_new')
  })

  it.each([
    ['a refusal, with its reason', staffFaults.refused, 'This is the last active administrator.'],
    [
      'no answer, and warns that the webhook may exist',
      staffFaults.noAnswer,
      'We do not know whether the webhook was saved. Look in the list: delete a webhook whose secret you do not have, then try again.',
    ],
  ])('keeps what was typed after %s', async (_, fault, text) => {
    const sut = await openForm(null)
    sut.form.send({ type: 'fields.typed', change: { url: 'https://new.example.com/' } })
    sut.form.send({ type: 'form.submitted' })
    await sut.save.reject(fault)
    expect([selectError(sut.form.getSnapshot()), sut.form.getSnapshot().context.fields.url]).toEqual([
      text,
      'https://new.example.com/',
    ])
  })

  const paths = [null, shop].flatMap((item) =>
    webhookFormModel(item)
      .everyTransition()
      .map((path) => ({ item, path })),
  )
  it(`ends as expected on ${paths.length} paths`, async () => {
    for (const { item, path } of paths) {
      const sut = await openForm(item)
      const drive = driverOf(sut.form.send, { calls: { saveWebhook: sut.save } })
      await follow(path, drive, ({ expected }) => {
        const { value, context, status } = sut.form.getSnapshot()
        expect([value, context, status]).toEqual([expected.value, expected.context, expected.status])
      })
      sut.actor.stop()
    }
  })
  it('enters every state', () => expect(formCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(formCoverage.transitionsMissed()).toEqual([]))
})

describe('The log', () => {
  it('is read again every three seconds, also when it is empty, but not while a person reads further pages', async () => {
    const sut = await openLog()
    await sut.deliveries.resolve({ deliveries: [], next: null })
    sut.clock.increment(3_000)
    await sut.deliveries.resolve(firstPage)
    sut.log.send({ type: 'more.requested' })
    await sut.deliveries.resolve(secondPage)
    sut.clock.increment(60_000)
    expect(sut.deliveries.inputs()).toEqual([
      { id: 'till', before: null },
      { id: 'till', before: null },
      { id: 'till', before: 3 },
    ])
    expect(selectDeliveries(sut.log.getSnapshot())?.map(({ id }) => id)).toEqual([4, 3, 2, 1])
    sut.log.send({ type: 'refetch.requested' })
    await sut.deliveries.resolve({ deliveries: [deliveryOf(4)], next: null })
    sut.clock.increment(3_000)
    expect(sut.deliveries.calls).toHaveLength(5)
  })

  it('sends again and tests once at a time, says so, and is read again', async () => {
    const sut = await openLog()
    await sut.deliveries.resolve(firstPage)
    sut.log.send({ type: 'resend.requested', delivery: 3 })
    sut.log.send({ type: 'test.requested' })
    expect([sut.resend.inputs(), sut.test.calls, selectLogIsSending(sut.log.getSnapshot())]).toEqual([
      [{ id: 'till', delivery: 3 }],
      [],
      true,
    ])
    await sut.resend.resolve(undefined)
    await sut.deliveries.resolve(firstPage)
    sut.log.send({ type: 'test.requested' })
    await sut.test.reject(staffFaults.refused)
    expect([sut.test.inputs(), sut.deliveries.calls.length, sut.toasts]).toEqual([
      [{ id: 'till' }],
      3,
      [success('The event is sent again'), error('This is the last active administrator.')],
    ])
  })

  it('that is closed shows the list, read again; one that is dismissed closes the dialog', async () => {
    const closed = await openLog()
    closed.log.send({ type: 'log.closed' })
    expect([closed.snapshot().value, closed.load.calls.length]).toEqual([
      { open: { list: 'loading', work: 'list' } },
      2,
    ])
    const dismissed = await openLog()
    dismissed.actor.send({ type: 'dialog.dismissed' })
    expect(dismissed.snapshot().value).toBe('dismissed')
  })

  const paths = webhookLogModel().everyTransition()
  type State = {
    ids: number[] | null
    hasMore: boolean
    isFirstPage: boolean
    list: 'loading' | 'waiting' | 'refused' | 'showing' | 'loadingMore'
    work: 'idle' | 'resending' | 'testing' | 'closed'
    loads: (number | null)[]
    toasts: unknown[]
  }
  const reload = ({ loads }: State): Partial<State> => ({ list: 'loading', loads: [...loads, null] })
  const told = ({ toasts }: State, toast: unknown) => ({ toasts: [...toasts, toast] })
  const afterWork = (state: State, toast: unknown): Partial<State> => ({
    ...reload(state),
    ...told(state, toast),
    work: 'idle',
  })
  const isTimed = ({ list, ids, isFirstPage }: State) => list === 'showing' && isFirstPage && ids !== null
  const mayLoadMore = ({ list, hasMore }: State) => hasMore && (list === 'showing' || list === 'loading')
  const reference: Reference<State> = {
    start: { ids: null, hasMore: false, isFirstPage: true, list: 'loading', work: 'idle', loads: [null], toasts: [] },
    accepts: (state) =>
      state.work === 'closed'
        ? []
        : [
            ...['log.closed', 'dialog.dismissed', 'deliveries.invalidated'],
            ...when(state.list !== 'loading', 'refetch.requested'),
            ...when(mayLoadMore(state), 'more.requested'),
            ...when(isTimed(state), 'xstate.after.refreshDelay.webhookLog.open.list.showing.idle'),
            ...when(state.list === 'waiting', 'xstate.after.retryDelay.webhookLog.open.list.failed.waiting'),
            ...when(state.list === 'loading', ...ends('loadDeliveries')),
            ...when(state.list === 'loadingMore', ...ends('loadMore')),
            ...{
              idle: ['resend.requested', 'test.requested'],
              resending: ends('resendDelivery'),
              testing: ends('testWebhook'),
            }[state.work],
          ],
    rules: {
      'log.closed': () => ({ work: 'closed' }),
      'dialog.dismissed': () => ({ work: 'closed' }),
      'refetch.requested': (state) => (state.list === 'loading' ? {} : reload(state)),
      'more.requested': (state) => (mayLoadMore(state) ? { list: 'loadingMore', loads: [...state.loads, 3] } : {}),
      'resend.requested': () => ({ work: 'resending' }),
      'test.requested': () => ({ work: 'testing' }),
      'xstate.after.refreshDelay.webhookLog.open.list.showing.idle': (state) => (isTimed(state) ? reload(state) : {}),
      'xstate.after.retryDelay.webhookLog.open.list.failed.waiting': reload,
      'xstate.done.actor.loadDeliveries': () => ({ list: 'showing', ids: [4, 3], hasMore: true, isFirstPage: true }),
      'xstate.error.actor.loadDeliveries': (state, { error: failure }) =>
        failure === staffFaults.noAnswer
          ? { list: 'waiting', ...told(state, error(network)) }
          : { list: 'refused', ...told(state, error('Failed to load the log')) },
      'xstate.done.actor.loadMore': ({ ids }) => ({
        list: 'showing',
        ids: [...(ids ?? []), 2, 1],
        hasMore: false,
        isFirstPage: false,
      }),
      'xstate.error.actor.loadMore': (state) => ({ list: 'showing', ...told(state, error('Failed to load the log')) }),
      'xstate.done.actor.resendDelivery': (state) => afterWork(state, success('The event is sent again')),
      'xstate.error.actor.resendDelivery': (state) => afterWork(state, error('Failed to send the event again')),
      'xstate.done.actor.testWebhook': (state) => afterWork(state, success('The test event is on its way')),
      'xstate.error.actor.testWebhook': (state) => afterWork(state, error('Failed to send the test event')),
    },
    shown: ({ ids, hasMore, list, work, loads, toasts }) => ({
      ids,
      hasMore: work !== 'closed' && hasMore && list !== 'waiting' && list !== 'refused',
      isSending: work === 'resending' || work === 'testing',
      isClosed: work === 'closed',
      loads,
      toasts,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = await openLog()
      const drive = driverOf(sut.log.send, {
        calls: {
          loadDeliveries: sut.deliveries,
          loadMore: sut.deliveries,
          resendDelivery: sut.resend,
          testWebhook: sut.test,
        },
        delays: { refreshDelay: () => sut.clock.increment(3_000), retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.log.getSnapshot()
        return {
          ids: selectDeliveries(snapshot)?.map(({ id }) => id) ?? null,
          hasMore: snapshot.status === 'active' && selectLogHasMore(snapshot),
          isSending: selectLogIsSending(snapshot),
          isClosed: snapshot.status !== 'active',
          loads: sut.deliveries.inputs().map(({ before }) => before),
          toasts: sut.toasts,
        }
      })
      sut.actor.stop()
    }
  })
  it('enters every state', () => expect(logCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(logCoverage.transitionsMissed()).toEqual([]))
})

describe('The walk through the dialog', () => {
  const paths = webhooksModel().everyTransition()

  type State = {
    endpoints: readonly WebhookEndpoint[] | null
    list: 'loading' | 'showing' | 'waiting' | 'refused'
    loads: number
    work:
      | 'list'
      | 'form'
      | 'log'
      | 'showingSecret'
      | 'asking'
      | 'deleting'
      | 'askingToReplace'
      | 'replacing'
      | 'dismissed'
    item: WebhookEndpoint | null
    secret: string | null
    deleted: string[]
    replaced: string[]
    toasts: unknown[]
  }
  const loadAgain = ({ loads }: State): Partial<State> => ({ list: 'loading', loads: loads + 1 })
  const questions = ['dialog.dismissed']
  const reference: Reference<State> = {
    start: {
      endpoints: null,
      list: 'loading',
      loads: 1,
      work: 'list',
      item: null,
      secret: null,
      deleted: [],
      replaced: [],
      toasts: [],
    },
    accepts: ({ list, work }) => [
      ...when(work !== 'dismissed', 'endpoints.invalidated'),
      ...when(list === 'loading', ...ends('loadWebhooks')),
      ...when(list === 'waiting', 'xstate.after.retryDelay.webhooks.open.list.failed.waiting'),
      ...when(list === 'waiting' || list === 'refused', 'refetch.requested'),
      ...{
        list: [
          'item.added',
          'item.edited',
          'log.requested',
          'deletion.requested',
          'replacement.requested',
          'dialog.dismissed',
        ],
        form: ['xstate.done.actor.webhookForm'],
        log: ['xstate.done.actor.webhookLog'],
        showingSecret: ['secret.taken'],
        asking: ['deletion.confirmed', 'deletion.cancelled', ...questions],
        deleting: ends('deleteWebhook'),
        askingToReplace: ['replacement.confirmed', 'replacement.cancelled', ...questions],
        replacing: ends('replaceWebhookSecret'),
        dismissed: [],
      }[work],
    ],
    rules: {
      'refetch.requested': loadAgain,
      'item.added': () => ({ work: 'form', item: null }),
      'item.edited': (_, { item }) => ({ work: 'form', item }),
      'log.requested': (_, { item }) => ({ work: 'log', item }),
      'deletion.requested': (_, { item }) => ({ work: 'asking', item }),
      'deletion.confirmed': ({ deleted, item }) => ({ work: 'deleting', deleted: [...deleted, item?.id ?? ''] }),
      'deletion.cancelled': () => ({ work: 'list' }),
      'replacement.requested': (_, { item }) => ({ work: 'askingToReplace', item }),
      'replacement.confirmed': ({ replaced, item }) => ({ work: 'replacing', replaced: [...replaced, item?.id ?? ''] }),
      'replacement.cancelled': () => ({ work: 'list' }),
      'secret.taken': () => ({ work: 'list', secret: null }),
      'dialog.dismissed': ({ work }) => ({ work: work === 'list' ? 'dismissed' : 'list' }),
      'xstate.done.actor.webhookForm': (state, { output }) => {
        if (output.isDismissed) return { work: 'dismissed' }
        if (!output.mayHaveSaved) return { work: 'list' }
        const toasts = output.secret === null ? [...state.toasts, success('Webhook saved')] : state.toasts
        return {
          ...loadAgain(state),
          work: output.secret === null ? 'list' : 'showingSecret',
          secret: output.secret,
          toasts,
        }
      },
      'xstate.done.actor.webhookLog': (state, { output }) =>
        output.isDismissed ? { work: 'dismissed' } : { ...loadAgain(state), work: 'list' },
      'xstate.done.actor.loadWebhooks': (_, { output }) => ({ list: 'showing', endpoints: output }),
      'xstate.error.actor.loadWebhooks': ({ toasts }, { error: failure }) =>
        failure === staffFaults.noAnswer
          ? { list: 'waiting', toasts: [...toasts, error(network)] }
          : { list: 'refused', toasts: [...toasts, error('Failed to load webhooks')] },
      'xstate.after.retryDelay.webhooks.open.list.failed.waiting': loadAgain,
      'xstate.done.actor.deleteWebhook': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, success('Webhook deleted')],
      }),
      'xstate.error.actor.deleteWebhook': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, error('Failed to delete the webhook')],
      }),
      'xstate.done.actor.replaceWebhookSecret': (_, { output }) => ({ work: 'showingSecret', secret: output }),
      'xstate.error.actor.replaceWebhookSecret': (state) => ({
        work: 'list',
        toasts: [...state.toasts, error('Failed to replace the secret')],
      }),
    },
    shown: ({ endpoints, list, loads, work, item, secret, deleted, replaced, toasts }) => ({
      endpoints,
      loads,
      secret,
      deleted,
      replaced,
      toasts,
      isDismissed: work === 'dismissed',
      isForm: work === 'form',
      isLog: work === 'log',
      askedToDelete: work === 'asking' || work === 'deleting' ? item : null,
      askedToReplace: work === 'askingToReplace' || work === 'replacing' ? item : null,
      hasFailed: work !== 'dismissed' && (list === 'waiting' || list === 'refused'),
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const form = () => selectWebhookForm(sut.snapshot())
      const webhookForm = {
        resolve: ({
          isDismissed,
          mayHaveSaved,
          secret,
        }: {
          isDismissed: boolean
          mayHaveSaved: boolean
          secret: string | null
        }) => {
          if (isDismissed) return sut.actor.send({ type: 'dialog.dismissed' })
          if (!mayHaveSaved) return form()?.send({ type: 'form.cancelled' })
          form()?.send({ type: 'fields.typed', change: { url: 'https://new.example.com/' } })
          form()?.send({ type: 'form.submitted' })
          return sut.save.resolve(secret)
        },
        reject: () => undefined,
      }
      const webhookLog = {
        resolve: ({ isDismissed }: { isDismissed: boolean }) =>
          isDismissed
            ? sut.actor.send({ type: 'dialog.dismissed' })
            : selectWebhookLog(sut.snapshot())?.send({ type: 'log.closed' }),
        reject: () => undefined,
      }
      const drive = driverOf(sut.actor.send, {
        calls: {
          webhookForm,
          webhookLog,
          loadWebhooks: sut.load,
          deleteWebhook: sut.remove,
          replaceWebhookSecret: sut.replace,
        },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.snapshot()
        return {
          endpoints: selectEndpoints(snapshot),
          loads: sut.load.calls.length,
          secret: selectWebhookSecret(snapshot),
          deleted: sut.remove.inputs().map(({ id }) => id),
          replaced: sut.replace.inputs().map(({ id }) => id),
          toasts: sut.toasts,
          isDismissed: snapshot.value === 'dismissed',
          isForm: snapshot.matches({ open: { work: 'form' } }),
          isLog: snapshot.matches({ open: { work: 'log' } }),
          askedToDelete: selectAskedToDelete(snapshot),
          askedToReplace: selectAskedToReplace(snapshot),
          hasFailed: selectEndpointsHaveFailed(snapshot),
        }
      })
      sut.actor.stop()
    }
  })
  it('enters every state', () => expect(dialogCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(dialogCoverage.transitionsMissed()).toEqual([]))
})

describe('The texts', () => {
  it.each([
    [endpointOf('a'), { tone: 'ok', text: 'On' }],
    [endpointOf('a', { is_active: false }), { tone: 'neutral', text: 'Off' }],
    [
      endpointOf('a', { is_active: false, disabled_reason: 'gone' }),
      { tone: 'bad', text: 'Switched off: the receiver is gone' },
    ],
    [
      endpointOf('a', { is_active: false, disabled_reason: 'failures' }),
      { tone: 'bad', text: 'Switched off after failures' },
    ],
    [till, { tone: 'warn', text: expect.stringMatching(/^Failing since .*2026/) }],
  ])('of an endpoint, %#', (endpoint, expected) => expect(webhookStateText(endpoint)).toEqual(expected))

  it.each([
    [{}, 'Delivered', null],
    [{ state: 'failed', status: 503, error: 'refused' }, 'Failed', 'Answered 503'],
    [{ state: 'waiting', attempts: 0, status: null, next_attempt_at: '2026-01-05T12:00:00Z' }, 'Waits', null],
    [{ state: 'waiting' }, 'Sending…', null],
    [
      { state: 'waiting', status: null, error: 'timeout', next_attempt_at: '2026-01-05T12:05:00Z' },
      expect.stringMatching(/^Next try .*2026/),
      'No answer within 10 seconds',
    ],
    [{ state: 'failed', status: null, error: 'ECONNRESET' }, 'Failed', 'No answer (ECONNRESET)'],
    [{ state: 'failed', status: null, error: 'private_address' }, 'Failed', 'The address is not public'],
    [{ state: 'failed', status: null, error: 'endpoint_off' }, 'Failed', 'The webhook was off'],
  ] as const)('of a delivery, %#', (change, state, failure) => {
    const delivery = deliveryOf(1, change)
    expect([deliveryStateText(delivery).text, deliveryErrorText(delivery)]).toEqual([state, failure])
  })

  it('of events, also of those that a newer server knows', () => {
    const events = ['order.changed', 'message.received', 'conversation.waiting', 'webhook.test', 'order.deleted']
    expect(events.map(webhookEventText)).toEqual([
      'Order changed',
      'Message received',
      'Conversation waits',
      'Test',
      'order.deleted',
    ])
  })
})
