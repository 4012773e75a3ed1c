import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ErrorBoundary } from '../../src/views/components/ErrorBoundary.tsx'
import { onDemand } from '../../src/views/components/on-demand.tsx'

it('loads the code of a view again after the load has failed, and then never again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const load = vi
    .fn<() => Promise<{ default: () => string }>>()
    .mockRejectedValueOnce(new Error('the network is gone'))
    .mockResolvedValue({ default: () => 'the view' })
  const View = onDemand(load, () => 'loading')
  const show = async () => {
    const { container, unmount } = render(
      <ErrorBoundary fallback="broken">
        <View />
      </ErrorBoundary>,
    )
    const texts = [container.textContent]
    await act(async () => {})
    texts.push(container.textContent)
    unmount()
    return texts
  }
  expect([await show(), await show(), await show()]).toEqual([
    ['loading', 'broken'],
    ['loading', 'the view'],
    ['the view', 'the view'],
  ])
  expect([load.mock.calls.length, screen.queryByText('the view')]).toEqual([2, null])
  vi.restoreAllMocks()
})
