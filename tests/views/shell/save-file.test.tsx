import { afterEach, expect, it, vi } from 'vitest'
import { saveFrom } from '../../../src/services/shell/save-file.ts'

afterEach(() => vi.restoreAllMocks())

it.each([
  ['of this origin, which the browser saves', '/api/exports/file?ticket=t', { download: '', target: null }],
  [
    'of another origin, in a new tab',
    'https://api.example.com/exports/file?ticket=t',
    { download: null, target: '_blank' },
  ],
])('a download %s does not leave the page', (_, address, expected) => {
  const clicked: unknown[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push({
      href: this.getAttribute('href'),
      download: this.getAttribute('download'),
      target: this.getAttribute('target'),
      rel: this.rel,
    })
  })
  saveFrom(window, address)
  expect(clicked).toEqual([{ href: address, rel: 'noopener', ...expected }])
})
