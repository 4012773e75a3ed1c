import * as z from 'zod/mini'

export type SaveText = (name: string, text: string) => Promise<void>

/** The answer of a call that returns a CSV file. */
export const csvAnswer = { schema: z.string(), isText: true } as const

/** Saves a CSV file that the API has answered. */
export async function saveCsv(save: SaveText, name: string, csv: string): Promise<void> {
  // The mark by which spreadsheets recognize UTF-8; reading the answer removed it.
  await save(name, `\ufeff${csv}`)
}
