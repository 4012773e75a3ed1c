import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { shopsMachine } from '../../../src/machines/client/shops.ts'
import ShopsDialog from '../../../src/views/client/ShopsDialog.tsx'
import { balay, newKey, newShop, shopsModel, startShops, tinda } from '../../model/client/shops-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { button, dialogDriver, headings, inQuestion, isShown, leavesForm, press, submit } from '../driving.ts'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(shopsMachine)

/** Renders the dialog on its real machine. The test controls the answers. */
function show() {
  const sut = startShops(coverage.inspect)
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = render(<ShopsDialog actor={sut.actor} title="Shops" onDismiss={dismiss} />)
  return { ...sut, unmount: view.unmount }
}

const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name)
const type = (name: RegExp, value: string) => act(async () => fireEvent.change(field(name), { target: { value } }))

const labels = {
  address: /^(Domain|Address) of the shop/,
  token: /^(Admin API access token|Consumer key)/,
  secret: /^(API secret key|Consumer secret)/,
}

describe('The dialog of shops', () => {
  it('names each shop with its kind, its progress, its counts and the rows that are not stored', async () => {
    const sut = show()
    const away = { ...balay, id: 'away', name: 'Away', state: 'unreachable' as const, error: 'Not shown' }
    const refused = { ...balay, id: 'refused', name: 'Refused', state: 'key-refused' as const }
    const failed = { ...balay, id: 'failed', name: 'Failed', synced_until: null, error: 'It broke off.' }
    await act(() => sut.load.resolve([balay, tinda, away, refused, failed]))
    const items = within(screen.getByRole('list', { name: 'Shops' })).getAllByRole('heading')
    expect(items.map(({ parentElement }) => parentElement?.textContent)).toEqual([
      expect.stringMatching(/^Name balayShopifybalay\.myshopify\.comRead .*2026.*\. 1 client, 2 orders\.$/),
      'Name tindaWooCommercehttps://tinda.exampleReading orders: 10 of 20. 1 client, 2 orders.',
      expect.stringMatching(/^Away.*The shop cannot be reached just now\. We keep trying\.$/),
      expect.stringMatching(/^Refused.*The shop refuses the key\. Make a new one in the shop and enter it here\.$/),
      expect.stringMatching(/^Failed.*Not read yet\. 1 client, 2 orders\.It broke off\.$/),
    ])
    screen.getByText('1 row is not stored')
    screen.getByText('Order #7: The order is in USD.')
    await expectScreen()
    await press('Connect a shop')
    await expectScreen()
  })

  it('asks for the names that each kind of shop uses', async () => {
    const sut = show()
    await act(() => sut.load.resolve([]))
    screen.getByText('No shops yet.')
    await press('Connect a shop')
    await act(async () => fireEvent.click(screen.getByLabelText('WooCommerce')))
    await type(/^Address of the shop/, 'https://tinda.example')
    await type(/^Consumer key/, 'ck_1')
    await type(/^Consumer secret/, 'cs_1')
    await submit()
    expect(sut.connect.inputs()).toEqual([
      { kind: 'woocommerce', address: 'https://tinda.example', key: 'ck_1', secret: 'cs_1' },
    ])
    await act(() => sut.connect.resolve(undefined))
    expect(document.activeElement).toBe(button('Connect a shop'))
  })
})

describe('The walk through the dialog', () => {
  const paths = shopsModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const typeAll = async (change: Partial<Record<keyof typeof labels, string>>) => {
        for (const [name, value] of Object.entries(change)) await type(labels[name as keyof typeof labels], value)
      }
      const drive = dialogDriver(
        sut,
        {
          ...leavesForm,
          'item.added': () => press('Connect a shop'),
          'item.edited': () => press('New key for Name balay'),
          'draft.changed': () => typeAll(sut.actor.getSnapshot().context.item === null ? newShop : newKey),
          'form.submitted': () => submit(),
          'run.requested': ({ change }) =>
            press(change === 'sync' ? 'Sync now: Name balay' : 'Stop reading Name tinda'),
          'deletion.requested': () => press('Disconnect Name balay'),
          'deletion.confirmed': () => inQuestion('Disconnect'),
          'deletion.cancelled': () => inQuestion('Cancel'),
        },
        { loadShops: sut.load, connectShop: sut.connect, changeRun: sut.change, disconnectShop: sut.disconnect },
        { pollDelay: 2_000 },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return
        const { shops, draft, error, item } = expected.context
        const at = (work: 'editing' | 'leaving' | 'connecting' | 'changing' | 'asking' | 'disconnecting') =>
          expected.matches({ open: { work } })
        const isForm = at('editing') || at('leaving') || at('connecting')
        expect({
          headings: headings(),
          typed: isForm ? [field(labels.address).value, field(labels.token).value, field(labels.secret).value] : null,
          error: isForm ? (screen.queryByRole('alert', { hidden: true })?.textContent ?? null) : undefined,
          connecting: isShown('Connecting…'),
          savesKey: screen.queryByRole('button', { name: 'Save new key', hidden: true }) !== null,
          failed: isShown('The shops could not be loaded.'),
          loading: isShown('Loading shops…'),
          asks: screen.queryByRole('alertdialog') !== null,
          disconnecting: isShown('Disconnecting…'),
          disabled: screen.queryByLabelText<HTMLButtonElement>('Sync now: Name balay')?.disabled === true,
        }).toEqual({
          headings: isForm
            ? [item === null ? 'Connect a shop' : 'New key for Name balay']
            : (shops ?? []).map(({ name }) => name),
          typed: isForm ? [draft.address, draft.token, draft.secret] : null,
          error: isForm ? error : undefined,
          connecting: at('connecting'),
          savesKey: isForm && item !== null && !at('connecting'),
          failed: !isForm && expected.matches({ open: { shops: 'failed' } }),
          loading: !isForm && !expected.matches({ open: { shops: 'failed' } }) && shops === null,
          asks: at('leaving') || at('asking') || at('disconnecting'),
          disconnecting: at('disconnecting'),
          disabled: at('changing') && shops !== null,
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
