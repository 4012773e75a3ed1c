import { Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { csvLimits } from '../../src/schemas/csv-import.ts'

/** The file cannot be read as CSV. The message is for staff. */
export class UnreadableFile extends Error {}

const encodings = ['UTF-8', 'UTF-16LE', 'UTF-16BE', 'Windows-1252'] as const
export type CsvEncoding = (typeof encodings)[number]

type Parts = AsyncIterable<Uint8Array>

const startsWith = (data: Uint8Array, ...bytes: number[]) => bytes.every((byte, index) => data[index] === byte)

/** A byte order mark decides. Without one, a file that is not valid UTF-8 is Windows-1252, as old versions of Excel save. */
export async function findEncoding(parts: Parts): Promise<CsvEncoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  let isUtf8 = true
  for await (const part of parts) {
    if (isFirst) {
      if (startsWith(part, 0xff, 0xfe)) return 'UTF-16LE'
      if (startsWith(part, 0xfe, 0xff)) return 'UTF-16BE'
      if (startsWith(part, 0x50, 0x4b, 0x03, 0x04))
        throw new UnreadableFile('This is a workbook and not a CSV file. Save it as “CSV UTF-8” first.')
      isFirst = false
    }
    if (part.includes(0)) throw new UnreadableFile('This is not a CSV file. Save the sheet as “CSV UTF-8” first.')
    try {
      if (isUtf8) decoder.decode(part, { stream: true })
    } catch {
      isUtf8 = false
    }
  }
  try {
    if (isUtf8) decoder.decode()
  } catch {
    isUtf8 = false
  }
  return isUtf8 ? 'UTF-8' : 'Windows-1252'
}

/** The texts of the parts, without a byte order mark. */
export async function* textsOf(parts: Parts, encoding: CsvEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const part of parts) yield decoder.decode(part, { stream: true })
  yield decoder.decode()
}

const separators = [',', ';', '\t', '|'] as const

/** The separator that is most frequent in the first line, outside of quotes. */
export function findSeparator(text: string): string {
  const counts = new Map<string, number>(separators.map((separator) => [separator, 0]))
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) {
      if ([...counts.values()].some((count) => count > 0)) break
    } else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/** A longer row means that a quotation mark is not closed. Characters. */
const longestRow = 200_000

/** A row with the number that a spreadsheet shows for it, if no cell has several lines. The first row is the header. */
export type CsvRecord = { line: number; cells: string[] }

/** The rows that are not empty. Throws UnreadableFile. Reads one part at a time. */
export async function* recordsOf(texts: AsyncIterable<string>, separator: string): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  })
  let line = 0
  try {
    for await (const cells of Readable.from(texts).compose(parser) as AsyncIterable<string[]>) {
      line += 1
      if (cells.some((cell) => cell.trim() !== '')) yield { line, cells }
      if (line > csvLimits.rows + 1)
        throw new UnreadableFile(
          `The file has more than ${csvLimits.rows.toLocaleString('en')} rows. Divide it into smaller files.`,
        )
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? (error as CsvError).code : undefined
    if (code?.startsWith('CSV_') || code === 'INVALID_OPENING_QUOTE')
      throw new UnreadableFile(
        `Row ${line + 1} cannot be read: a quotation mark is missing or not doubled. Correct it and choose the file again.`,
      )
    throw error
  }
}
