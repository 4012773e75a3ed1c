/** How a toast looks and how long it stays (spec section 9). */
export type ToastKind = 'success' | 'info' | 'warning' | 'error'

/** What a toast says. */
export type ToastText = { readonly kind: ToastKind; readonly text: string }

/** Makes toasts of a room's texts. A text is looked up when it is read, in the language of that moment. */
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
