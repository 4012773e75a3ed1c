/** The mouse was pressed on the row of a conversation. `pageId`: the page filter. `openId`: the open conversation. */
export type PrefetchRequested = { type: 'prefetch.requested'; id: string; pageId: string | null; openId: string | null }
