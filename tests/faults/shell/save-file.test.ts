import { expect, it } from 'vitest'
import { saveCsv } from '../../../src/services/save-csv.ts'
import { saveFile, saveFrom } from '../../../src/services/shell/save-file.ts'

type Link = { href: string; download?: string; target?: string; rel?: string; click: () => void }

/** A page whose links are kept in `clicked`, with the text that each had when it was clicked. */
function createPage() {
  const clicked: unknown[] = []
  const reading: Promise<unknown>[] = []
  const createElement = (kind: string): Link => ({
    href: '',
    click() {
      const { click: _, ...attributes } = this
      clicked.push([kind, attributes])
      if (this.href.startsWith('blob:')) reading.push(fetch(this.href).then((answer) => answer.text()))
    },
  })
  const window = {
    document: { createElement },
    location: { href: 'https://inbox.example/list', origin: 'https://inbox.example' },
  }
  return { window: window as unknown as Window, clicked, texts: () => Promise.all(reading) }
}

it('a text is saved under its name, and its address is released', async () => {
  const { window, clicked, texts } = createPage()
  saveFile(window, 'report.json', '{"a":1}')
  expect(clicked).toEqual([['a', { href: expect.stringMatching(/^blob:/), download: 'report.json' }]])
  expect(await texts()).toEqual(['{"a":1}'])
  const [[, { href }]] = clicked as [[string, Link]]
  await expect(fetch(href)).rejects.toThrow()
})

it.each([
  ['/api/exports/file?ticket=t', { download: '' }],
  ['https://inbox.example/file', { download: '' }],
  ['https://api.example/file', { target: '_blank' }],
])('the answer of %s is saved without leaving the page', (address, attributes) => {
  const { window, clicked } = createPage()
  saveFrom(window, address)
  expect(clicked).toEqual([['a', { href: address, rel: 'noopener', ...attributes }]])
})

it('a CSV file begins with the mark by which spreadsheets recognise UTF-8', async () => {
  const saved: unknown[] = []
  await saveCsv(async (name, text) => void saved.push([name, text]), 'clients.csv', 'Name\nJosé\n')
  expect(saved).toEqual([['clients.csv', '\ufeffName\nJosé\n']])
})
