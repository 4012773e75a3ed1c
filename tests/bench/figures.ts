export type Spread = { p50: number; p95: number; p99: number; count: number }

/** The percentiles of a series. Throws if it is empty. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('Nothing was measured')
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count: values.length }
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}

export const kilobytes = (bytes: number): number => round(bytes / 1000)

/** Prints rows with the same keys as a table with a title, numbers right-aligned. */
export function printTable(title: string, rows: readonly Record<string, string | number>[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const text = (row: Record<string, string | number>, column: string) => String(row[column] ?? '')
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => text(row, column).length)))
  const isNumber = columns.map((column) => rows.every((row) => typeof row[column] === 'number'))
  const line = (cells: string[]) =>
    cells.map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join('  ')
  console.log(`\n${title}`)
  console.log(line(columns))
  console.log(widths.map((width) => '-'.repeat(width)).join('  '))
  for (const row of rows) console.log(line(columns.map((column) => text(row, column))))
}
