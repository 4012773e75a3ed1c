import type { Generated } from 'kysely'
import type {
  CsvImportState,
  CsvKind,
  CsvMapping,
  CsvOutcome,
  SavedCsvMapping,
} from '../../../src/schemas/csv-import.ts'
import type { ExportRequest } from '../../../src/schemas/data-export.ts'
import type { DefaultedJson, Json, Moment, NullableJson, NullableMoment } from './columns.ts'

/** A download of all rows of a kind, or of the rows of an import that were not stored. */
export type Download = ExportRequest | { refused_of: string }

export type ImportsTables = {
  csv_imports: {
    id: string
    kind: CsvKind
    file_name: string
    bytes: number
    state: Generated<CsvImportState>
    encoding: string | null
    separator: string | null
    columns: DefaultedJson<string[]>
    mapping: NullableJson<CsvMapping>
    rows: Generated<number>
    cursor: Generated<number>
    done: Generated<number>
    created: Generated<number>
    changed: Generated<number>
    unchanged: Generated<number>
    refused: Generated<number>
    waiting: Generated<number>
    retries_waiting: Generated<boolean>
    waiting_before: number | null
    error: string | null
    started_by: string | null
    /** An `AuditActor`. */
    actor: Json<{ staffId: string | null; name: string | null; address: string | null; userAgent: string | null }>
    created_at: Moment
    updated_at: Moment
    finished_at: NullableMoment
  }
  csv_import_parts: {
    import_id: string
    number: number
    data: Uint8Array
  }
  csv_import_rows: {
    import_id: string
    line: number
    cells: Json<string[]>
    external_id: string | null
    occurrence: Generated<number>
    outcome: CsvOutcome | null
    reason: string | null
    /** What the row changes alone: a client, an order number, or an item (`part`) of an order. */
    target: string | null
    part: string | null
    /** The client without an external id that the row becomes. */
    joins: string | null
  }
  csv_mappings: {
    kind: CsvKind
    mapping: Json<SavedCsvMapping>
  }
  export_tickets: {
    ticket_hash: string
    session_id: string
    request: Json<Download>
    expires_at: Moment
  }
}
