import { expect, it } from 'vitest'
import { csvLimits } from '../../../src/schemas/csv-import.ts'
import { createDataTransfer } from '../../../src/services/client/data-transfer.ts'
import type { Http } from '../../../src/services/http.ts'
import { csvImportOf } from '../../model/client/data-transfer-fixture.ts'

type Call = { path: string; body?: unknown; query?: unknown }

function start() {
  const calls: Call[] = []
  const answer = (data: unknown) => async (path: string, options: Omit<Call, 'path'>) => {
    calls.push({ path, ...(options.body !== undefined && { body: options.body }), query: options.query })
    return { success: true, data }
  }
  const http = { get: answer({ rows: [], next: null }), post: answer(csvImportOf()), put: answer(undefined) }
  const log = { warn: () => undefined }
  const download = () => undefined
  return { calls, ...createDataTransfer(http as unknown as Http, log, download) }
}

it.each([1, csvLimits.partBytes, csvLimits.partBytes + 1, 2 * csvLimits.partBytes + 12_345])(
  'uploads a file of %i bytes in parts that together are the file',
  async (bytes) => {
    const content = Uint8Array.from({ length: bytes }, (_, index) => (index * 31 + (index >> 8)) % 256)
    const file = new File([content], 'clients.csv')
    const service = start()
    let answered = null
    for (let step = -1; answered === null; step++)
      answered = await service.upload({ id: 'i1', kind: 'clients', file, step })
    const parts = service.calls.flatMap(({ path, body }) => {
      const number = /\/parts\/(\d+)$/.exec(path)?.[1]
      return number === undefined ? [] : [{ number: Number(number), data: (body as { data: string }).data }]
    })
    expect(parts.map(({ number }) => number)).toEqual(parts.map((_, index) => index))
    expect(parts).toHaveLength(Math.ceil(bytes / csvLimits.partBytes))
    expect(Buffer.concat(parts.map(({ data }) => Buffer.from(data, 'base64'))).equals(content)).toBe(true)
    expect([service.calls.at(0)?.body, service.calls.at(-1)?.path]).toEqual([
      { id: 'i1', kind: 'clients', file_name: 'clients.csv', bytes },
      '/imports/i1/read',
    ])
  },
)

it('asks for the rows after the last one that is shown', async () => {
  const { loadRows, calls } = start()
  await loadRows({ id: 'i1', outcome: 'refused', after: 51 }, new AbortController().signal)
  expect(calls).toEqual([{ path: '/imports/i1/rows', query: { outcome: 'refused', after: 51 } }])
})
