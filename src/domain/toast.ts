/** The appearance and duration of a toast (spec section 9). */
export type ToastKind = 'success' | 'info' | 'warning' | 'error'

/** The content of a toast. */
export type ToastText = {
  readonly kind: ToastKind
  readonly text: string
  /** The key of the change that the toast's button undoes. */
  readonly undo?: string
  /** Set for new messages, mentions and new comments. A null id opens nothing. One that stays is closed by the person. */
  readonly news?: {
    readonly line: string | null
    readonly conversationId: string | null
    readonly stays?: boolean
    /** A press opens the comments, at this thread if it is known. */
    readonly comments?: { readonly threadId: string | null }
  }
}

/**
 * Creates the toasts of one text catalogue. Each text is looked up when it is read, in the language selected at that
 * time.
 */
export function toastsIn<Id extends string, Values>(textOf: (id: Id, values?: Values) => string) {
  const of =
    <Kind extends ToastKind>(kind: Kind) =>
    (id: Id, values?: Values) => ({
      kind,
      get text() {
        return textOf(id, values)
      },
    })
  return { success: of('success'), info: of('info'), warning: of('warning'), error: of('error') }
}
