import { stringify } from 'csv-stringify/sync'

/**
 * Options of csv-stringify for every file that people open: a header, the byte order mark by which spreadsheets recognize
 * UTF-8, and an apostrophe before a text that a spreadsheet would run as a formula.
 */
export const csvOptions = { header: true, escape_formulas: true, bom: true } as const

/** The text without the apostrophe that `csvOptions` puts before a formula. */
export const withoutDefusing = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/, '')

type Cell = string | number | null

/** The first part of a CSV file: the names of the columns. */
export const csvHead = (columns: readonly string[]): string => stringify([columns], { ...csvOptions, header: false })

/** A further part of a CSV file. */
export const csvRows = (rows: readonly (readonly Cell[])[]): string =>
  stringify([...rows], { ...csvOptions, header: false, bom: false })
