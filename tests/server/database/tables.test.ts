import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { type ESTree, parseSync } from 'vite'
import { expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { openSandboxTables } from '../../../server/stand-ins/sandbox/tables.ts'
import { describeOnEachDatabase } from '../databases.ts'

/** The type of each column by table, as a query returns it: 'string', 'Date | null', 'json'. */
type Shapes = Record<string, Record<string, string>>

/** Tables that no query names: the applied migrations, and those that only triggers read and write. */
const untypedTables = [
  'applied_migrations',
  'page_totals',
  'page_total_changes',
  'message_volumes',
  'message_volume_changes',
  'removed_pages',
]

/** Unions of texts that the table types import. */
const importedUnions: ReadonlySet<string> = new Set([
  'CsvImportState',
  'CsvKind',
  'CsvOutcome',
  'CustomerLanguage',
  'PaymentMethod',
  'ShopKind',
  'ShopPhase',
])

/** What the drivers return for a PostgreSQL type. */
const driverTypes: Record<string, string> = {
  bool: 'boolean',
  int4: 'number',
  int8: 'number',
  jsonb: 'json',
  numeric: 'string',
  text: 'string',
  _text: 'string[]',
  bytea: 'Uint8Array',
  timestamptz: 'Date',
  tsvector: 'string',
  uuid: 'string',
}

async function shapesInDatabase(db: Db, schema: string): Promise<Shapes> {
  const { rows } = await sql<{ table: string; column: string; type: string; isNullable: boolean }>`
    select c.table_name as table, c.column_name as column, c.udt_name as type,
      -- PostgreSQL reports every column of a view as nullable.
      c.is_nullable = 'YES' and t.table_type <> 'VIEW' as "isNullable"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = ${schema}`.execute(db)
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return Object.fromEntries(
    [...byTable].map(([table, columns]) => [
      table,
      Object.fromEntries(
        columns.map(({ column, type, isNullable }) => [
          column,
          `${driverTypes[type] ?? type}${isNullable ? ' | null' : ''}`,
        ]),
      ),
    ]),
  )
}

/** The type aliases of a file by name. */
function aliasesIn(path: string): [string, ESTree.TSTypeAliasDeclaration][] {
  return parseSync(path, readFileSync(path, 'utf8'))
    .program.body.map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === 'TSTypeAliasDeclaration' ? [[statement.id.name, statement]] : []))
}

/**
 * Reads the select types of a file's type `…Tables` from its source, because types do not exist when the test runs. A
 * file without that type has no shapes.
 */
function shapesInSource(path: string): Shapes {
  const aliases = new Map([...aliasesIn('server/database/tables/columns.ts'), ...aliasesIn(path)])

  /** The members of a union after all references are resolved, without duplicates. */
  function selectTypes(type: ESTree.TSType): string[] {
    if (type.type === 'TSUnionType') return [...new Set(type.types.flatMap(selectTypes))]
    if (type.type === 'TSStringKeyword' || type.type === 'TSLiteralType') return ['string']
    if (type.type === 'TSNumberKeyword') return ['number']
    if (type.type === 'TSBooleanKeyword') return ['boolean']
    if (type.type === 'TSNullKeyword') return ['null']
    if (type.type === 'TSArrayType' && type.elementType.type === 'TSStringKeyword') return ['string[]']
    if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return ['json']
    const { name } = type.typeName
    if (name === 'Date' || name === 'Uint8Array') return [name]
    if (importedUnions.has(name)) return ['string']
    const [first] = type.typeArguments?.params ?? []
    if (first && (name === 'Generated' || name === 'ColumnType')) return selectTypes(first)
    const alias = aliases.get(name)
    return alias ? selectTypes(alias.typeAnnotation) : ['json']
  }

  function properties(type: ESTree.TSType | undefined): [string, ESTree.TSType][] {
    if (type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
      return properties(aliases.get(type.typeName.name)?.typeAnnotation)
    }
    if (type?.type !== 'TSTypeLiteral') throw new Error('expected an object type')
    return type.members.map((member) => {
      if (member.type !== 'TSPropertySignature' || !member.typeAnnotation) throw new Error('expected a property')
      const name =
        member.key.type === 'Identifier' ? member.key.name : member.key.type === 'Literal' && member.key.value
      return [String(name), member.typeAnnotation.typeAnnotation]
    })
  }

  const tables = [...aliases]
    .filter(([name]) => name.endsWith('Tables'))
    .map(([, { typeAnnotation }]) => typeAnnotation)
  return Object.fromEntries(
    tables
      .flatMap(properties)
      .map(([table, columns]) => [
        table.replace(/^.*\./, ''),
        Object.fromEntries(properties(columns).map(([column, type]) => [column, selectTypes(type).join(' | ')])),
      ]),
  )
}

describeOnEachDatabase('The table types', (open) => {
  it('match the migrated database in tables, columns, nullability and types', async () => {
    const { db } = await open()
    const inDatabase = await shapesInDatabase(db, 'public')
    for (const table of untypedTables) delete inDatabase[table]
    const files = [...globSync('server/database/tables/*.ts'), 'server/notes/tables.ts']
    expect(Object.assign({}, ...files.map(shapesInSource))).toEqual(inDatabase)
  })

  it('match the sandbox schema in tables, columns, nullability and types', async () => {
    const { db } = await open()
    await openSandboxTables(db)
    const inSource = shapesInSource('server/stand-ins/sandbox/tables.ts')
    expect(inSource).toEqual(await shapesInDatabase(db, 'sandbox'))
  })
})
