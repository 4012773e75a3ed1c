import * as z from 'zod/mini'

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export type ReadRequest<Schema extends z.ZodMiniType> = {
  schema: Schema
  /** Undefined, null and '' are left out. */
  query?: Query | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Abort it and the call rejects with a Failure of kind `aborted`. */
  signal?: AbortSignal | undefined
}

export type SendRequest<Schema extends z.ZodMiniType> = ReadRequest<Schema> & { body?: unknown }

/**
 * The JSON API (spec section 7). Every call resolves with its parsed answer or rejects with a `Failure`, and with
 * nothing else. Reads are tried again a few times where no answer came; sends never are.
 */
export type Http = {
  get<Schema extends z.ZodMiniType>(path: string, request: ReadRequest<Schema>): Promise<z.infer<Schema>>
  post<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
  put<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
  delete<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
}

/**
 * A list in which a bad row is dropped and counted while the others stay: `rows(conversation, (dropped) => …)`.
 * `onDropped` is called with the number only.
 */
export const rows = <Row extends z.ZodMiniType>(row: Row, onDropped: (count: number) => void) =>
  z.pipe(
    z.array(z.unknown()),
    z.transform((items: unknown[]) => {
      const good: z.infer<Row>[] = []
      for (const item of items) {
        const parsed = z.safeParse(row, item)
        if (parsed.success) good.push(parsed.data)
      }
      if (good.length < items.length) onDropped(items.length - good.length)
      return good
    }),
  )
