/** What is being typed, and the page it is to go out from. The id is new whenever a draft was taken on and the next begins. */
export type Draft = {
  id: string
  text: string
  /** Null is Auto-select. */
  pageId: string | null
}

/** Nothing was typed and nothing chosen: there is nothing to keep. */
export const isBlank = ({ text, pageId }: Draft): boolean => text === '' && pageId === null
