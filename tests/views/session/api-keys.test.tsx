import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { apiKeysMachine } from '../../../src/machines/session/api-keys.ts'
import ApiKeysDialog from '../../../src/views/session/ApiKeysDialog.tsx'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { apiKeysModel, newKey, shop, startApiKeys, till } from '../../model/session/api-keys-fixture.ts'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(apiKeysMachine)

/** Renders the dialog on its real machine. The test controls the answers. */
function show() {
  const sut = startApiKeys(coverage.inspect)
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = render(<ApiKeysDialog actor={sut.actor} title="API keys" onDismiss={dismiss} />)
  return { ...sut, unmount: view.unmount }
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const press = (name: string) => act(async () => fireEvent.click(button(name)))
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const inQuestion = (name: string) =>
  act(async () => fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name })))

describe('The dialog of API keys', () => {
  it('names each key with its end, its scopes, its last use and who made it', async () => {
    const sut = show()
    await act(() => sut.load.resolve([shop, till]))
    const items = within(screen.getByRole('list', { name: 'API keys' })).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Name shop…abcdClientsNot used yetMade by Ana Reyes on .*2026.*Revoke$/),
      expect.stringMatching(/^Name till…abcdOrders and paymentsLast used .*2026.*Made by Ana Reyes on .*Revoke$/),
    ])
    await expectScreen()
    await press('Make a key')
    expect(document.activeElement).toBe(field('Name of the program'))
    await expectScreen()
  })

  it('shows a new key selected, with an example, until the person has it', async () => {
    const sut = show()
    await act(() => sut.load.resolve([]))
    screen.getByText('No API keys yet.')
    const commands = () =>
      [...document.querySelectorAll('pre')].map(({ textContent }) =>
        /^curl -X (\S+ \S+) .*Bearer (\S+)'/s.exec(textContent)?.slice(1),
      )
    const all = (key: string) =>
      ['PUT /clients/42', 'PUT /orders/1001', 'PUT /payments/7', 'POST '].map((call) => {
        const [method, path] = call.split(' ')
        return [`${method} ${window.location.origin}/api/import${path}`, key]
      })
    expect(commands()).toEqual(all('YOUR_KEY'))
    await press('Make a key')
    fireEvent.change(field('Name of the program'), { target: { value: 'Shop' } })
    await act(async () => fireEvent.click(field('Orders and payments')))
    await act(async () => fireEvent.submit(screen.getByRole('form')))
    expect(sut.create.inputs()).toEqual([{ name: 'Shop', scopes: ['clients.import'] }])
    await act(() => sut.create.resolve('sik_secret'))
    expect([field('Key').value, document.activeElement === field('Key')]).toEqual(['sik_secret', true])
    expect(commands()).toEqual(all('sik_secret'))
    await expectScreen()
    await press('Done')
    expect(document.body.innerHTML).not.toContain('sik_secret')
    expect(document.activeElement).toBe(button('Make a key'))
  })
})

describe('The walk through the dialog', () => {
  const paths = apiKeysModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const answered = (call: {
        resolve: (output: never) => Promise<void>
        reject: (error: unknown) => Promise<void>
      }) => ({
        resolve: (output: never) => act(() => call.resolve(output)),
        reject: (error: unknown) => act(() => call.reject(error)),
      })
      const presses: Record<string, () => Promise<unknown>> = {
        'item.added': () => press('Make a key'),
        'draft.changed': () =>
          act(async () => fireEvent.change(field('Name of the program'), { target: { value: newKey.name } })),
        'form.submitted': () => act(async () => fireEvent.submit(screen.getByRole('form'))),
        'form.cancelled': () => press('Cancel'),
        'discard.confirmed': () => inQuestion('Discard'),
        'discard.refused': () => inQuestion('Cancel'),
        'deletion.requested': () => press('Revoke Name shop'),
        'deletion.confirmed': () => inQuestion('Revoke'),
        'deletion.cancelled': () => inQuestion('Cancel'),
        'secret.taken': () => press('Done'),
      }
      const drive = driverOf(
        (event: AnyEventObject) => {
          const pressed = presses[event.type]
          if (pressed) return pressed()
          const tryAgain = screen.queryByRole('button', { name: 'Try again' })
          if (event.type === 'refetch.requested' && tryAgain) return act(async () => fireEvent.click(tryAgain))
          return act(async () => sut.actor.send(event as { type: 'dialog.dismissed' }))
        },
        {
          calls: {
            loadApiKeys: answered(sut.load),
            createApiKey: answered(sut.create),
            revokeApiKey: answered(sut.revoke),
          },
          delays: { retryDelay: () => act(async () => void sut.clock.increment(2_000)) },
        },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return
        const { keys, draft, error, secret } = expected.context
        const at = (work: 'editing' | 'leaving' | 'creating' | 'asking' | 'revoking') =>
          expected.matches({ open: { work } })
        const isForm = at('editing') || at('leaving') || at('creating')
        const isList = !isForm && secret === null
        expect({
          headings: screen.queryAllByRole('heading', { level: 3, hidden: true }).map(({ textContent }) => textContent),
          typed: screen.queryByLabelText<HTMLInputElement>('Name of the program')?.value,
          error: isForm ? (screen.queryByRole('alert', { hidden: true })?.textContent ?? null) : undefined,
          making: screen.queryByText('Making the key…') !== null,
          secret: screen.queryByLabelText<HTMLInputElement>('Key')?.value,
          failed: screen.queryByText('The API keys could not be loaded.') !== null,
          loading: screen.queryByText('Loading API keys…') !== null,
          asks: screen.queryByRole('alertdialog') !== null,
          revoking: screen.queryByText('Revoking…') !== null,
        }).toEqual({
          headings: isList ? (keys ?? []).map(({ name }) => name) : [isForm ? 'Make a key' : 'Your new key'],
          typed: isForm ? draft.name : undefined,
          error: isForm ? error : undefined,
          making: at('creating'),
          secret: secret ?? undefined,
          failed: isList && expected.matches({ open: { keys: 'failed' } }),
          loading: isList && expected.matches({ open: { keys: 'loading' } }) && keys === null,
          asks: at('leaving') || at('asking') || at('revoking'),
          revoking: at('revoking'),
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
