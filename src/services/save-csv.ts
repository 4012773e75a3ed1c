import * as z from 'zod/mini'
import type { Http } from './http.ts'

export type SaveText = (name: string, text: string) => Promise<void>

/** Saves the CSV file that the API answers to a POST. Throws `Failure`. */
export async function saveCsv(
  http: Http,
  save: SaveText,
  { path, body, name }: { path: string; body: object; name: string },
) {
  const csv = await http.post(path, { schema: z.string(), body, isText: true })
  // The mark by which spreadsheets recognize UTF-8; reading the answer removed it.
  await save(name, `\ufeff${csv}`)
}
