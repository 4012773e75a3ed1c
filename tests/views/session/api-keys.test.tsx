import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { apiKeysMachine } from '../../../src/machines/session/api-keys.ts'
import ApiKeysDialog from '../../../src/views/session/ApiKeysDialog.tsx'
import { createCoverage, follow } from '../../model/harness.ts'
import { apiKeysModel, newKey, shop, startApiKeys, till } from '../../model/session/api-keys-fixture.ts'
import { button, dialogDriver, headings, inQuestion, isShown, leavesForm, press, submit } from '../driving.ts'
import { expectScreen } from '../screen.ts'
import { withNotifier } from '../with-notifier.tsx'

const coverage = createCoverage(apiKeysMachine)

/** Renders the dialog on its real machine. The test controls the answers. */
function show() {
  const sut = startApiKeys(coverage.inspect)
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = render(withNotifier(<ApiKeysDialog actor={sut.actor} title="API keys" onDismiss={dismiss} />).element)
  return { ...sut, unmount: view.unmount }
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)

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
    await submit()
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
      const drive = dialogDriver(
        sut,
        {
          ...leavesForm,
          'item.added': () => press('Make a key'),
          'draft.changed': () =>
            act(async () => fireEvent.change(field('Name of the program'), { target: { value: newKey.name } })),
          'form.submitted': () => submit(),
          'deletion.requested': () => press('Revoke Name shop'),
          'deletion.confirmed': () => inQuestion('Revoke'),
          'deletion.cancelled': () => inQuestion('Cancel'),
          'secret.taken': () => press('Done'),
        },
        { loadApiKeys: sut.load, createApiKey: sut.create, revokeApiKey: sut.revoke },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return
        const { keys, draft, error, secret } = expected.context
        const at = (work: 'editing' | 'leaving' | 'creating' | 'asking' | 'revoking') =>
          expected.matches({ open: { work } })
        const isForm = at('editing') || at('leaving') || at('creating')
        const isList = !isForm && secret === null
        expect({
          headings: headings(),
          typed: screen.queryByLabelText<HTMLInputElement>('Name of the program')?.value,
          error: isForm ? (screen.queryByRole('alert', { hidden: true })?.textContent ?? null) : undefined,
          making: isShown('Making the key…'),
          secret: screen.queryByLabelText<HTMLInputElement>('Key')?.value,
          failed: isShown('The API keys could not be loaded.'),
          loading: isShown('Loading API keys…'),
          asks: screen.queryByRole('alertdialog') !== null,
          revoking: isShown('Revoking…'),
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
